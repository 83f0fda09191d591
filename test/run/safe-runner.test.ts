import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Runner } from '../../src/ports.ts'
import { type SafeRunner, safeRunner } from '../../src/run/safe-runner.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { asName, type Outgoing, redacted } from '../../src/secrecy/redacted.ts'

const SRC = resolve(import.meta.dirname, '../../src')

const secrets = createSecrets()
secrets.add('storefront')

/** A secret, a command at the start of each line, one inside, a control, and Markdown. */
const HOSTILE = '::error::storefront ##[group]\u001b[31m @all\r\n  ::debug::<b>storefront\u200b'
const COMMANDS_BROKEN = '\\::error::*** ##\\[group] @all\n  \\::debug::<b>***\\u{200b}'
const NAME = 'storefront'

type Call = readonly [keyof Runner, ...unknown[]]

/** Every method, and what it is called with here; `text` stands where text leaves. */
const uses: { readonly [Method in keyof Runner]: (runner: SafeRunner, text: Outgoing) => unknown } = {
  input: (runner) => runner.input('chart'),
  info: (runner, text) => runner.info(text),
  annotate: (runner, text) => runner.annotate('error', text),
  debug: (runner, text) => runner.debug(text),
  startGroup: (runner, text) => runner.startGroup(text),
  endGroup: (runner) => runner.endGroup(),
  output: (runner, text) => runner.output('releases', text),
  summary: (runner, text) => runner.summary(text),
  saveState: (runner) => runner.saveState('held', NAME),
  state: (runner) => runner.state('held'),
  mask: (runner) => runner.mask(NAME),
  keepFile: (runner, text) => runner.keepFile('plan.txt', text),
}

/** What each way out does to foreign text, and to text made of redacted values. */
describe('the runner behind the border', () => {
  const lines = COMMANDS_BROKEN
  test.each([
    ['info', [lines]],
    ['annotate', ['error', lines, undefined]],
    ['debug', [lines]],
    ['startGroup', ['\\::error::*** ##\\[group] @all\\u{d}\\u{a}  ::debug::<b>***\\u{200b}']],
    ['output', ['releases', HOSTILE.replaceAll(NAME, '***')]],
    ['keepFile', ['plan.txt', HOSTILE.replaceAll(NAME, '***')]],
  ] as const)('%s: foreign text', (method, args) => {
    expect(calls((runner) => uses[method](runner, HOSTILE))).toEqual([[method, ...args]])
  })

  test('summary: foreign text becomes one line of prose without elements, mentions or secrets', () => {
    const [[, markdown] = []] = calls((runner) => uses.summary(runner, HOSTILE))
    expect(markdown).not.toMatch(/storefront|\n|(?<!\\)<|@all/)
    expect(markdown).toContain('\\*\\*\\*')
  })

  test.each(['info', 'annotate', 'debug'] as const)(
    '%s: redacted text keeps its names, and holds no command',
    (method) => {
      const text = redacted({ text: `::error:: ##[group] ${NAME}` }, { text: 'name' }, secrets)
      const long = asName(`${'x'.repeat(5_000)} ${NAME}`)
      const [call] = calls((runner) => uses[method](runner, asName(text.value.text)))
      expect(call).toContain(`\\::error:: ##\\[group] ${NAME}`)
      expect(calls((runner) => uses[method](runner, long))[0]).toContain(long.value)
    },
  )

  test('startGroup: redacted text stays one line', () => {
    expect(calls((runner) => uses.startGroup(runner, asName(`${NAME}\n::stop::`)))).toEqual([
      ['startGroup', `${NAME}\\u{a}::stop::`],
    ])
  })

  test.each(['summary', 'output', 'keepFile'] as const)('%s: redacted text passes as it is', (method) => {
    const text = `| \`${NAME}\` | **::x** |\n`
    expect(calls((runner) => uses[method](runner, asName(text)))[0]?.at(-1)).toBe(text)
  })

  test('a secret in the JSON of an output is found', () => {
    const value = JSON.stringify({ release: 'web', note: 'pass "word"' })
    const known = createSecrets()
    known.add('pass "word"')
    expect(calls((runner) => runner.output('releases', value), known)).toEqual([
      ['output', 'releases', '{"release":"web","note":"***"}'],
    ])
  })

  test('has every method of the raw one, and no text leaves by another', () => {
    const seen = Object.values(uses).flatMap((use) => calls((runner) => use(runner, NAME)))
    expect(seen.map(([method]) => method)).toEqual(Object.keys(uses))
    const open = seen.filter((call) => call.some((argument) => String(argument).includes(NAME))).map(([name]) => name)
    // The other process of this step reads its state; a mask is the secret itself.
    expect(open).toEqual(['saveState', 'mask'])
  })

  test('is the only way to the raw one, and only the reporter names what prints as it is', () => {
    expect(usersOf('createRunner')).toEqual(['main.ts'])
    expect(usersOf('asName')).toEqual(['run/reporter.ts'])
    const escapers = usersOf('printable', 'printableLines').filter((file) => !file.startsWith('report/'))
    expect(escapers).toEqual(['run/safe-runner.ts'])
  })

  test('no raw runner is taken for it, and no plain text for redacted text', () => {
    // @ts-expect-error: it would print what it is given.
    const raw: SafeRunner = recorder([])
    // @ts-expect-error: only redaction makes one.
    const text: Outgoing = { value: NAME }
    expect([raw, text]).toHaveLength(2)
  })
})

function calls(use: (runner: SafeRunner) => unknown, known = secrets): readonly Call[] {
  const seen: Call[] = []
  use(safeRunner(recorder(seen), known))
  return seen
}

/** Files of the action that import one of these names. */
function usersOf(...names: readonly string[]): readonly string[] {
  const isImport = new RegExp(`^import [^']*\\b(${names.join('|')})\\b[^']* from '\\.`, 'm')
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && isImport.test(importsOf(readFileSync(join(SRC, file), 'utf8'))))
    .toSorted()
}

/** Each import on a line of its own. */
function importsOf(source: string): string {
  return [...source.matchAll(/^import [\s\S]*? from '[^']+'/gm)].map(([text]) => text.replace(/\s+/g, ' ')).join('\n')
}

/** Writes down what reaches the raw runner. */
function recorder(seen: Call[]): Runner {
  return {
    input: (...args) => String(seen.push(['input', ...args])),
    info: (...args) => void seen.push(['info', ...args]),
    annotate: (...args) => void seen.push(['annotate', ...args]),
    debug: (...args) => void seen.push(['debug', ...args]),
    startGroup: (...args) => void seen.push(['startGroup', ...args]),
    endGroup: () => void seen.push(['endGroup']),
    output: (...args) => void seen.push(['output', ...args]),
    summary: async (...args) => void seen.push(['summary', ...args]),
    saveState: (...args) => void seen.push(['saveState', ...args]),
    state: (...args) => String(seen.push(['state', ...args])),
    mask: (...args) => void seen.push(['mask', ...args]),
    keepFile: async (...args) => String(seen.push(['keepFile', ...args])),
  }
}
