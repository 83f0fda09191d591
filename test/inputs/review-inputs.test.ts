import { describe, expect, test } from 'vitest'
import { hintText } from '../../src/report/words/hint-text.ts'
import type { Inputs } from './defaults.ts'
import { readGiven } from './given.ts'

const CHART = { 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' }
const deploy = { chart: 'shop', release: 'shop', 'github-token': 'ghs_x' }
const HASH = 'ab'.repeat(32)

const settingsOf = async (inputs: Inputs) => (await readGiven({ ...deploy, ...inputs }, CHART)).settings
const problemsOf = async (inputs: Inputs) =>
  (await readGiven({ ...deploy, ...inputs }, CHART)).problems.map(
    ({ place, what, hint }) => `${place.input}: ${what}: ${hint && hintText(hint)}`,
  )

describe('what must be approved', () => {
  test('is nothing by default', async () => {
    expect(await settingsOf({})).toMatchObject({
      approval: 'none',
      approvalIgnore: [],
      expectPlanHash: undefined,
      label: undefined,
      commentMode: 'update',
      failOnChanges: false,
      diffContext: 3,
      pullRequest: undefined,
    })
  })

  test.each([
    ['/spec/replicas', [{ steps: ['spec', 'replicas'] }]],
    ['Deployment /spec/replicas', [{ kind: 'Deployment', steps: ['spec', 'replicas'] }]],
    [
      'Deployment/web /spec/template/spec/containers/*/image\n\n  ConfigMap/a.b /data/app.yaml  ',
      [
        { kind: 'Deployment', name: 'web', steps: ['spec', 'template', 'spec', 'containers', '*', 'image'] },
        { kind: 'ConfigMap', name: 'a.b', steps: ['data', 'app.yaml'] },
      ],
    ],
    [
      '/metadata/annotations/example.com~1checksum~0a',
      [{ steps: ['metadata', 'annotations', 'example.com/checksum~a'] }],
    ],
  ])('approval-ignore %j', async (text, fields) => {
    expect((await settingsOf({ 'approval-ignore': text }))?.approvalIgnore).toEqual(fields)
  })

  test.each(['spec/replicas', 'Deployment', 'Deployment/web/x /spec', 'Deployment web /spec', '/a b'])(
    'approval-ignore does not take %j',
    async (text) => {
      const [problem] = await problemsOf({ 'approval-ignore': `/spec/replicas\n${text}` })
      expect(problem).toMatch(/^approval-ignore: line 2: ".*" is not valid: write \[Kind/)
    },
  )

  test('expect-plan-hash is the hash of a plan', async () => {
    expect((await settingsOf({ 'expect-plan-hash': HASH.toUpperCase() }))?.expectPlanHash).toBe(HASH)
    expect(await problemsOf({ 'expect-plan-hash': 'abc' })).toEqual([
      'expect-plan-hash: "abc" is not valid: write the output plan-hash of a plan',
    ])
  })

  test('approval-key is a secret of its own, long enough and never told', async () => {
    const key = 'k3y-'.repeat(8)
    expect((await settingsOf({ 'approval-key': key }))?.approvalKey).toBe(key)
    expect(await problemsOf({ 'approval-key': 'geheim' })).toEqual([
      'approval-key: is too short to keep anybody out: write at least 32 characters, as `openssl rand -hex 32` gives them',
    ])
  })

  test('approval: comment needs a token', async () => {
    expect(await problemsOf({ approval: 'comment', 'github-token': '' })).toEqual([
      'approval: needs a token to read the comment: set github-token, or approval to none',
    ])
  })
})

describe('a plan without a cluster', () => {
  test('has a version and API versions of its own', async () => {
    expect(
      await settingsOf({
        command: 'plan',
        cluster: 'none',
        'kube-version': '1.34',
        'api-versions': 'monitoring.coreos.com/v1\ncert-manager.io/v1/Certificate',
        'base-path': 'base',
      }),
    ).toMatchObject({
      cluster: 'none',
      kubeVersion: '1.34',
      apiVersions: ['monitoring.coreos.com/v1', 'cert-manager.io/v1/Certificate'],
      basePath: 'base',
    })
  })

  test('is for plans only', async () => {
    expect(await problemsOf({ cluster: 'none' })).toEqual([
      'cluster: none works with plans only, and command is deploy: set cluster to auto',
    ])
  })

  test('does not take what is no version', async () => {
    expect(await problemsOf({ command: 'plan', 'kube-version': 'latest', 'api-versions': 'a b' })).toEqual([
      'kube-version: "latest" is not valid: write a version such as 1.34 or v1.34.2',
      'api-versions: "a b" is not valid: write group/version or group/version/Kind',
    ])
  })
})

test('a plan of an uninstall needs no chart, and goes in the order of the uninstall', async () => {
  const { settings } = await readGiven(
    { command: 'plan-uninstall', charts: '- { chart: a, release: a }\n- { chart: b, release: b, weight: 1 }' },
    {},
  )
  expect(settings?.releases.map(({ release, source }) => `${release}: ${source.kind}`)).toEqual([
    'b: record',
    'a: record',
  ])
})
