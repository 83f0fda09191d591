import { parseJsonPath } from '../manifest/jsonpath.ts'
import type { DeletePolicy, DeletePropagation } from '../model/directives.ts'
import { type Occasion, rowOf, verbNames } from '../model/verb.ts'
import type { Dialect, Row } from './dialect.ts'
import { distinctOccasions, hookEvents } from './hook-events.ts'
import { readBoolean, readChoice, readChoices, readInteger, shortValue } from './value-forms.ts'
import { dependencyRows } from './werf-dependencies.ts'
import { trackingRows } from './werf-tracking.ts'

/** The main stage of each verb. Source: docs/sources.md#werf-resource-lifecycle. */
const mainEvents = verbNames.flatMap((verb): readonly [event: string, occasion: Occasion][] => {
  const { event, stages } = rowOf(verb)
  return event !== undefined && stages.includes('main') ? [[event, { verb, stage: 'main' }]] : []
})

const deployOnEvents: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ...[...hookEvents].filter(([event]) => event !== 'test'),
  ...mainEvents,
])

const rows: readonly Row[] = [
  {
    key: 'werf.io/weight',
    pattern: /^werf\.io\/weight$/,
    form: 'an integer in quotes, as "-1"',
    default: '0',
    verbs: 'install, upgrade, rollback; uninstall and prune in reverse',
    meaning:
      'Order of deployment, lowest first. Objects of one weight are a group: created in kind order, then all waited for; the next group starts when all of it is ready. On hooks it takes precedence over helm.sh/hook-weight.',
    differs:
      'Hooks of one weight run one at a time, as werf documents it; nelm runs them in parallel. Dependencies do not remove the weight.',
    severity: 'error',
    parse: (value) => {
      const read = readInteger(value.trim())
      return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: { weight: read.value, isPhased: false } }
    },
  },
  {
    key: 'werf.io/deploy-on',
    isUnusedInCrds: true,
    pattern: /^werf\.io\/deploy-on$/,
    form: `a comma list of ${[...deployOnEvents.keys()].join(', ')}, test`,
    default: 'install,upgrade,rollback; of a hook: its helm.sh/hook',
    verbs: 'as the values say',
    meaning: 'When, and in which stage, the object is deployed.',
    differs:
      'An object whose list lacks the verb of this run is left as it is and listed in the plan; nelm deletes it. It is deleted when it leaves the chart or the release is uninstalled, also where the uninstall itself has made it: what post-delete made goes at the end.',
    severity: 'error',
    parse: (value) => {
      const events = new Map([
        ...deployOnEvents,
        ['test', { verb: 'test', stage: 'test' }],
        ['test-success', { verb: 'test', stage: 'test' }],
      ] as const)
      const { known, fault } = readChoices<Occasion>(value, events)
      const asked = { occasions: distinctOccasions(known) }
      return fault === undefined ? { asked } : { asked, fault }
    },
  },
  {
    key: 'werf.io/ownership',
    isUnusedInCrds: true,
    pattern: /^werf\.io\/ownership$/,
    form: 'release or anyone',
    default: 'release; of hooks and `crds/`: anyone',
    verbs: 'all',
    meaning:
      'release: the object carries the ownership metadata of the release, is refused where another one owns it, and is deleted with the release or when it leaves the chart. anyone: none of that.',
    differs:
      'On objects of `crds/` the annotation is not used, as in nelm. A CRD of `crds/` that another release owns is updated only where it serves more than before, and keeps its marks. A hook that another release owns is refused, unless take-ownership is set.',
    severity: 'error',
    parse: (value) => {
      const read = readChoice(value.trim(), ownerships)
      return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: { ownership: read.value } }
    },
  },
  {
    key: 'werf.io/delete-policy',
    pattern: /^werf\.io\/delete-policy$/,
    form: 'a comma list of before-creation, before-creation-if-immutable, succeeded, failed',
    default: 'none; of a hook: its helm.sh/hook-delete-policy',
    verbs: 'install, upgrade, rollback',
    meaning:
      'before-creation: always recreated. before-creation-if-immutable: recreated when an immutable field changes. succeeded, failed: deleted after it became ready, or after it failed. An empty value means none.',
    differs:
      'A Job without a policy is recreated only when it is finished and its template changed; a Job or Pod that an uninstall deploys always is. A CRD is never deleted; an object to keep is updated in place or refused.',
    severity: 'error',
    parse: (value) => {
      if (value.trim() === '') return { asked: { deletePolicies: [] } }
      const { known, fault } = readChoices(value, deletePolicies)
      return fault === undefined ? { asked: { deletePolicies: known } } : { asked: { deletePolicies: known }, fault }
    },
  },
  {
    key: 'werf.io/delete-propagation',
    pattern: /^werf\.io\/delete-propagation$/,
    form: 'Foreground, Background or Orphan',
    default: 'Foreground',
    verbs: 'all',
    meaning: 'What happens to what the object owns when it is deleted: deleted first, deleted afterwards, or left.',
    differs: '',
    severity: 'error',
    parse: (value) => {
      const read = readChoice(value.trim(), propagations)
      return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: { deletePropagation: read.value } }
    },
  },
  {
    key: 'werf.io/resource-policy',
    pattern: /^werf\.io\/resource-policy$/,
    form: 'a comma list of keep, skip-delete, skip-create, skip-update, skip-recreate',
    default: 'none',
    verbs: 'all',
    meaning:
      'keep, skip-delete: never deleted, for any reason. skip-create, skip-update, skip-recreate: that change is not made, and the plan says so.',
    differs:
      'A helm.sh/resource-policy: keep on the same object still applies, because nothing may delete such an object. keep also stops recreation; in nelm it does not.',
    severity: 'error',
    parse: (value) => {
      const { known, fault } = readChoices(value, resourcePolicies)
      const skips = known.filter((policy) => policy !== 'delete')
      const asked = known.includes('delete') ? { skips, keep: true } : { skips }
      return fault === undefined ? { asked } : { asked, fault }
    },
  },
  {
    key: 'werf.io/replicas-on-creation',
    pattern: /^werf\.io\/replicas-on-creation$/,
    form: 'an integer from 0 on in quotes, as "3"',
    default: 'none',
    verbs: 'install, upgrade, rollback',
    meaning: 'spec.replicas when the object is created; afterwards the chart leaves the field alone (for autoscalers).',
    differs: '',
    severity: 'error',
    parse: (value) => {
      const read = readInteger(value.trim(), { min: 0 })
      return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: { replicasOnCreation: read.value } }
    },
  },
  {
    key: 'werf.io/sensitive',
    pattern: /^werf\.io\/sensitive$/,
    form: '"true" or "false"',
    default: '"true" for Secrets, else "false"',
    verbs: 'all',
    meaning: 'Whether the values of the object are hidden in plans, logs and comments.',
    differs:
      '"false" shows of a Secret only what the chart itself says: what another Secret, an earlier one without this annotation, the live object alone, or lookup has stays hidden.',
    severity: 'error',
    parse: (value) => {
      const read = readBoolean(value.trim())
      return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: { sensitive: read.value } }
    },
  },
  {
    key: 'werf.io/sensitive-paths',
    pattern: /^werf\.io\/sensitive-paths$/,
    form: 'a comma list of JSONPath, as "data.password,spec.env[*].value"; a comma within a path as \\,',
    default: 'none',
    verbs: 'all',
    meaning: 'Values at these paths are hidden in plans, logs and comments.',
    differs: 'The other values of a Secret stay hidden as well; in nelm only these paths are then.',
    severity: 'error',
    parse: sensitivePaths,
  },
]

