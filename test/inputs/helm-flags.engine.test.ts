import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type FlagForm, type HelmFlag, helmFlags } from '../../src/inputs/helm-flags.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'

const COMMANDS = ['upgrade', 'install', 'template'] as const

/** What Helm's help says of a value, and how the table calls that. */
const FORMS: readonly (readonly [help: RegExp, form: FlagForm])[] = [
  [/^$/, 'boolean'],
  [/^\S+\[="?[a-z]+"?\]$/, 'word'],
  [/^strings$/, 'list'],
  [/^stringToString$/, 'list'],
  [/^(stringArray|postRendererArgsSlice)$/, 'entries'],
  [/^(string|int|duration|float32|format|postRendererString)$/, 'text'],
]
/** Flags of one name and several forms: the table has one that reads them all. */
const SEVERAL_FORMS = new Set(['wait', 'server-side'])

async function helm(version: 'helm3' | 'helm4', args: readonly string[]) {
  const env = { HOME: '/nonexistent', KUBECONFIG: '/dev/null' }
  try {
    return { ...(await promisify(execFile)(await ensureBinary(version), args, { env })), isError: false }
  } catch (error) {
    return { stdout: '', stderr: String((error as { readonly stderr?: string }).stderr), isError: true }
  }
}

interface Listed {
  readonly name: string
  readonly short: string | undefined
  readonly form: FlagForm | string
}

/** The flags that `--help` lists, global ones too. */
async function listedFlags(version: 'helm3' | 'helm4', command: string): Promise<readonly Listed[]> {
  const { stdout } = await helm(version, [command, '--help'])
  return [...stdout.matchAll(/^ {2}(?:-(\w), | {4})--([a-z0-9-]+)(?: (\S+))? {2,}/gm)].map(
    ([, short, name = '', type = '']) => ({
      name,
      short,
      form: FORMS.find(([help]) => help.test(type))?.[1] ?? `no form for ${type}`,
    }),
  )
}

const isOf = (flag: HelmFlag, version: 'helm3' | 'helm4', command: (typeof COMMANDS)[number]) =>
  flag[version].includes(command)

describe.each(['helm3', 'helm4'] as const)('%s', (version) => {
  test.each(COMMANDS)('each flag of helm %s stands in the table, with its letter and form', async (command) => {
    const listed = await listedFlags(version, command)
    expect(listed.length).toBeGreaterThan(50)
    const known = new Map(helmFlags.filter((flag) => isOf(flag, version, command)).map((flag) => [flag.name, flag]))
    const wrong = listed.filter(({ name, short, form }) => {
      const flag = known.get(name)
      return flag === undefined || flag.short !== short || (flag.takes !== form && !SEVERAL_FORMS.has(name))
    })
    expect(wrong).toEqual([])
  })

  test.each(COMMANDS)(
    'knows each flag that the table has of helm %s, hidden ones too, and no other',
    async (command) => {
      const answers = await Promise.all(
        helmFlags.map(async (flag) => {
          const value = flag.takes === 'boolean' ? '' : `=${SAMPLES[flag.name] ?? '1'}`
          const { isError, stderr } = await helm(version, [command, `--${flag.name}${value}`, '--help'])
          // A refused value, as of --post-renderer without its plugin, is a known flag.
          if (isError && !/unknown flag|invalid argument/.test(stderr)) return `--${flag.name}: ${stderr}`
          const isUnknown = stderr.includes('unknown flag')
          return isUnknown === isOf(flag, version, command) ? `--${flag.name}: ${isUnknown ? 'unknown' : 'known'}` : ''
        }),
      )
      expect(answers.filter((answer) => answer !== '')).toEqual([])
    },
  )
})

/** Values that the flags take. */
const SAMPLES: Readonly<Record<string, string>> = {
  timeout: '1s',
  labels: 'a=b',
  wait: 'true',
  'server-side': 'true',
  output: 'json',
  color: 'never',
  colour: 'never',
  'log-backtrace-at': 'a.go:1',
  vmodule: 'a=1',
}

test('no name and no letter stands twice', () => {
  const names = helmFlags.map(({ name }) => name)
  const letters = helmFlags.flatMap(({ short }) => short ?? [])
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(letters).size).toBe(letters.length)
})
