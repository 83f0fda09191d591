import { parseJsonPath } from '../manifest/jsonpath.ts'
import type { DeletePolicy, PropertyWait } from '../model/directives.ts'
import type { Ref } from '../model/ref.ts'
import type { Dialect, Reading } from './dialect.ts'
import { readBoolean, readChoice, readChoices, readInteger, shortValue } from './value-forms.ts'

/**
 * KOTS. Sources: docs/sources.md#kots-orchestrating-resource-deployment, docs/sources.md#kots-phases,
 * docs/sources.md#kots-waits, docs/sources.md#kots-inclusion, docs/sources.md#kots-removal.
 */
const PHASES = { min: -9999, max: 9999 }
const PHASE_FORM = 'an integer from -9999 to 9999 in quotes, as "-1"'
const MAX_PROPERTIES = 100

const exactBooleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** Kinds that KOTS reads for itself and never deploys. Source: docs/sources.md#kots-inclusion. */
export function isKotsKind({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean {
  if (apiVersion === 'velero.io/v1') return kind === 'Backup' || kind === 'Restore'
  return kotsVersions.has(apiVersion)
}

/** Replicated KOTS. Values are not trimmed, as in KOTS. */
export const kots: Dialect = {
  name: 'KOTS',
  domain: 'kots.io',
  family: /^kots\.io\//,
  isOwnKind: isKotsKind,
  rows: [
    {
      key: 'kots.io/creation-phase',
      pattern: /^kots\.io\/creation-phase$/,
      form: PHASE_FORM,
      default: '0',
      verbs: 'install, upgrade, rollback',
      meaning:
        'Phase in which the object is created, lowest first; in a phase by kind order. In plain manifests the next phase starts once this one is applied; in a chart it is the weight.',
      differs: 'A malformed phase is an error; KOTS logs it and takes 0. Objects of one kind are applied in parallel.',
      severity: 'error',
      parse: (value) => phaseReading(value, (weight) => ({ weight })),
    },
    {
      key: 'kots.io/deletion-phase',
      pattern: /^kots\.io\/deletion-phase$/,
      form: PHASE_FORM,
      default: '0',
      verbs: 'uninstall, and prune on upgrade and rollback',
      meaning: 'Phase in which the object is deleted, lowest first; each phase is gone before the next starts.',
      differs: 'A malformed phase is an error. The absence is awaited; KOTS does not wait on upgrades.',
      severity: 'error',
      parse: (value) => phaseReading(value, (deletionPhase) => ({ deletionPhase })),
    },
    {
      key: 'kots.io/wait-for-ready',
      pattern: /^kots\.io\/wait-for-ready$/,
      form: '"true" or "false"',
      default: '"false"',
      verbs: 'install, upgrade, rollback',
      meaning: 'Nothing else is deployed until this object is ready; for a kind without a rule: until it can be read.',
      differs:
        'Readiness has a rule for every kind, a failure ends the run at once, and the wait ends with the timeout of the run.',
      severity: 'error',
      parse: (value) => exactBooleanReading(value, (isReadyBarrier) => ({ isReadyBarrier })),
    },
    {
      key: 'kots.io/wait-for-properties',
      pattern: /^kots\.io\/wait-for-properties$/,
      form: 'a comma list of <JSONPath>=<value>, as ".status.phase=Ready,.status.count=3"',
      default: 'none',
      verbs: 'install, upgrade, rollback',
      meaning:
        'Nothing else is deployed until each property has its value, one after the other, after wait-for-ready. Compared as text, as client-go prints it.',
      differs:
        'Commas and equal signs within brackets belong to the path, so that filters can be written. A part without "=" is an error. The wait ends with the timeout of the run.',
      severity: 'error',
      parse: readPropertyWaits,
    },
    {
      key: 'kots.io/exclude',
      mayBeBoolean: true,
      pattern: /^kots\.io\/exclude$/,
      form: '"true" or "false"',
      default: '"false"',
      verbs: 'all',
      meaning: 'Leaves the object out; listed in the plan.',
      differs: 'Template functions of KOTS are not evaluated: an error.',
      severity: 'error',
      parse: (value) => goBooleanReading(value, (excluded) => ({ excluded })),
    },
    {
      key: 'kots.io/when',
      mayBeBoolean: true,
      pattern: /^kots\.io\/when$/,
      form: '"true" or "false"',
      default: '"true"',
      verbs: 'all',
      meaning: '"false" leaves the object out. Not read where kots.io/exclude is given.',
      differs: 'Template functions of KOTS are not evaluated: an error.',
      severity: 'error',
      parse: (value, { annotations }) =>
        annotations.has('kots.io/exclude')
          ? { asked: {} }
          : goBooleanReading(value, (isWanted) => ({ excluded: !isWanted })),
    },
    {
      key: 'kots.io/keep',
      pattern: /^kots\.io\/keep$/,
      form: '"true" or "false"',
      default: '"false"',
      verbs: 'prune on upgrade and rollback',
      meaning: 'An object that is no longer in the release stays in the cluster. It is deleted on uninstall.',
      differs: '',
      severity: 'error',
      parse: (value) => exactBooleanReading(value, (keepOnPrune) => ({ keepOnPrune })),
    },
    {
      key: 'kots.io/hook-delete-policy',
      pattern: /^kots\.io\/hook-delete-policy$/,
      form: 'a comma list of hook-succeeded, hook-failed',
      default: 'none',
      verbs: 'install, upgrade, rollback',
      meaning:
        'Deletes a Job after it succeeded or failed. before-hook-creation is accepted and means nothing, as in KOTS.',
      differs: 'Deleted when its weight group is done, not by a background watcher. An unknown word is an error.',
      on: 'Jobs',
      severity: 'error',
      parse: (value) => {
        const { known, fault } = readChoices(value, jobPolicies)
        const asked = { deletePolicies: known.flat() }
        return fault === undefined ? { asked } : { asked, fault }
      },
    },
  ],
}

const kotsVersions: ReadonlySet<string> = new Set([
  'kots.io/v1beta1',
  'kots.io/v1beta2',
  'troubleshoot.sh/v1beta2',
  'troubleshoot.replicated.com/v1beta1',
  'cluster.kurl.sh/v1beta1',
  'kurl.sh/v1beta1',
  'embeddedcluster.replicated.com/v1beta1',
  'app.k8s.io/v1beta1',
])

const jobPolicies: ReadonlyMap<string, readonly DeletePolicy[]> = new Map<string, readonly DeletePolicy[]>([
  ['hook-succeeded', ['succeeded']],
  ['hook-failed', ['failed']],
  ['before-hook-creation', []],
])

type Ask<T> = (value: T) => Reading['asked']

function phaseReading(value: string, ask: Ask<number>): Reading {
  const read = readInteger(value, PHASES)
  return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: ask(read.value) }
}

function exactBooleanReading(value: string, ask: Ask<boolean>): Reading {
  const read = readChoice(value, exactBooleans)
  return 'fault' in read ? { asked: {}, fault: 'neither "true" nor "false"' } : { asked: ask(read.value) }
}

function goBooleanReading(value: string, ask: Ask<boolean>): Reading {
  const read = readBoolean(value)
  return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: ask(read.value) }
}

