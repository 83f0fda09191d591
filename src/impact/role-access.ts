import { builtInKind } from '../manifest/built-in-kinds.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { defined } from '../model/defined.ts'
import type { Access, Account, BoundRole, Grant, Permission } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { type Ref, refOfObject } from '../model/ref.ts'
import {
  accountMarks,
  accountsNotIn,
  aggregatedInto,
  boundAccounts,
  boundRole,
  roleOfBinding,
  subjectsOf,
} from './accounts.ts'
import { permissionChanges, type Rules } from './permissions.ts'
import type { ReleaseObjects, Releases } from './release-objects.ts'
import { selects } from './selectors.ts'

interface Sides {
  readonly before: JsonObject | undefined
  readonly after: JsonObject | undefined
}

/**
 * What accounts gain and lose by a role or a binding that appears, changes or goes; undefined where nothing of it does.
 * See docs/decisions/0038.
 */
export function accessOf(ref: Ref, sides: Sides, releases: Releases): Access | undefined {
  switch (builtInKind(ref)?.kind) {
    case 'Role':
    case 'ClusterRole':
      return unlessSilent(roleAccess(ref, sides, releases))
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return unlessSilent(bindingAccess(sides, releases))
    default:
      return undefined
  }
}

/** Whether somebody may do more than before, or might. */
export function hasGains({ aggregation, gained, rules, unbound }: Access): boolean {
  if (unbound === 'new') return false
  return gained.length > 0 || rules === 'too-large' || aggregation === 'added' || aggregation === 'changed'
}

function roleAccess(ref: Ref, { after, before }: Sides, releases: Releases): Access {
  const aggregation = aggregationOf(at(before, 'aggregationRule'), at(after, 'aggregationRule'))
  const [old, now] = [rulesOf(ref, before), rulesOf(ref, after)]
  const changes = permissionChanges(old, now)
  if (changes === undefined) return { gained: [], lost: [], rules: 'too-large', ...defined({ aggregation }) }
  const collected = { before: aggregatedInto(before), after: aggregatedInto(after) }
  // Who begins to collect a role that was there already gains all of it, whatever changes in it.
  const [joined, left] =
    before === undefined || after === undefined
      ? [[], []]
      : [accountsNotIn(collected.after, collected.before), accountsNotIn(collected.before, collected.after)]
  const isSame =
    before !== undefined &&
    after !== undefined &&
    changes.gained.length + changes.lost.length === 0 &&
    canonicalJson(old.list) !== canonicalJson(now.list)
  const holders = (role: Ref, bindings: ReleaseObjects['bindings'], collectors: readonly Account[]) => [
    ...boundAccounts(role, bindings),
    ...collectors,
  ]
  const isUnbound = boundAccounts(ref, releases.after.bindings).length === 0 && !isCollected(after, releases.after)
  const isCollecting = aggregation === 'added' || aggregation === 'changed'
  return {
    gained: [
      ...grant(changes.gained, holders(ref, releases.after.bindings, accountsNotIn(collected.after, joined))),
      ...(joined.length === 0 ? [] : grant(permissionsOf(now), joined)),
    ],
    lost: [
      ...grant(changes.lost, holders(ref, releases.before.bindings, accountsNotIn(collected.before, left))),
      ...(left.length === 0 ? [] : grant(permissionsOf(old), left)),
    ],
    ...(isSame ? { rules: 'same' } : {}),
    ...defined({ aggregation }),
    ...(isUnbound && (changes.gained.length > 0 || isCollecting)
      ? { unbound: before === undefined ? 'new' : 'outside' }
      : {}),
  }
}

/** By a label it may be collected by a role of others, too. */
function isCollected(role: JsonObject | undefined, { roles }: ReleaseObjects): boolean {
  const labels = at(role, 'metadata', 'labels')
  if (!isJsonObject(labels)) return false
  const selectors = roles.flatMap((one) => arrayAt(one, 'aggregationRule', 'clusterRoleSelectors'))
  const isForOthers = Object.keys(labels).some((key) => key.includes('/aggregate-to-'))
  return isForOthers || selectors.some((selector) => selects(selector, labels))
}

function bindingAccess({ after, before }: Sides, releases: Releases): Access {
  const given = { before: bound(before), after: bound(after) }
  const [old, now] = [given.before.role, given.after.role]
  const isSameRole = old?.kind === now?.kind && old?.name === now?.name
  const gained = isSameRole ? accountsNotIn(given.after.accounts, given.before.accounts) : given.after.accounts
  const lost = isSameRole ? accountsNotIn(given.before.accounts, given.after.accounts) : given.before.accounts
  // A role that comes or goes with its binding says itself who gains or loses what.
  return {
    gained: bindingGrant(gained, given.after, permissionsOfRole(after, releases.after, releases.before)),
    lost: bindingGrant(lost, given.before, permissionsOfRole(before, releases.before, releases.after)),
  }
}

interface Given {
  readonly accounts: readonly Account[]
  readonly role: BoundRole | undefined
}

function bound(binding: JsonObject | undefined): Given {
  return binding === undefined
    ? { accounts: [], role: undefined }
    : { accounts: subjectsOf(binding), role: boundRole(binding) }
}

function bindingGrant(
  accounts: readonly Account[],
  { role }: Given,
  permissions: readonly Permission[],
): readonly Grant[] {
  if (accounts.length === 0) return []
  return [{ ...defined({ role }), ...bounded(permissions), accounts, marks: accountMarks(accounts, role) }]
}

function permissionsOfRole(
  binding: JsonObject | undefined,
  release: ReleaseObjects,
  other: ReleaseObjects,
): readonly Permission[] {
  const role = binding === undefined ? undefined : roleOfBinding(binding, release.roles)
  if (binding === undefined || role === undefined || roleOfBinding(binding, other.roles) === undefined) return []
  return permissionsOf(rulesOf(refOfObject(role), role))
}

function permissionsOf(rules: Rules): readonly Permission[] {
  return permissionChanges({ ...rules, list: [] }, rules)?.gained ?? []
}

function grant(permissions: readonly Permission[], accounts: readonly Account[]): readonly Grant[] {
  if (permissions.length === 0) return []
  return [{ ...bounded(permissions), accounts, marks: accountMarks(accounts, undefined) }]
}

/** More permissions than anybody reads in a plan. */
const MAX_PERMISSIONS = 200

function bounded(all: readonly Permission[]): Pick<Grant, 'permissions' | 'omitted'> {
  const permissions = all.slice(0, MAX_PERMISSIONS)
  return permissions.length === all.length ? { permissions } : { permissions, omitted: all.length - permissions.length }
}

/** The rules of a role that collects others are written by a controller, not by the chart. */
function rulesOf(ref: Ref, role: JsonObject | undefined): Rules {
  const isCollected = at(role, 'aggregationRule') !== undefined
  return { list: isCollected ? [] : arrayAt(role, 'rules'), isNamespaced: ref.kind === 'Role' }
}

function aggregationOf(before: JsonValue | undefined, after: JsonValue | undefined): Access['aggregation'] {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return undefined
  if (before === undefined || before === null) return 'added'
  return after === undefined || after === null ? 'removed' : 'changed'
}

function unlessSilent(access: Access): Access | undefined {
  const isSilent = access.gained.length + access.lost.length === 0
  return isSilent && access.rules === undefined && access.aggregation === undefined ? undefined : access
}
