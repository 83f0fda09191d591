import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

const apiVersions: Readonly<Record<string, string>> = {
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  ConfigMap: 'v1',
  Job: 'batch/v1',
  PersistentVolumeClaim: 'v1',
  Secret: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
}

interface Given {
  readonly name: string
  readonly body: string
  readonly kind?: string
}

const objectOf = ({ body, name }: Given): JsonObject => ({ metadata: { name }, ...(load(body) as JsonObject) })

function rows(kind: string, live: Given, rendered: Given) {
  const named = (given: Given) => ref(apiVersions[given.kind ?? kind] ?? 'apps/v1', given.kind ?? kind, given.name)
  return rowsOf(
    plan({
      stages: [
        stage('main', [
          group(0, [
            [
              apply(named(rendered), 'create', { code: 'new' }, { after: objectOf(rendered) }),
              deletes(named(live), { code: 'pruned' }, { before: objectOf(live) }),
            ],
          ]),
        ]),
      ],
    }),
    [],
  )
}

/** Why the object is created, and why the other one is deleted. */
function why(kind: string, live: Given, rendered: Given): readonly string[] {
  return rows(kind, live, rendered).map((row) => plainText(whyPhrase(row)))
}

const RENAMED = ['renamed from old, the same otherwise', 'renamed to new']

const RENDERED = `spec: { template: { spec: { containers: [{ name: web, image: "web:1" }] } } }`
const LIVE = `
  metadata: { name: old, uid: 1-2-3, annotations: { deployment.kubernetes.io/revision: "4" } }
  spec:
    replicas: 1
    progressDeadlineSeconds: 600
    strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 25%, maxUnavailable: 25% } }
    template:
      spec:
        dnsPolicy: ClusterFirst
        securityContext: {}
        containers: [{ name: web, image: "web:1", imagePullPolicy: IfNotPresent, resources: {} }]
  status: { replicas: 1 }`

describe('an object that comes and one that goes and says the same', () => {
  test.each<[string, string, string, string]>([
    ['beside defaults of the API server', 'Deployment', LIVE, RENDERED],
    [
      'beside the address that it was given',
      'Service',
      'spec: { clusterIP: 10.0.0.1, ports: [{ port: 80 }] }',
      'spec: { ports: [{ port: 80, targetPort: 80 }] }',
    ],
    [
      'beside labels that name it or the version of the chart',
      'ConfigMap',
      'metadata: { labels: { app: old, helm.sh/chart: web-1 } }\ndata: { a: b }',
      'metadata: { labels: { app: new, helm.sh/chart: web-2 } }\ndata: { a: b }',
    ],
  ])('%s is renamed', (_title, kind, live, rendered) => {
    expect(why(kind, { name: 'old', body: live }, { name: 'new', body: rendered })).toEqual(RENAMED)
  })

  test.each<[string, string, string, string]>([
    ['with a key more in the cluster', 'ConfigMap', 'data: { a: b, c: d }', 'data: { a: b }'],
    ['with another value', 'ConfigMap', 'data: { a: b }', 'data: { a: c }'],
    ['with a field that is no default', 'Deployment', 'spec: { replicas: 3 }', 'spec: { paused: false }'],
    ['with a container less', 'Deployment', LIVE, 'spec: { template: { spec: { containers: [] } } }'],
    ['with a default of another kind', 'ConfigMap', 'data: { replicas: 1 }', 'data: {}'],
    ['with hidden values', 'Secret', 'data: { a: (hidden) }', 'data: { a: (hidden) }'],
    ['with values that are masked', 'ConfigMap', 'data: { a: x***y }', 'data: { a: x***y }'],
    ['that holds data', 'PersistentVolumeClaim', 'spec: { a: b }', 'spec: { a: b }'],
    ['that holds data, a StatefulSet', 'StatefulSet', 'spec: { a: b }', 'spec: { a: b }'],
    [
      'that gives rights',
      'ClusterRoleBinding',
      'roleRef: { kind: ClusterRole, name: cluster-admin }\nsubjects: [{ kind: User, name: jane }]',
      'roleRef: { kind: ClusterRole, name: cluster-admin }\nsubjects: [{ kind: User, name: jane }]',
    ],
  ])('%s is another one', (_title, kind, live, rendered) => {
    const [created, deleted] = rows(kind, { name: 'old', body: live }, { name: 'new', body: rendered })

    expect([created?.counterpart, deleted?.counterpart]).toEqual([undefined, undefined])
  })

  test('is paired with none where two could be meant', () => {
    const body = { data: { a: 'b' } }
    const all = rowsOf(
      plan({
        stages: [
          stage('main', [
            group(0, [
              [
                apply(ref('v1', 'ConfigMap', 'new'), 'create', { code: 'new' }, { after: body }),
                deletes(ref('v1', 'ConfigMap', 'old'), { code: 'pruned' }, { before: body }),
                deletes(ref('v1', 'ConfigMap', 'older'), { code: 'pruned' }, { before: body }),
              ],
            ]),
          ]),
        ],
      }),
      [],
    )

    expect(all.map((row) => row.counterpart)).toEqual([undefined, undefined, undefined])
  })
})

