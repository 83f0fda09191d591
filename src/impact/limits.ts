import { builtInKind } from '../manifest/built-in-kinds.ts'
import { quantityOf } from '../manifest/quantity.ts'
import type { ObjectEffect } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonValue, type KubeObject, numberAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { Sides } from './network-policies.ts'
import { podSpecOf, type ReleaseObjects } from './release-objects.ts'

/** A limit as it is written, by its name: `requests.cpu` of a quota, `Container max memory` of a LimitRange. */
type Limits = ReadonlyMap<string, string>

/**
 * What a ResourceQuota or a LimitRange comes to allow less of, and what of it is less than the pods of the release ask for:
 * they are refused. Source: docs/sources.md#kubernetes-effects-on-others.
 */
export function limitEffects(ref: Ref, { after, before }: Sides, release: ReleaseObjects): readonly ObjectEffect[] {
  const isQuota = builtInKind(ref)?.kind === 'ResourceQuota'
  const limitsOf = isQuota ? hardOf : maximaOf
  const [old, now] = [limitsOf(before), limitsOf(after)]
  const workloads = release.all.filter(({ metadata }) => metadata.namespace === ref.namespace)
  // A quota with scopes counts some pods only.
  const isScoped = arrayAt(after, 'spec', 'scopes').length > 0 || at(after, 'spec', 'scopeSelector') !== undefined
  const changed = [...now].filter(([name, limit]) => old.get(name) !== limit)
  const tooLow = changed.flatMap(([name, limit]): readonly ObjectEffect[] => {
    const asked = isQuota ? (isScoped ? undefined : sumOf(name, workloads)) : largestOf(name, workloads)
    return asked !== undefined && isMore(asked, limit)
      ? [{ effect: 'less-than-asked', names: [name], before: asked, after: limit }]
      : []
  })
  const told = new Set(tooLow.flatMap(({ names = [] }) => names))
  const tighter = changed.filter(([name, limit]) => !told.has(name) && isMore(old.get(name), limit))
  const names = tighter.map(([name]) => name)
  return [...tooLow, ...(names.length === 0 ? [] : [{ effect: 'limit-tighter' as const, names }])]
}

function isMore(one: string | undefined, other: string): boolean {
  const [a, b] = [quantityOf(one), quantityOf(other)]
  return a !== undefined && b !== undefined && a > b
}

function hardOf(quota: JsonValue | undefined): Limits {
  return textsOf(at(quota, 'spec', 'hard'), '')
}

function maximaOf(range: JsonValue | undefined): Limits {
  return new Map(
    arrayAt(range, 'spec', 'limits').flatMap((one) => [...textsOf(at(one, 'max'), `${String(at(one, 'type'))} max `)]),
  )
}

function textsOf(map: JsonValue | undefined, lead: string): Limits {
  return new Map(
    Object.entries(isJsonObject(map) ? map : {}).map(([name, value]) => [`${lead}${name}`, String(value)] as const),
  )
}

/** What all pods of workloads that keep running ask for together; `cpu` and `memory` of a quota are requests. */
function sumOf(name: string, workloads: readonly KubeObject[]): string | undefined {
  const running = workloads.flatMap((one) => {
    const [spec, replicas] = [podSpecOf(one), numberAt(one, 'spec', 'replicas') ?? 1]
    const kind = builtInKind(one)?.kind ?? ''
    return spec === undefined || !COUNTED.has(kind) ? [] : [{ spec, replicas }]
  })
  if (running.length === 0) return undefined
  if (name === 'pods') return String(running.reduce((sum, { replicas }) => sum + replicas, 0))
  const [, list = 'requests', resource] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(name) ?? []
  if (resource === undefined) return undefined
  const total = running.reduce((sum, { replicas, spec }) => {
    const ofPod = arrayAt(spec, 'containers').reduce<number>((all, one) => all + askedBy(one, list, resource), 0)
    return sum + ofPod * replicas
  }, 0)
  return spelled(total, resource)
}

/** Kinds of which all pods run at the same time, in a number that the object says. */
const COUNTED: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
])

/** A LimitRange judges each container by itself. */
function largestOf(name: string, workloads: readonly KubeObject[]): string | undefined {
  const [, resource] = /^Container max (cpu|memory)$/.exec(name) ?? []
  if (resource === undefined) return undefined
  const asked = workloads.flatMap((one) =>
    ['initContainers', 'containers'].flatMap((list) =>
      arrayAt(podSpecOf(one), list).map((container) => askedBy(container, 'limits', resource)),
    ),
  )
  return asked.length === 0 ? undefined : spelled(Math.max(...asked), resource)
}

/** A container with a limit and no request asks for its limit. */
function askedBy(container: JsonValue, list: string, resource: string): number {
  const limit = at(container, 'resources', 'limits', resource)
  const own = at(container, 'resources', list, resource) ?? (list === 'requests' ? limit : undefined)
  return quantityOf(own === undefined ? undefined : String(own)) ?? 0
}

const GI = 1024 ** 3
const MI = 1024 ** 2

function spelled(amount: number, resource: string): string {
  if (resource === 'cpu') return Number.isInteger(amount) ? String(amount) : `${Math.round(amount * 1000)}m`
  if (amount % GI === 0) return `${amount / GI}Gi`
  return amount % MI === 0 ? `${amount / MI}Mi` : String(amount)
}
