import { compareForInstall } from '../manifest/kind-order.ts'
import { resolveType } from '../manifest/resolve-type.ts'
import { defined } from '../model/defined.ts'
import type { ExternalDependency, Resource } from '../model/directives.ts'
import type { PlainHint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, formatRef, type Ref, refKey } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import type { StageContext } from './context.ts'
import type { DraftRank } from './draft.ts'
import { trackingOf } from './tracking.ts'

/**
 * Waits for the resources outside the release that these resources depend on, each once: they come before anything of
 * the weight group, until present and ready (docs/sources.md#werf-deployment-order, docs/decisions/0004).
 */
export function externalAwaits(
  resources: readonly Resource[],
  context: StageContext,
): { readonly rank: DraftRank; readonly problems: readonly Problem[] } {
  const { hook, stage } = context
  // Of several that name the same one, the first in this order gives the file and the tracking.
  const sorted = resources.toSorted((a, b) => compareForInstall(a.manifest.ref, b.manifest.ref))
  const found = sorted.flatMap((resource) =>
    resource.directives.externalDependencies.map((dependency) => externalNeed(resource, dependency, context)),
  )
  const firstNeed = new Map<string, Need>()
  for (const need of found) {
    if ('ref' in need && !firstNeed.has(refKey(need.ref))) firstNeed.set(refKey(need.ref), need)
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
  return { rank, problems: found.flatMap((need) => ('problem' in need ? [need.problem] : [])) }
}

interface Need {
  readonly ref: Ref
  readonly resource: Resource
}

/** What is waited for, or why that would never end. */
function externalNeed(
  resource: Resource,
  dependency: ExternalDependency,
  context: StageContext,
): Need | { readonly problem: Problem } {
  const { comingTypes, existing, input } = context
  const known = [...input.served, ...(input.comingTypes ?? [])]
  const byThen = [...known, ...comingTypes.filter(({ crd }) => existing.has(crd))]
  const type = resolveType(dependency.type, byThen)
  if (type === undefined) {
    const isLater = resolveType(dependency.type, comingTypes) !== undefined
    const what = isLater
      ? `the CRD of resource type "${dependency.type}" comes later in this release`
      : `the cluster serves no resource type "${dependency.type}"`
    const hint = isLater ? 'change-weight' : 'type-that-is-served'
    return { problem: dependencyProblem(resource, dependency, { what, hint }) }
  }
  const ref = refOf(dependency, type, input.namespace)
  if (!existing.has(refKey(ref)) && context.applied.has(refKey(ref))) {
    const what = `it waits for ${formatRef(ref)}, which this release deploys later`
    return { problem: dependencyProblem(resource, dependency, { what, hint: 'change-weight' }) }
  }
  return { ref, resource }
}

function refOf({ name, namespace }: ExternalDependency, type: ServedKind, releaseNamespace: string): Ref {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  const ref = { apiVersion, kind: type.kind, name }
  return type.isNamespaced ? { ...ref, namespace: namespace ?? releaseNamespace } : ref
}

function dependencyProblem(
  resource: Resource,
  { key }: ExternalDependency,
  { what, hint }: { readonly what: string; readonly hint: PlainHint },
): Problem {
  const { origin, ref } = resource.manifest
  const place = { file: origin.file, ref, key }
  return { severity: 'error', reason: 'invalid-input', place, what, hint: { kind: hint } }
}
