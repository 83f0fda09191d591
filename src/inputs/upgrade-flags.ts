import type { Hint } from '../model/hint.ts'
import { isJsonArray, type JsonValue } from '../model/object.ts'
import type { ReleaseOptions, ValuesInput } from '../model/release.ts'
import { goBoolean } from './go-boolean.ts'
import { goDurationSeconds, parseDuration } from './go-duration.ts'
import { shorten } from './input-problem.ts'

type SetLists = Pick<ValuesInput, 'set' | 'setString' | 'setJson' | 'setFile' | 'setLiteral'>
type Fault = (what: string, hint: Hint) => void

/** What the flags ask for. */
export interface UpgradeFlags {
  readonly options: Partial<ReleaseOptions>
  readonly sets: SetLists
}

const KNOWN = [
  '--wait',
  '--wait-for-jobs',
  '--timeout',
  '--history-max',
  '--take-ownership',
  '--force-conflicts',
  '--create-namespace',
  '--rollback-on-failure',
  '--reset-values',
  '--reuse-values',
  '--reset-then-reuse-values',
  '--skip-crds',
  '--no-hooks',
  '--set',
  '--set-string',
  '--set-json',
  '--set-literal',
]
const noSets: SetLists = { set: [], setString: [], setJson: [], setFile: [], setLiteral: [] }
const lists: ReadonlyMap<string, keyof SetLists> = new Map([
  ['--set', 'set'],
  ['--set-string', 'setString'],
  ['--set-json', 'setJson'],
  ['--set-literal', 'setLiteral'],
])
/** Of several, the first of these counts in Helm. */
const reusing: ReadonlyMap<string, ReleaseOptions['reuseValues']> = new Map([
  ['--reset-values', 'none'],
  ['--reuse-values', 'reuse'],
  ['--reset-then-reuse-values', 'reset-then-reuse'],
])
/** Flags for what the run does in any case. */
const idle = new Set(['--install', '-i', '--debug'])
const withValue = new Set(['--timeout', '--history-max', ...lists.keys()])

/**
 * `helmUpgradeFlags` of a HelmChart document, by an allow-list of those with a meaning here: `--x=y`, or `--x` and `y`
 * as two entries. Any other flag is a fault, because it would be ignored silently.
 * Source: docs/sources.md#kots-helmchart.
 */
export function readUpgradeFlags(value: JsonValue | undefined, fault: Fault): UpgradeFlags {
  let flags: UpgradeFlags = { options: {}, sets: noSets }
  if (value === undefined || value === null) return flags
  if (!isJsonArray(value) || !value.every((flag) => typeof flag === 'string')) {
    fault('is not a list of strings', { kind: 'write-list-of-texts' })
    return flags
  }
  let waitsForJobs = true
  const reused = new Set<string>()
  for (let i = 0; i < value.length; i++) {
    const entry = value[i] ?? ''
    const equals = entry.indexOf('=')
    const name = equals === -1 ? entry : entry.slice(0, equals)
    let text = equals === -1 ? undefined : entry.slice(equals + 1)
    if (text === undefined && withValue.has(name)) {
      i += 1
      text = value[i]
    }
    if (name === '--wait-for-jobs') waitsForJobs = goBoolean(text ?? 'true') ?? wrongBoolean(name, fault)
    else if (reusing.has(name)) {
      if (goBoolean(text ?? 'true') ?? wrongBoolean(name, fault)) reused.add(name)
    } else flags = withFlag(flags, name, text, fault)
  }
  if (!waitsForJobs && flags.options.wait !== false) {
    fault('--wait-for-jobs=false has no meaning alone', { kind: 'write-wait-false' })
  }
  const first = [...reusing].find(([name]) => reused.has(name))
  return first === undefined ? flags : { ...flags, options: { ...flags.options, reuseValues: first[1] } }
}

function withFlag(flags: UpgradeFlags, name: string, text: string | undefined, fault: Fault): UpgradeFlags {
  const { options, sets } = flags
  const withOptions = (more: Partial<ReleaseOptions>): UpgradeFlags => ({ sets, options: { ...options, ...more } })
  const isOn = () => goBoolean(text ?? 'true') ?? wrongBoolean(name, fault)
  const list = lists.get(name)
  if (list !== undefined) {
    // The text is a value: it is never repeated.
    if ((text?.indexOf('=') ?? 0) < 1) fault(`${name} has no key=value form`, { kind: 'write-set-flag' })
    return { options, sets: { ...sets, [list]: [...sets[list], text ?? ''] } }
  }
  if (idle.has(name)) return flags
  switch (name) {
    case '--wait':
      // Words of Helm 4: watcher, legacy, hookOnly.
      if (text === 'watcher' || text === 'legacy') return withOptions({ wait: true })
      return withOptions({ wait: text === 'hookOnly' ? false : isOn() })
    case '--timeout': {
      const timeoutSeconds = parseDuration(text ?? '') ?? goDurationSeconds(text ?? '') ?? 0
      if (timeoutSeconds > 0) return withOptions({ timeoutSeconds })
      fault('--timeout has no duration above zero', { kind: 'write-timeout-flag' })
      return flags
    }
    case '--history-max':
      if (/^\d{1,6}$/.test(text ?? '')) return withOptions({ historyMax: Number(text) })
      fault('--history-max has no number', { kind: 'write-history-max-flag' })
      return flags
    case '--take-ownership':
      return withOptions({ takeOwnership: isOn() })
    case '--force-conflicts':
      return withOptions({ forceConflicts: isOn() })
    case '--create-namespace':
      return withOptions({ createNamespace: isOn() })
    case '--rollback-on-failure':
    case '--atomic':
      return withOptions({ onFailure: isOn() ? 'undo' : 'stop' })
    case '--skip-crds':
      return withOptions({ withCrds: !isOn() })
    case '--no-hooks':
      return withOptions({ withHooks: !isOn() })
    default:
      fault(`"${shorten(name)}" has no meaning here`, { kind: 'leave-flag-out', known: KNOWN })
      return flags
  }
}

function wrongBoolean(name: string, fault: Fault): boolean {
  fault(`${name} is neither true nor false`, { kind: 'write-flag-or-false', flag: name })
  return true
}
