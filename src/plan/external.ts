import { resolveType } from '../manifest/resolve-type.ts'
import { defined } from '../model/defined.ts'
import type { ExternalDependency, Resource } from '../model/directives.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, type Ref, refKey } from '../model/ref.ts'
import type { Spot } from './operations.ts'
import type { PlanInput } from './plan-input.ts'
import { type Planning, uniqueId } from './planning.ts'
import { trackingOf } from './tracking.ts'

/**
 * Waits for the resources outside the release that these resources depend on, each once: they come before anything of
 * the weight group, until present and ready (docs/sources.md#werf-deployment-order, docs/decisions/0004).
 */
export function externalAwaits(
  resources: readonly Resource[],
  spot: Spot,
  context: { readonly input: PlanInput; readonly planning: Planning },
): readonly AwaitOperation[] {
  const { input, planning } = context
  const waits = new Map<string, { readonly ref: Ref; readonly resource: Resource }>()
  for (const resource of resources) {
    for (const dependency of resource.directives.externalDependencies) {
      const ref = refOf(dependency, input)
      if (ref === undefined) planning.problems.push(unknownType(resource, dependency))
      else waits.set(refKey(ref), { ref, resource })
    }
  }
  return [...waits.entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, { ref, resource }]) => ({
      id: uniqueId(planning, `${spot.stage}/await-external/${key}`),
      ref,
      file: resource.manifest.origin.file,
      ...defined({ hook: spot.hook }),
      kind: 'await' as const,
      until: 'ready' as const,
      failure: 'stop' as const,
      tracking: trackingOf(resource.directives),
      isExternal: true,
    }))
}

function refOf(dependency: ExternalDependency, input: PlanInput): Ref | undefined {
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
