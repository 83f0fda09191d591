import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

const apiVersions: Readonly<Record<string, string>> = {
  ConfigMap: 'v1',
  CronJob: 'batch/v1',
  Job: 'batch/v1',
  Pod: 'v1',
  Service: 'v1',
}

const yaml = (text: string) => load(text) as JsonObject
const refOf = (kind: string) => ref(apiVersions[kind] ?? 'apps/v1', kind, 'web')

function why(operation: Operation): string {
  const rows = rowsOf(plan({ stages: [stage('main', [group(0, [[operation]])])] }), [])
  return rows.map((row) => plainText(whyPhrase(row))).join('\n')
}

const pods = (...images: readonly string[]) =>
  `template: { spec: { containers: [${images.map((image) => `{ image: "${image}" }`).join(', ')}] } }`

test.each<[string, string, string]>([
  ['Deployment', `spec: { replicas: 2, ${pods('shop:2')} }`, 'runs shop:2, 2 pods'],
  ['Deployment', `spec: { replicas: 1, ${pods('shop:2', 'proxy:1')} }`, 'runs shop:2, proxy:1, 1 pod'],
  ['StatefulSet', `spec: { ${pods('a:1', 'b:1', 'c:1')} }`, 'runs a:1, b:1 and 1 more'],
  ['DaemonSet', `spec: { ${pods('agent:1')} }`, 'runs agent:1, a pod on each node that it selects'],
  ['Job', `spec: { ${pods('migrate:1')} }`, 'runs migrate:1'],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'runs backup:1 at 0 3 * * *',
  ],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, suspend: true, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'runs backup:1, suspended',
  ],
  ['Pod', 'spec: { containers: [{ image: debug:1 }] }', 'runs debug:1'],
  ['Service', 'spec: { type: ExternalName }', 'type ExternalName'],
  ['Service', 'spec: { type: ClusterIP }', ''],
  ['Service', 'spec: {}', ''],
  ['ConfigMap', `spec: { ${pods('shop:2')} }`, ''],
])('a new %s of %s: %s', (kind, body, expected) => {
  expect(why(apply(refOf(kind), 'create', { code: 'new' }, { after: yaml(body) }))).toBe(expected)
})

test.each<[string, string, string]>([
  ['Deployment', `spec: { replicas: 2, ${pods('shop:2')} }`, '2 pods of shop:2 stop'],
  ['StatefulSet', `spec: { replicas: 1, ${pods('db:16')} }`, '1 pod of db:16 stops'],
  ['DaemonSet', `spec: { ${pods('agent:1')} }`, 'pods of agent:1 stop'],
  ['CronJob', `spec: { jobTemplate: { spec: { ${pods('backup:1')} } } }`, 'backup:1 no longer runs'],
  ['Deployment', `spec: { replicas: 0, ${pods('shop:2')} }`, 'no longer in the chart'],
  ['Job', `spec: { ${pods('migrate:1')} }`, 'no longer in the chart'],
  ['ConfigMap', 'data: {}', 'no longer in the chart'],
])('a deleted %s of %s: %s', (kind, body, expected) => {
  expect(why(deletes(refOf(kind), { code: 'pruned' }, { before: yaml(body) }))).toBe(expected)
})

test('an uninstall is the reason of each of its deletions', () => {
  const body = yaml(`spec: { replicas: 2, ${pods('shop:2')} }`)

  expect(why(deletes(refOf('Deployment'), { code: 'uninstalled' }, { before: body }))).toBe('uninstalled')
})
