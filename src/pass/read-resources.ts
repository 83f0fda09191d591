import { booleanKeys } from '../directives/dialects.ts'
import { directivesOf } from '../directives/read-directives.ts'
import { toManifests } from '../manifest/scope.ts'
import type { Resource } from '../model/directives.ts'
import type { Problem } from '../model/problem.ts'
import type { RenderedDocument } from '../model/rendered.ts'
import type { Discovery } from '../ports.ts'

/** Parsed documents as resources, with all problems of all of them. */
export function readResources(
  templates: readonly RenderedDocument[],
  crds: readonly RenderedDocument[],
  context: { readonly namespace: string; readonly discovery: Discovery; readonly isPlainManifests: boolean },
): { readonly resources: readonly Resource[]; readonly problems: readonly Problem[] } {
  const documents = [
    ...crds.map((document) => ({ ...document, source: 'crds' as const })),
    ...templates.map((document) => ({ ...document, source: 'template' as const })),
  ]
  const { manifests, problems } = toManifests(documents, {
    namespace: context.namespace,
    served: context.discovery.kinds,
    booleanKeys,
  })
  const read = directivesOf(manifests, { isPlainManifests: context.isPlainManifests })
  return { resources: read.resources, problems: [...problems, ...read.problems] }
}
