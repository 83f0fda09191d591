import { compareForInstall } from '../manifest/kind-order.ts'
import { resolveType } from '../manifest/resolve-type.ts'
import { defined } from '../model/defined.ts'
import type { ExternalDependency, Resource } from '../model/directives.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, type Ref, refKey } from '../model/ref.ts'
import type { StageContext } from './context.ts'
import type { DraftRank } from './draft.ts'
import type { PlanInput } from './plan-input.ts'
import { trackingOf } from './tracking.ts'

/**
 * Waits for the resources outside the release that these resources depend on, each once: they come before anything of
 * the weight group, until present and ready (docs/sources.md#werf-deployment-order, docs/decisions/0004).
 */
export function externalAwaits(
  resources: readonly Resource[],
  { input, stage, hook }: StageContext,
): { readonly rank: DraftRank; readonly problems: readonly Problem[] } {
  // Of several that name the same one, the first in this order gives the file and the tracking.
  const sorted = resources.toSorted((a, b) => compareForInstall(a.manifest.ref, b.manifest.ref))
  const needed = sorted.flatMap((resource) =>
    resource.directives.externalDependencies.map((dependency) => {
      const ref = externalRef(dependency, input)
      return { resource, dependency, ref }
    }),
  )
  const problems = needed.flatMap(({ ref, resource, dependency }) =>
    ref === undefined ? [unknownType(resource, dependency)] : [],
  )
  const firstNeed = new Map<string, { readonly ref: Ref; readonly resource: Resource }>()
  for (const { ref, resource } of needed) {
    if (ref !== undefined && !firstNeed.has(refKey(ref))) firstNeed.set(refKey(ref), { ref, resource })
  }
  const rank = [...firstNeed]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, { ref, resource }]) => ({
      operation: {
        id: `${stage}/await-external/${key}`,
        ref,
        file: resource.manifest.origin.file,
        ...defined({ hook }),
        kind: 'await' as const,
        until: 'ready' as const,
        failure: 'stop' as const,
        tracking: trackingOf(resource.directives),
        isExternal: true,
      },
    }))
  return { rank, problems }
}

function externalRef(dependency: ExternalDependency, input: PlanInput): Ref | undefined {
  const kind = resolveType(dependency.type, input.served)
  if (kind === undefined) return undefined
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  const ref = { apiVersion, kind: kind.kind, name: dependency.name }
  return kind.isNamespaced ? { ...ref, namespace: dependency.namespace ?? input.namespace } : ref
}

function unknownType(resource: Resource, dependency: ExternalDependency): Problem {
  const { origin, ref } = resource.manifest
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: { file: origin.file, ref, key: dependency.key },
    what: `the cluster serves no resource type "${dependency.type}"`,
    hint: { kind: 'type-that-is-served' },
  }
}
