import { builtInKind } from '../manifest/built-in-kinds.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { isChecksum, isVersionKey } from '../manifest/metadata-keys.ts'
import { defined } from '../model/defined.ts'
import type { Autoscaler, Restart } from '../model/impact.ts'
import { at, type JsonObject, type JsonValue, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import { groupOf, type Ref } from '../model/ref.ts'
import { budgetFacts, budgetOf } from './disruption-budgets.ts'
import type { FieldDifference } from './fields.ts'
import { configOfPods } from './references.ts'
import type { ReleaseObjects, Releases } from './release-objects.ts'
import { rolloutOf } from './rollout.ts'

export interface RestartInput {
  readonly ref: Ref
  /** With its status, where it is live. */
  readonly before: JsonObject
  readonly after: JsonObject
  readonly differences: readonly FieldDifference[]
  readonly release: ReleaseObjects
}

/** The pods that a workload keeps running, and how an update of its template replaces them; undefined where it does not. */
export function restartOf({ after, before, differences, ref, release }: RestartInput): Restart | undefined {
  const inTemplate = differences.filter(({ stepsAfter }) => templatePath(stepsAfter) !== undefined)
  if (inTemplate.length === 0) return undefined
  const replicas = podsOf(ref, before, after)
  // Where no pods run, or none are to run, none are replaced.
  if (replicas === 0 || numberAt(before, 'spec', 'replicas') === 0) return undefined
  const rollout = rolloutOf(ref, after, replicas)
  if (rollout === undefined) return undefined
  const { held, how, unavailable } = rollout
  const isReplacing = how === 'rolling' || how === 'recreate' || how === 'partial'
  const covering = isReplacing ? budgetOf(ref, after, release.budgets) : undefined
  const budget = covering === undefined ? undefined : budgetFacts(covering, { replicas, unavailable })
  const replaced = replacedPods(ref, { before, replicas, autoscaler: autoscalerOf(ref, release.autoscalers) })
  const hasGap = replicas !== undefined && unavailable !== undefined && unavailable >= replicas
  return {
    how,
    because: causeOf(inTemplate),
    ...defined({
      replicas: replaced,
      held,
      budget,
      autoscaler: isReplacing ? autoscalerOf(ref, release.autoscalers) : undefined,
    }),
    ...(hasGap || how === 'recreate' ? { hasGap: true } : {}),
  }
}

/** Steps below the pod template. */
function templatePath([spec, template, ...rest]: readonly (string | number)[]):
  | readonly (string | number)[]
  | undefined {
  if (spec !== 'spec') return undefined
  if (template === 'template') return rest
  return template === 'jobTemplate' ? templatePath(rest) : undefined
}

/** A DaemonSet has as many pods as there are nodes for them: the live object tells. */
function podsOf(ref: Ref, before: JsonObject, after: JsonObject): number | undefined {
  if (builtInKind(ref)?.kind === 'DaemonSet') return numberAt(before, 'status', 'desiredNumberScheduled')
  return numberAt(after, 'spec', 'replicas')
}

interface Pods {
  readonly before: JsonObject
  /** As many as there are to be. */
  readonly replicas: number | undefined
  readonly autoscaler: Autoscaler | undefined
}

/**
 * Only pods that are there can be replaced, and what a smaller number lets go does not come back. What an autoscaler made of
 * the number is not known. Source: the API reference of Kubernetes: `replicas` is 1 where nothing is said.
 */
function replacedPods(ref: Ref, { autoscaler, before, replicas }: Pods): number | undefined {
  if (replicas === undefined || builtInKind(ref)?.kind === 'DaemonSet') return replicas
  const had = numberAt(before, 'spec', 'replicas') ?? 1
  if (autoscaler !== undefined && had !== replicas) return undefined
  return Math.min(had, replicas)
}

function causeOf(inTemplate: readonly FieldDifference[]): Restart['because'] {
  const places = inTemplate.map(({ stepsAfter }) => (templatePath(stepsAfter) ?? []).map(String))
  if (places.some(isImage)) return 'image'
  if (!places.every(([first]) => first === 'metadata')) return 'template'
  const isIn = (map: string) => places.every(([, found]) => found === map)
  if (places.every(([, map, key]) => map === 'annotations' && key !== undefined && isChecksum(key))) return 'checksum'
  if (places.every(([, , key]) => key !== undefined && isVersionKey(key))) return 'versions'
  return isIn('labels') ? 'labels' : isIn('annotations') ? 'annotations' : 'metadata'
}

/** ConfigMaps and Secrets that change with the release and that the pods read: what a checksum in their template is of. */
export function changedConfigOf(ref: Ref, workload: JsonObject, { after, before }: Releases): readonly string[] {
  const read = configOfPods(workload)
  const nameOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name ?? ''}`
  const own = ({ all }: ReleaseObjects) =>
    all.filter((one) => read.has(nameOf(one)) && one.metadata.namespace === ref.namespace)
  const old = new Map(own(before).map((one) => [nameOf(one), valuesIn(one)]))
  return own(after)
    .filter((one) => old.get(nameOf(one)) !== valuesIn(one))
    .map(nameOf)
}

function valuesIn(config: KubeObject): string {
  const values: JsonValue[] = ['data', 'binaryData', 'stringData'].map((field) => at(config, field) ?? null)
  return canonicalJson(values)
}

function isImage([spec, list, , field]: readonly string[]): boolean {
  return spec === 'spec' && (list === 'containers' || list === 'initContainers') && field === 'image'
}

/** The HorizontalPodAutoscaler of the workload's namespace that scales it. */
export function autoscalerOf(ref: Ref, autoscalers: readonly KubeObject[]): Autoscaler | undefined {
  const found = autoscalers.find((autoscaler) => {
    const target = at(autoscaler, 'spec', 'scaleTargetRef')
    const isSameKind =
      stringAt(target, 'kind') === ref.kind && groupOf(stringAt(target, 'apiVersion') ?? '') === groupOf(ref.apiVersion)
    return isSameKind && stringAt(target, 'name') === ref.name && autoscaler.metadata.namespace === ref.namespace
  })
  if (found === undefined) return undefined
  const limits = {
    minReplicas: numberAt(found, 'spec', 'minReplicas'),
    maxReplicas: numberAt(found, 'spec', 'maxReplicas'),
  }
  return { name: found.metadata.name ?? '', ...defined(limits) }
}
