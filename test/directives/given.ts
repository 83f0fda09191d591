import { directivesOf } from '../../src/directives/read-directives.ts'
import type { Directives, Resource } from '../../src/model/directives.ts'
import type { Manifest } from '../../src/model/manifest.ts'
import type { Problem } from '../../src/model/problem.ts'
import { formatRef } from '../../src/model/ref.ts'
import { hintText } from '../../src/report/words/hint-text.ts'

export interface Annotations {
  readonly [key: string]: string
}

export interface Shape {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly source?: Manifest['source']
  readonly line?: number
  readonly isPlainManifests?: boolean
}

export function manifest(annotations: Annotations, shape: Shape = {}): Manifest {
  const { apiVersion = 'batch/v1', kind = 'Job', name = 'db', source = 'template', line = 3 } = shape
  const metadata = { name, namespace: 'shop', annotations }
  return {
    ref: { apiVersion, kind, namespace: 'shop', name },
    object: { apiVersion, kind, metadata },
    origin: { file: 'shop/templates/db.yaml', line },
    source,
  }
}

/** What one object with these annotations gives. */
export function read(
  annotations: Annotations,
  shape: Shape = {},
): Resource & { readonly problems: readonly Problem[] } {
  const { resources, problems } = directivesOf([manifest(annotations, shape)], {
    isPlainManifests: shape.isPlainManifests ?? false,
  })
  const [resource] = resources
  if (resource === undefined) throw new Error('the object was left out')
  return { ...resource, problems }
}

export function directives(annotations: Annotations, shape: Shape = {}): Directives {
  return read(annotations, shape).directives
}

/** `install/pre upgrade/post`. */
export function occasions(annotations: Annotations, shape: Shape = {}): string {
  return directives(annotations, shape)
    .occasions.map(({ verb, stage }) => `${verb}/${stage}`)
    .join(' ')
}

/** `error: what; hint`, one per problem. */
export function faults(annotations: Annotations, shape: Shape = {}): readonly string[] {
  return read(annotations, shape).problems.map(
    (problem) => `${problem.severity}: ${placed(problem)}; ${problem.hint === undefined ? '' : hintText(problem.hint)}`,
  )
}

/** What is wrong behind the place where it is, as every printer shows it. */
export function placed({ place, what }: Problem): string {
  const ref = place.ref === undefined ? '' : `${formatRef(place.ref)}: `
  return place.key === undefined ? what : `${ref}${place.key} ${what}`
}
