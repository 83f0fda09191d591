import type { KubeObject } from '../model/object.ts'

/**
 * Whether the object is what a lagging watch still shows: its state before our own write. Resource versions of one
 * resource compare as numbers (Kubernetes documents it since 1.35, and every API server has always counted so); where one
 * is no number, another uid is the only sign.
 */
export function isStale(object: KubeObject, written: KubeObject | undefined): boolean {
  if (written === undefined) return false
  const seen = object.metadata.resourceVersion ?? ''
  const own = written.metadata.resourceVersion ?? ''
  if (!/^\d+$/.test(seen) || !/^\d+$/.test(own)) return object.metadata.uid !== written.metadata.uid
  return seen.length === own.length ? seen < own : seen.length < own.length
}