/** What hides values; also read of objects that are no resources of the release. */
export const sensitivityRows: readonly Row[] = rows.filter(
  ({ key }) => key === 'werf.io/sensitive' || key === 'werf.io/sensitive-paths',
)

/**
 * werf and nelm. Words are case-sensitive, values are trimmed, as nelm does. Source: docs/sources.md#nelm-annotations.
 */
export const werf: Dialect = {
  name: 'werf and nelm',
  domain: 'werf.io',
  family: /^(?:[^/]+\.)?werf\.io(?:\/|$)/,
  rows: [...rows, ...dependencyRows, ...trackingRows],
}

const ownerships: ReadonlyMap<string, 'release' | 'anyone'> = new Map<string, 'release' | 'anyone'>([
  ['release', 'release'],
  ['anyone', 'anyone'],
])

const deletePolicies: ReadonlyMap<string, DeletePolicy> = new Map<string, DeletePolicy>([
  ['before-creation', 'before-creation'],
  ['before-creation-if-immutable', 'before-creation-if-immutable'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
])

const propagations: ReadonlyMap<string, DeletePropagation> = new Map<string, DeletePropagation>([
  ['Foreground', 'Foreground'],
  ['Background', 'Background'],
  ['Orphan', 'Orphan'],
])

type Skip = 'create' | 'update' | 'recreate'

const resourcePolicies: ReadonlyMap<string, Skip | 'delete'> = new Map<string, Skip | 'delete'>([
  ['skip-create', 'create'],
  ['skip-update', 'update'],
  ['skip-recreate', 'recreate'],
  ['skip-delete', 'delete'],
  ['keep', 'delete'],
])

/** In nelm the leading dot is optional: `data.password`. */
function sensitivePaths(value: string): ReturnType<NonNullable<Row['parse']>> {
  const paths = value.split(/(?<!\\),/).map((path) => path.trim().replaceAll('\\,', ','))
  const known: string[] = []
  const faults: string[] = []
  for (const path of paths) {
    const rooted = /^[\w*]/.test(path) ? `.${path}` : path
    const parsed = parseJsonPath(rooted)
    if ('error' in parsed) faults.push(`JSONPath "${shortValue(path)}": ${parsed.error}`)
    else known.push(rooted)
  }
  const asked = { sensitivePaths: known }
  return faults.length === 0 ? { asked } : { asked, fault: faults.join('; ') }
}
