import { at, type JsonObject } from '../model/object.ts'
import { builtInKind } from './built-in-kinds.ts'

/** Fields that are never updated, as JSON pointers; `except`: all but those below the first. */
interface Immutable {
  readonly fields: readonly string[]
  readonly except?: readonly string[]
}

/**
 * What the API server refuses to change in an object that exists. Jobs are apart: one that has finished is recreated.
 * Source: the validation of updates in `pkg/apis/.../validation` of Kubernetes.
 */
const immutable: { readonly [kind: string]: Immutable } = {
  ClusterRoleBinding: { fields: ['/roleRef'] },
  RoleBinding: { fields: ['/roleRef'] },
  DaemonSet: { fields: ['/spec/selector'] },
  Deployment: { fields: ['/spec/selector'] },
  ReplicaSet: { fields: ['/spec/selector'] },
  StatefulSet: {
    fields: ['/spec'],
    except: [
      '/spec/replicas',
      '/spec/ordinals',
      '/spec/template',
      '/spec/updateStrategy',
      '/spec/revisionHistoryLimit',
      '/spec/persistentVolumeClaimRetentionPolicy',
      '/spec/minReadySeconds',
    ],
  },
  PersistentVolumeClaim: { fields: ['/spec'], except: ['/spec/resources', '/spec/volumeAttributesClassName'] },
  Secret: { fields: ['/type'] },
  StorageClass: { fields: ['/provisioner', '/parameters', '/reclaimPolicy', '/volumeBindingMode'] },
  PriorityClass: { fields: ['/value', '/preemptionPolicy'] },
  IngressClass: { fields: ['/spec/controller'] },
  RuntimeClass: { fields: ['/handler'] },
}

/** Which of the changed fields (JSON pointers) the API server refuses to change in an object of this kind. */
export function immutableAmong(
  of: { readonly apiVersion: string; readonly kind: string },
  pointers: readonly string[],
  before: JsonObject | undefined,
): readonly string[] {
  const kind = builtInKind(of)?.kind ?? ''
  const { fields, except = [] } = Object.hasOwn(immutable, kind) ? (immutable[kind] ?? NONE) : NONE
  // A ConfigMap or Secret may say of itself that it never changes.
  const sealed = (kind === 'ConfigMap' || kind === 'Secret') && before?.immutable === true ? SEALED : []
  return pointers.filter(
    (pointer) =>
      [...fields, ...sealed].some((field) => isBelow(pointer, field)) &&
      !except.some((field) => isBelow(pointer, field)),
  )
}

/** Which of the changed fields make it necessary to recreate a Job, one that is suspended aside. */
export function immutableInJob(pointers: readonly string[], before: JsonObject): readonly string[] {
  if (at(before, 'spec', 'suspend') === true) return []
  // An indexed Job may get more or fewer of them.
  const fields = at(before, 'spec', 'completionMode') === 'Indexed' ? JOB : [...JOB, '/spec/completions']
  return pointers.filter((pointer) => fields.some((field) => isBelow(pointer, field)))
}

const JOB: readonly string[] = [
  '/spec/backoffLimitPerIndex',
  '/spec/completionMode',
  '/spec/managedBy',
  '/spec/podFailurePolicy',
  '/spec/selector',
  '/spec/successPolicy',
  '/spec/template',
]

const NONE: Immutable = { fields: [] }
const SEALED: readonly string[] = ['/data', '/binaryData', '/stringData', '/immutable']

function isBelow(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}