describe('a version or a hash at the end of the name', () => {
  test.each([
    ['Job', 'index-2-4-0', 'index-2-5-0'],
    ['Job', 'index-v2.4', 'index-v2.5'],
    ['Job', 'migrate-ff06c244', 'migrate-4f436acc'],
    ['Job', 'migrate-13', 'migrate-14'],
    ['Deployment', 'web-2-4-0', 'web-2-5-0'],
  ])('%s %s is replaced by %s, without a diff to the live object', (kind, live, rendered) => {
    const given = [
      { name: live, body: 'spec: { a: 1 }' },
      { name: rendered, body: 'spec: { a: 2 }' },
    ] as const

    expect(why(kind, ...given)).toEqual([`replaces ${live}`, `replaced by ${rendered}`])
    expect(rows(kind, ...given)[0]?.before).toBeUndefined()
  })

  test.each([
    ['Deployment', 'worker-1', 'worker-2'],
    ['Deployment', 'web-staging', 'web-production'],
    ['Deployment', 'web-defaced', 'web-effaced'],
    ['Job', 'index-2-4-0', 'reindex-2-5-0'],
    ['StatefulSet', 'db-16-1', 'db-17-0'],
    ['PersistentVolumeClaim', 'data-1-0', 'data-2-0'],
  ])('%s %s and %s are two objects', (kind, live, rendered) => {
    const [created, deleted] = rows(kind, { name: live, body: 'spec: { a: 1 }' }, { name: rendered, body: '{}' })

    expect([created?.counterpart, deleted?.counterpart]).toEqual([undefined, undefined])
  })
})

describe('a workload under the name of one of another kind', () => {
  test('replaces it', () => {
    const given = [
      { kind: 'Deployment', name: 'db', body: '{}' },
      { kind: 'StatefulSet', name: 'db', body: '{}' },
    ] as const

    expect(why('', ...given)).toEqual(['replaces Deployment/db', 'replaced by StatefulSet/db'])
  })

  test('does not make calm the deletion of what holds data', () => {
    const given = [
      { kind: 'StatefulSet', name: 'db', body: '{}' },
      { kind: 'Deployment', name: 'db', body: '{}' },
    ] as const

    expect(why('', ...given)).toEqual(['replaces StatefulSet/db', 'no longer in the chart'])
  })

  test('but not a Service of that name', () => {
    const given = [
      { kind: 'Service', name: 'db', body: '{}' },
      { kind: 'StatefulSet', name: 'db', body: '{}' },
    ] as const

    expect(rows('', ...given).map(({ otherKind }) => otherKind)).toEqual([undefined, undefined])
  })
})
