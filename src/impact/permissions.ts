import type { Permission } from '../model/impact.ts'
import { arrayAt, type JsonValue } from '../model/object.ts'
import { withoutEnd } from '../model/trim-end.ts'
import { type Box, boxDifferences, type Covering } from './coverage.ts'
import { permissionMarks } from './permission-marks.ts'

/** Rules of a role. A namespaced one has no say over objects of the cluster, whatever it lists. */
export interface Rules {
  readonly list: readonly JsonValue[]
  readonly isNamespaced: boolean
}

export interface PermissionChanges {
  readonly gained: readonly Permission[]
  readonly lost: readonly Permission[]
}

/**
 * What rules allow that the rules before did not, and the other way round; undefined where there are too many to compare.
 * Rules only add up, so their order and their grouping do not count. Source: docs/sources.md#kubernetes-rbac-rules.
 */
export function permissionChanges(before: Rules, after: Rules): PermissionChanges | undefined {
  const onResources = boxDifferences(resourceBoxes(before.list), resourceBoxes(after.list), resourceCovering)
  const onUrls = boxDifferences(urlBoxes(before.list), urlBoxes(after.list), urlCovering)
  if (onResources === undefined || onUrls === undefined) return undefined
  return {
    gained: [...onResources.gained.map(onResource(after)), ...onUrls.gained.map(onUrl)].sort(byMarks),
    lost: [...onResources.lost.map(onResource(before)), ...onUrls.lost.map(onUrl)].sort(byMarks),
  }
}

/** Stands for objects of any name; no object is called so. */
const ANY_NAME = ''

/** Verbs, API groups, resources, names of objects. */
function resourceBoxes(rules: readonly JsonValue[]): readonly Box[] {
  return rules.map((rule) => {
    const names = textsAt(rule, 'resourceNames')
    const [verbs, groups, resources] = [textsAt(rule, 'verbs'), textsAt(rule, 'apiGroups'), textsAt(rule, 'resources')]
    return [verbs, groups, resources, names.length === 0 ? [ANY_NAME] : names]
  })
}

/** Verbs and paths. Only stars at the end stand for more, and several stand for as much as one. */
function urlBoxes(rules: readonly JsonValue[]): readonly Box[] {
  return rules.map((rule) => [
    textsAt(rule, 'verbs'),
    textsAt(rule, 'nonResourceURLs').map((url) => (url.endsWith('*') ? `${withoutEnd(url, '*')}*` : url)),
  ])
}

const orAny = (value: string): readonly string[] => (value === '*' ? ['*'] : [value, '*'])

const resourceCovering: Covering = [
  orAny,
  orAny,
  (resource) => {
    const slash = resource.indexOf('/')
    const ofAny = slash === -1 ? [] : [`*${resource.slice(slash)}`]
    return [...new Set([resource, ...ofAny, '*'])]
  },
  (name) => (name === ANY_NAME ? [name] : [name, ANY_NAME]),
]

const urlCovering: Covering = [
  orAny,
  (url) => [
    ...new Set([
      url,
      ...Array.from({ length: Math.min(url.length, MAX_URL_CHARS) + 1 }, (_, end) => `${url.slice(0, end)}*`),
    ]),
  ],
]

/** A longer path is covered by its beginnings up to here only. */
const MAX_URL_CHARS = 200

function onResource({ isNamespaced }: Rules): (box: Box) => Permission {
  return ([verbs = [], apiGroups = [], resources = [], names = []]) => {
    const isAny = names.includes(ANY_NAME)
    const permission = { verbs: inOrder(verbs), apiGroups, resources, ...(isAny ? {} : { resourceNames: names }) }
    return { ...permission, marks: permissionMarks(permission, isNamespaced) }
  }
}

function onUrl([verbs = [], nonResourceURLs = []]: Box): Permission {
  const isWide = verbs.includes('*') || nonResourceURLs.some((url) => url === '*' || url === '/*')
  return { verbs: inOrder(verbs), nonResourceURLs, marks: isWide ? ['wildcard'] : [] }
}

/** As the documentation of Kubernetes lists them. */
const VERBS = ['*', 'get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

function inOrder(verbs: readonly string[]): readonly string[] {
  const place = (verb: string) => (VERBS.includes(verb) ? VERBS.indexOf(verb) : VERBS.length)
  return verbs.toSorted((a, b) => place(a) - place(b))
}

/** The riskiest first; of equal ones as they stand in the role. */
function byMarks(a: Permission, b: Permission): number {
  return b.marks.length - a.marks.length
}

function textsAt(rule: JsonValue, field: string): readonly string[] {
  return [...new Set(arrayAt(rule, field).filter((value) => typeof value === 'string'))]
}
