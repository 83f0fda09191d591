import type { JsonObject } from '../model/object.ts'

/**
 * The kind that the text at a field names, by its last steps; undefined where it names none. `holder` is the object with
 * the field, which may say the kind itself. Source: the API reference of the built-in kinds.
 */
export function referredKind(steps: readonly string[], holder: JsonObject): string | undefined {
  const [key = '', parent = ''] = [steps.at(-1), steps.at(-2)]
  const byKey = Object.hasOwn(BY_KEY, key) ? BY_KEY[key] : undefined
  if (byKey !== undefined && !DATA.has(steps[0] ?? '')) return byKey
  if (key !== 'name' || DATA.has(steps[0] ?? '')) return undefined
  if (TELLS_KIND.has(parent) || steps.at(-3) === 'subjects') {
    return typeof holder.kind === 'string' ? holder.kind : undefined
  }
  if (steps.at(-3) === 'imagePullSecrets') return 'Secret'
  return Object.hasOwn(BY_PARENT, parent) ? BY_PARENT[parent] : undefined
}

/** Fields that hold a text of the user, whatever it is called. */
const DATA: ReadonlySet<string> = new Set(['data', 'stringData', 'binaryData', 'metadata'])

const BY_KEY: Readonly<Record<string, string>> = {
  serviceAccountName: 'ServiceAccount',
  serviceAccount: 'ServiceAccount',
  secretName: 'Secret',
  claimName: 'PersistentVolumeClaim',
  serviceName: 'Service',
}

const BY_PARENT: Readonly<Record<string, string>> = {
  configMap: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  secret: 'Secret',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  service: 'Service',
}

const TELLS_KIND: ReadonlySet<string> = new Set(['scaleTargetRef', 'roleRef'])
