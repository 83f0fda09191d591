import type { KubeObject } from '../model/object.ts'
import { dialects } from './dialects.ts'
import { annotationsOf } from './read-annotations.ts'

/** Keys of the live objects whose annotations keep them from being deleted, whatever the chart says. */
export function keptIn(live: ReadonlyMap<string, KubeObject>): ReadonlySet<string> {
  return new Set([...live].flatMap(([key, object]) => (asksToBeKept(object) ? [key] : [])))
}

function asksToBeKept(object: KubeObject): boolean {
  const annotations = [...annotationsOf(object)]
  return keeping.some((row) => annotations.some(([key, value]) => row.pattern.test(key) && row.keepsLive?.(value)))
}

const keeping = dialects.flatMap(({ rows }) => rows.filter((row) => row.keepsLive !== undefined))
