import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import type { PassResult } from '../../src/model/pass.ts'
import { planJson } from '../../src/report/outputs/plan-file.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { givenBy, plannedPass } from '../report/comments/comment-case.ts'
import { blockedPlan } from '../report/shapes.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const POLICIES = join(ROOT, 'examples', 'policies')

const web = (image: string, kind = 'Deployment') => `
  - apiVersion: apps/v1
    kind: ${kind}
    metadata: { name: web }
    spec:
      replicas: 2
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: app, image: '${image}' }] }`

const role = (verb: string) => `
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: { name: operator }
    rules: [{ apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: ['${verb}'] }]`

const claim = `
  - { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce] } }`

function planned(before: string, after: string): string {
  const objects = (text: string) => (text === '' ? [] : load(text)) as readonly KubeObject[]
  return planJson([plannedPass({ given: givenBy(objects(before), objects(after)), secrets: [] })])
}

describe('plan.rego', () => {
  test.each([
    ['a claim that is deleted', claim, '', ['PersistentVolumeClaim/web/data is deleted']],
    ['a StatefulSet that is deleted', web('web:1', 'StatefulSet'), '', ['StatefulSet/web/web is deleted']],
    ['rights by wildcard', role('get'), role('*'), ['ClusterRole/operator gives rights by wildcard']],
    [
      'an image without a fixed tag',
      web('web:1'),
      web('registry:5000/web'),
      ['Deployment/web/web runs registry:5000/web, which may be another image tomorrow'],
    ],
    [
      'the tag latest',
      '',
      web('web:latest'),
      ['Deployment/web/web runs web:latest, which may be another image tomorrow'],
    ],
  ])('denies %s', async (_what, before, after, messages) => {
    expect((await answers(planned(before, after))).deny).toEqual(messages)
  })

  test.each([
    ['a new tag', web('web:1'), web('registry:5000/web:2')],
    ['a digest', web('web:1'), web(`web@sha256:${'a'.repeat(64)}`)],
    ['a Deployment that is deleted', web('web:1'), ''],
    ['rights by wildcard that go away', role('*'), role('get')],
    ['an image without a tag that was there before', web('web'), web('web')],
  ])('takes %s', async (_what, before, after) => {
    expect(await answers(planned(before, after))).toEqual({ deny: [], warn: [] })
  })

  test('warns of rights to extend rights', async () => {
    expect((await answers(planned(role('get'), role('escalate')))).warn).toEqual([
      'ClusterRole/operator gives the right to extend rights (escalate)',
    ])
  })

  test('denies what could not be planned, and a form that it does not know', async () => {
    const { plan: _plan, ...unplanned } = blockedPlan

    expect((await answers(jsonOf(unplanned))).deny).toEqual(['web in shop could not be planned'])
    expect((await answers('{"version":3,"releases":[]}')).deny).toEqual(['this policy reads plans of version 2'])
  })
})

describe('keep-data.jq', () => {
  test('fails and says what is deleted', () => {
    expect(jq('keep-data.jq', planned(`${claim}${web('web:1', 'StatefulSet')}`, ''))).toMatchObject({
      code: 5,
      error: expect.stringMatching(/deleted: \S+\/web\/\S+, \S+\/web\/\S+/),
    })
  })

  test('passes where nothing that holds data goes', () => {
    const { plan: _plan, ...unplanned } = blockedPlan

    for (const plan of [planned(web('web:1'), ''), jsonOf(unplanned)]) {
      expect(jq('keep-data.jq', plan)).toEqual({ code: 0, error: '', text: 'nothing that holds data is deleted\n' })
    }
  })
})

test('restarts.jq lists the workloads whose pods are replaced', () => {
  const plan = planned(`${web('web:1')}${role('get')}`, `${web('web:2')}${role('list')}`)

  expect(jq('restarts.jq', plan)).toEqual({ code: 0, error: '', text: 'Deployment/web/web: rolling (image)\n' })
})

describe('docs/plan-json.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'plan-json.md'), 'utf8')

  test('quotes the policy as it is', () => {
    const [, quoted = 'nothing'] = /```rego\n(.*?)```/s.exec(page) ?? []

    expect(readFileSync(join(POLICIES, 'plan.rego'), 'utf8')).toContain(quoted)
  })

  test('has a line of jq that lists neither noise nor restarts', () => {
    const [, filter = ''] = /jq -r '([^']+)' plan\.json/.exec(page) ?? []
    const plan = planned(`${web('web:1')}${claim}`, web('web:2'))

    expect(run('jq', ['-r', filter], plan).text).toBe('prune/delete//PersistentVolumeClaim/web/data\n')
  })
})

interface Answers {
  readonly deny: readonly string[]
  readonly warn: readonly string[]
}

async function answers(document: string): Promise<Answers> {
  const { code, error, text } = run(await ensureBinary('rego'), [join(POLICIES, 'plan.rego')], document)
  expect({ code, error }).toEqual({ code: 0, error: '' })
  return JSON.parse(text)
}

function jq(file: string, document: string) {
  return run('jq', ['-r', '-f', join(POLICIES, file)], document)
}

function run(program: string, args: readonly string[], input: string) {
  const { error, status, stderr, stdout } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be run: it must be on the PATH`, { cause: error })
  return { code: status, error: stderr, text: stdout }
}

function jsonOf(pass: PassResult): string {
  return planJson([pass])
}
