import { readFileSync } from 'node:fs'
import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { withApiDefaults } from '../../src/manifest/api-defaults.ts'
import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../src/model/object.ts'
import { openCluster } from '../kube/opened.ts'

const objects = loadAll(readFileSync(new URL('./api-defaults.yaml', import.meta.url), 'utf8')) as KubeObject[]

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(inject('cluster').kubeconfig)
})
afterAll(() => cluster.close())

test.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
  'what a kube-apiserver stores of %s is known without it',
  async (_name, object) => {
    const inNamespace = { ...object, metadata: { namespace: 'default', ...object.metadata } }
    const stored = await cluster.dryRunApply(inNamespace, { force: true })
    const known = withApiDefaults(stored.metadata.namespace === undefined ? object : inNamespace)
    expect(withoutBookkeeping(known)).toEqual(withoutDecided(withoutBookkeeping(stored), decidedIn(stored)))
    expect(withApiDefaults(known), 'said again, nothing is added').toEqual(known)
  },
)

/**
 * What the cluster decides, by no default of the API: addresses and ports, what admission and the registry add, and
 * generated names. `serviceAccount` is another name of `serviceAccountName`.
 */
function decidedIn({ kind }: KubeObject): ReadonlySet<string> {
  const decided: { readonly [kind: string]: readonly string[] } = {
    DaemonSet: ['deprecated.daemonset.template.generation'],
    Job: [
      'selector',
      'batch.kubernetes.io/controller-uid',
      'batch.kubernetes.io/job-name',
      'controller-uid',
      'job-name',
    ],
    PersistentVolume: ['finalizers'],
    PersistentVolumeClaim: ['finalizers'],
    Pod: ['preemptionPolicy', 'priority', 'tolerations'],
    Service: ['clusterIPs', 'healthCheckNodePort', 'ipFamilies', 'ipFamilyPolicy', 'nodePort'],
  }
  return new Set(['serviceAccount', ...(decided[kind] ?? [])])
}

/** A map that held nothing else is not there either. */
function withoutDecided(object: JsonObject, decided: ReadonlySet<string>): JsonObject {
  const rest: { [key: string]: JsonValue | undefined } = {}
  for (const [key, value] of Object.entries(object)) {
    // An address that is chosen; `None` is written.
    if (decided.has(key) || (key === 'clusterIP' && value !== 'None')) continue
    const inside = isJsonObject(value) ? withoutDecided(value, decided) : undefined
    const isEmptied = isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(inside ?? {}).length === 0
    if (isEmptied) continue
    rest[key] =
      inside ??
      (isJsonArray(value) ? value.map((one) => (isJsonObject(one) ? withoutDecided(one, decided) : one)) : value)
  }
  return rest
}
