import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { CLOUD_IDENTITY } from '../../manifest/metadata-keys.ts'
import type { Impact } from '../../model/impact.ts'
import { arrayAt, at, type JsonObject, stringAt } from '../../model/object.ts'
import type { PodLabel, RenamedFrom } from '../../model/plan.ts'
import type { Ref } from '../../model/ref.ts'
import { causePhrase } from './cause-text.ts'
import { impactPhrase } from './impact-text.ts'
import { joinPhrases, marked, type Phrase, phrase } from './phrase.ts'

/** An object that is created in the place of one with another name. */
export interface Renamed {
  readonly ref: Ref
  readonly after?: JsonObject
  readonly impact?: Impact
  readonly from: Pick<RenamedFrom, 'ref' | 'isSame' | 'podLabels'>
  /** What comes after it waits until its pods are ready. */
  readonly isAwaited: boolean
}

/** What another name means to those who use the object, and what else of it differs. */
export function renamedPhrase(renamed: Renamed): Phrase {
  const { from, impact } = renamed
  const parts = [
    consequencePhrase(renamed),
    podLabelsPhrase(from.podLabels ?? []),
    from.isSame !== true
      ? causePhrase({ code: 'chart-changed', paths: [] }, impact)
      : joinPhrases(
          [
            ...(impact === undefined ? [] : [impactPhrase(impact)]),
            ['the same but for names and version labels'],
          ].filter(isSaid),
          '; ',
        ),
  ]
  return joinPhrases(parts.filter(isSaid), '; ')
}

/** Policies, monitors and Services of others select by them. */
function podLabelsPhrase(labels: readonly PodLabel[]): Phrase {
  if (labels.length === 0) return []
  const shown = joinPhrases(labels.slice(0, MAX_LABELS).map(labelPhrase), ', ')
  const more = labels.length > MAX_LABELS ? [` and ${labels.length - MAX_LABELS} more`] : []
  return phrase`its pods have ${[labels.length === 1 ? 'another label' : 'other labels']} ${shown}${more}`
}

/** `app (shop → storefront)` */
function labelPhrase({ after, before, key }: PodLabel): Phrase {
  if (before === undefined) return phrase`${key}`
  return after === undefined ? phrase`${key} (${before}, gone)` : phrase`${key} (${before} → ${after})`
}

const MAX_LABELS = 3

function isSaid(text: Phrase): boolean {
  return text.length > 0
}

/** Sources: the API reference of Services, StatefulSets and PersistentVolumeClaims. */
function consequencePhrase({ after = {}, from, isAwaited, ref }: Renamed): Phrase {
  const kind = builtInKind(ref)
  switch (kind?.kind) {
    case 'Service':
      return phrase`${marked(phrase`the name ${from.ref.name} no longer resolves`)}${servicePhrase(after)}`
    case 'PersistentVolumeClaim':
      return marked(phrase`${[storageText(after)]}: what ${from.ref.name} holds is not taken over`)
    case 'StatefulSet': {
      if (arrayAt(after, 'spec', 'volumeClaimTemplates').length === 0) return podsPhrase(isAwaited)
      const isDeleted = stringAt(after, 'spec', 'persistentVolumeClaimRetentionPolicy', 'whenDeleted') === 'Delete'
      const rest = isDeleted ? 'deleted' : 'left behind, unused'
      return marked(phrase`new, empty volumes: those of ${from.ref.name} are ${[rest]}`)
    }
    case 'ServiceAccount': {
      const others = phrase`bindings and cloud roles of others that name ${from.ref.name} do not apply to it`
      return Object.keys(at(after, 'metadata', 'annotations') ?? {}).some((key) => CLOUD_IDENTITY.test(key))
        ? marked(phrase`another identity: ${others}`)
        : others
    }
    case 'DaemonSet':
      return usesHostPorts(after)
        ? marked(
            phrase`its pods wait for host ports that those of ${from.ref.name} hold until ${from.ref.name} is deleted`,
          )
        : podsPhrase(isAwaited)
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
      return podsPhrase(isAwaited)
    case 'Job':
    case 'Pod':
      return ['runs under the new name']
    default:
      return []
  }
}

function servicePhrase(service: JsonObject): Phrase {
  const type = stringAt(service, 'spec', 'type') ?? 'ClusterIP'
  if (type === 'ExternalName' || at(service, 'spec', 'clusterIP') === 'None') return []
  if (type === 'LoadBalancer') return ['; new ClusterIP and load balancer']
  return [type === 'NodePort' ? '; new ClusterIP and node ports' : '; new ClusterIP']
}

/** A claim that names its volume, or what it is filled from, need not be empty. */
function storageText(claim: JsonObject): string {
  const isFilled = ['volumeName', 'dataSource', 'dataSourceRef'].some((key) => at(claim, 'spec', key) !== undefined)
  return isFilled ? 'another claim' : 'new, empty storage'
}

/** What is pruned goes after all that is created. */
export function podsPhrase(isAwaited: boolean): Phrase {
  return [isAwaited ? 'new pods are ready before the old ones stop' : 'new pods start, then the old ones stop']
}

/** Two pods of one node cannot both have them: the new ones stay pending, and the old ones go only afterwards. */
function usesHostPorts(workload: JsonObject): boolean {
  const spec = at(workload, 'spec', 'template', 'spec')
  const ports = arrayAt(spec, 'containers').flatMap((container) => arrayAt(container, 'ports'))
  const isOnHost = at(spec, 'hostNetwork') === true
  return ports.some((port) => isOnHost || at(port, 'hostPort') !== undefined)
}
