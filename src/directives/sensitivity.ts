import type { Directives } from '../model/directives.ts'
import { isJsonObject, type KubeObject } from '../model/object.ts'
import { sensitivityRows } from './werf.ts'

export type Sensitivity = Pick<Directives, 'sensitive' | 'sensitivePaths'>

/** What the object itself says of its values. What cannot be read says nothing. */
export function sensitivityOf({ metadata }: KubeObject): Sensitivity {
  const annotations = isJsonObject(metadata?.annotations) ? metadata.annotations : {}
  const asked = sensitivityRows.map(({ key, parse }) => {
    const value = annotations[key]
    return typeof value === 'string' ? parse?.(value, { groups: {}, annotations: new Map() }).asked : undefined
  })
  return Object.assign({ sensitivePaths: [] }, ...asked)
}
