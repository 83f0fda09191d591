import { arrayAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'

export const CONTAINER_LISTS: ReadonlySet<string> = new Set(['containers', 'initContainers'])

/**
 * Containers that have another name now, by the name of before: one goes and one with the same image comes. To Kubernetes
 * they are two, because the name is the merge key of the list (source: `PodSpec` in the API reference of Kubernetes), and
 * one is started in the place of the other: to a reader it is one container. None where several could be meant.
 */
export function renamedContainers(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ReadonlyMap<string, string> {
  const [old, now] = [imagesByName(before), imagesByName(after)]
  const gone = Map.groupBy(
    [...old.keys()].filter((name) => !now.has(name)),
    (name) => old.get(name),
  )
  const come = Map.groupBy(
    [...now.keys()].filter((name) => !old.has(name)),
    (name) => now.get(name),
  )
  return new Map(
    [...gone].flatMap(([image, [from, ...others]]) => {
      const [to, ...more] = come.get(image) ?? []
      const isOne = others.length + more.length === 0
      return isOne && from !== undefined && to !== undefined ? [[from, to] as const] : []
    }),
  )
}

/** The pod as it was, with the names that its containers have now. */
export function withNewContainerNames(before: JsonObject, after: JsonObject): JsonObject {
  const lists = [...CONTAINER_LISTS].flatMap((list) => {
    const names = renamedContainers(arrayAt(before, list), arrayAt(after, list))
    if (names.size === 0) return []
    const renamed = arrayAt(before, list).map((one) => {
      const name = isJsonObject(one) ? names.get(stringAt(one, 'name') ?? '') : undefined
      return isJsonObject(one) && name !== undefined ? { ...one, name } : one
    })
    return [[list, renamed] as const]
  })
  return lists.length === 0 ? before : { ...before, ...Object.fromEntries(lists) }
}

function imagesByName(containers: readonly JsonValue[]): ReadonlyMap<string, string> {
  return new Map(
    containers.flatMap((one) => {
      const [name, image] = [stringAt(one, 'name'), stringAt(one, 'image')]
      return name === undefined || image === undefined ? [] : [[name, image] as const]
    }),
  )
}