/**
 * An empty value asks for nothing. The path ends at the first equal sign outside brackets; the value is never trimmed.
 */
function readPropertyWaits(value: string): Reading {
  if (value === '') return { asked: { propertyWaits: [] } }
  const parts = splitOutsideBrackets(value, ',')
  if (parts.length > MAX_PROPERTIES) return { asked: {}, fault: `more than ${MAX_PROPERTIES} properties` }
  const waits: PropertyWait[] = []
  const faults: string[] = []
  for (const part of parts) {
    const [path = '', ...rest] = splitOutsideBrackets(part, '=')
    const parsed = parseJsonPath(path)
    if (rest.length === 0) faults.push(`no "=" in "${shortValue(part)}"`)
    else if ('error' in parsed) faults.push(`JSONPath "${shortValue(path)}": ${parsed.error}`)
    else waits.push({ path: withoutBraces(path), value: part.slice(path.length + 1) })
  }
  const asked = { propertyWaits: waits }
  return faults.length === 0 ? { asked } : { asked, fault: faults.join('; ') }
}

function splitOutsideBrackets(text: string, separator: ',' | '='): readonly string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const char of text) {
    if (char === '[') depth += 1
    if (char === ']') depth = Math.max(0, depth - 1)
    if (char === separator && depth === 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${char}`)
  }
  return parts
}

function withoutBraces(path: string): string {
  const trimmed = path.trim()
  return trimmed.startsWith('{') ? trimmed.slice(1, -1).trim() : trimmed
}
