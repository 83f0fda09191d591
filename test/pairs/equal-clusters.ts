import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { stepsOf } from '../../src/manifest/json-pointer.ts'
import {
  arrayAt,
  at,
  isJsonArray,
  type JsonValue,
  type KubeObject,
  numberAt,
  stringAt,
} from '../../src/model/object.ts'
import type { HelmVersion } from './helm-templates.ts'
import type { Snapshot } from './snapshot.ts'

/** One twin before and after its upgrade. */
export interface Upgraded {
  readonly before: Snapshot
  readonly after: Snapshot
}

export interface Twins {
  readonly helm: HelmVersion
  readonly ours: Upgraded
  readonly helms: Upgraded
  /** Kinds and names (`Kind/name`) that come from the folder `crds/`. */
  readonly crdsFolder: ReadonlySet<string>
  /** Those that the old chart had among its objects, and the new one has as hooks. */
  readonly becameHooks: ReadonlySet<string>
  /** Whether two renders of the new chart differ in anything, names included. */
  readonly varies: boolean
  /** What two renders of the new chart have different: JSON pointers by `Kind/name`. */
  readonly random: ReadonlyMap<string, readonly string[]>
}

/** Where the twins differ after the upgrade, and which rules let differences pass. */
export interface Comparison {
  readonly differences: readonly string[]
  readonly tolerated: readonly string[]
}

/** One place where the twins differ. An empty path: one of them has no such object. */
interface Difference {
  readonly key: string
  readonly path: string
}

interface Rule {
  /** For the table. */
  readonly name: string
  readonly allows: (difference: Difference, twins: Twins) => boolean
}

/**
 * The status and what the API server alone keeps in `metadata` (uid, resourceVersion, managedFields, ...) are no part of
 * the comparison. Each further difference that may be needs a rule.
 */
const RULES: readonly Rule[] = [
  // Each cluster gives its own addresses, ports, uids and volumes.
  { name: 'server-chosen', allows: isServerChosen },
  // Passwords and certificates: the two installs came out otherwise. Both upgrades keep it, or neither does.
  { name: 'random', allows: isRandom },
  // Helm installs crds/ once and never touches it again; the action updates what serves more.
  { name: 'crds/', allows: ({ key }, { crdsFolder }) => crdsFolder.has(key) },
  // Helm 3 trims what follows the last line of a document. The action renders as Helm 4, which keeps it.
  { name: "Helm 3's last newlines", allows: hasOtherEnd },
  // A strategic merge patch knows the ports of a Service by their numbers: of TCP and UDP on one port, one is lost.
  { name: "Helm 3's merge of ports", allows: isLostPort },
  // Helm runs the hook, and in the end deletes its object as one that the chart has no longer.
  { name: 'became a hook', allows: ({ key, path }, twins) => path === '' && isKeptHook(key, twins) },
]

export function compareTwins(twins: Twins): Comparison {
  const found = differencesOf(twins).map((difference) => ({
    difference,
    rule: RULES.find(({ allows }) => allows(difference, twins)),
  }))
  return {
    differences: found.flatMap(({ difference, rule }) => (rule === undefined ? [told(difference, twins)] : [])),
    tolerated: [...new Set(found.flatMap(({ rule }) => rule?.name ?? []))].toSorted(),
  }
}

function differencesOf({ ours, helms }: Twins): readonly Difference[] {
  const keys = [...new Set([...ours.after.keys(), ...helms.after.keys()])].toSorted()
  return keys.flatMap((key): readonly Difference[] => {
    const [a, b] = [ours.after.get(key), helms.after.get(key)]
    if (a === undefined || b === undefined) return [{ key, path: '' }]
    return changedPaths(a, b).map((path) => ({ key, path }))
  })
}

function hasOtherEnd({ key, path }: Difference, { helm, ours, helms }: Twins): boolean {
  const texts = [ours, helms].map(({ after }) => valueAt(after.get(key), path)?.replace(/(\\n)*"$/, ''))
  return helm === 'helm3' && key.startsWith('ConfigMap/') && texts[0] !== undefined && texts[0] === texts[1]
}

function isLostPort({ key, path }: Difference, { helm, ours, helms }: Twins): boolean {
  if (helm !== 'helm3' || !key.startsWith('Service/') || !path.startsWith('/spec/ports/')) return false
  const portsOf = ({ after }: Upgraded) =>
    arrayAt(after.get(key), 'spec', 'ports').map((port) => [numberAt(port, 'port'), stringAt(port, 'protocol')].join())
  const [all, left] = [portsOf(ours), portsOf(helms)]
  const numbers = all.map((port) => port.split(',')[0])
  return left.length < all.length && left.every((port) => all.includes(port)) && new Set(numbers).size === left.length
}

function isKeptHook(key: string, { ours, becameHooks }: Twins): boolean {
  return becameHooks.has(key) && ours.after.has(key)
}

function isRandom({ key, path }: Difference, { ours, helms, random }: Twins): boolean {
  if (path === '') return false
  const [ourOld, helmsOld] = [ours.before.get(key), helms.before.get(key)]
  if (ourOld === undefined || helmsOld === undefined) return random.get(key)?.includes(path) === true
  const isKept = (twin: Upgraded) => valueAt(twin.before.get(key), path) === valueAt(twin.after.get(key), path)
  const differedBefore = valueAt(ourOld, path) !== valueAt(helmsOld, path)
  return (differedBefore || random.get(key)?.includes(path) === true) && isKept(ours) === isKept(helms)
}

/** Values that the API server or a controller makes up where the chart names none. */
const CHOSEN: { readonly [kind: string]: RegExp } = {
  Service: /^\/spec\/(clusterIP|clusterIPs\/\d+|healthCheckNodePort|ports\/\d+\/nodePort)$/,
  Job: /^\/(spec\/selector|metadata\/labels|spec\/template\/metadata\/labels)\/.*controller-uid$/,
  PersistentVolumeClaim: /^\/spec\/volumeName$/,
}

/** On both sides, but for that which one of them kept. */
function isServerChosen({ key, path }: Difference, { ours, helms }: Twins): boolean {
  const pattern = CHOSEN[key.slice(0, key.indexOf('/'))]
  if (pattern?.test(path) !== true) return false
  return [ours, helms].every(({ after }) => valueAt(after.get(key), path) !== undefined)
}

function told({ key, path }: Difference, { ours, helms }: Twins): string {
  const [a, b] = [ours.after.get(key), helms.after.get(key)]
  if (a === undefined || b === undefined) return `${key}: ${a === undefined ? "only Helm's" : 'only ours'}`
  return `${key} ${path}: ours ${valueAt(a, path)}, Helm's ${valueAt(b, path)}`
}

/** As JSON; undefined where there is none. */
export function valueAt(object: KubeObject | undefined, path: string): string | undefined {
  if (object === undefined) return undefined
  let value: JsonValue | undefined = withoutBookkeeping(object)
  for (const step of stepsOf(path)) value = at(value, isJsonArray(value) ? Number(step) : step)
  return value === undefined ? undefined : JSON.stringify(value)
}
