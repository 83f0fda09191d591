import { beforeEach, describe, expect, test } from 'vitest'
import { INPUT_NAMES, type InputName } from '../../src/inputs/input-names.ts'
import type { Settings } from '../../src/inputs/inputs.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { type RunScene, runScene } from './scene.ts'

/**
 * Every input, whether an approval covers it, and why. A new one fails to compile until it stands here.
 * - `operations`: it decides what the plan does, so that the plan is another one
 * - `itself`: the plan does the same, and the input counts nevertheless
 * - `identity`: it decides with which plan the deploy is compared
 * - `nothing`: it changes nothing that a deploy does to the release, or the reason says why that is not what is approved
 */
type Cover = readonly ['operations' | 'itself' | 'identity' | 'nothing', string]

const chart: Cover = ['operations', 'what is rendered']
const connection: Cover = ['nothing', 'leads to the cluster; by comment its address or the label is the identity']
const reports: Cover = ['nothing', 'only what is reported']
const offline: Cover = ['nothing', 'of plans without a cluster, which have no hash']
const time: Cover = ['nothing', 'how long is waited, not for what']

const covers: { readonly [name in InputName]: Cover } = {
  command: ['operations', 'each verb has its own stages'],
  chart,
  'chart-version': chart,
  repository: chart,
  dependencies: chart,
  registries: ['nothing', 'leads to charts, whose digests are in the plan'],
  verify: ['nothing', 'refuses charts; those that are taken are in the plan by their digests'],
  keyring: ['nothing', 'as verify'],
  'chart-cache': ['nothing', 'charts are in the plan by their digests, wherever they were kept'],
  charts: ['identity', 'the list of releases and its order'],
  manifests: chart,
  release: ['identity', 'a part of the hash, and of the key of the comment'],
  namespace: ['identity', 'a part of the hash, and of the key of the comment'],
  'create-namespace': ['itself', 'a namespace that is made is no operation of the plan'],
  'working-directory': chart,
  'values-files': chart,
  values: chart,
  set: chart,
  'set-string': chart,
  'set-json': chart,
  'set-file': chart,
  'set-literal': chart,
  'helm-args': ['operations', 'each flag counts as its input does'],
  'reuse-values': ['operations', 'what is rendered from the record; the deploy renders again from the record of then'],
  kubeconfig: connection,
  context: connection,
  'allow-workspace-kubeconfig': connection,
  'credential-plugins': connection,
  'credential-plugin-env': connection,
  timeout: time,
  'rollback-timeout': time,
  'lock-timeout': time,
  wait: ['itself', 'groups that do not wait are another order'],
  prune: ['operations', 'its deletions'],
  hooks: ['itself', 'hooks that do not run are in no stage'],
  'skip-crds': ['operations', 'what crds/ holds is in no stage'],
  'on-failure': ['nothing', 'goes back to what was deployed before, by its record'],
  atomic: ['nothing', 'goes back to what was deployed before, or removes what this deploy has made, by its record'],
  'history-max': ['nothing', 'which old records are kept; none of the objects'],
  description: ['nothing', 'a line of the record; none of the objects'],
  'release-labels': ['nothing', 'labels of the record; none of the objects'],
  revision: ['operations', 'what the record holds'],
  'keep-history': ['itself', 'what becomes of the record is no operation'],
  test: ['nothing', 'the hooks that it runs count where the chart changed them'],
  'test-filter': ['nothing', 'fewer of the same hooks'],
  'take-ownership': ['itself', 'an adopted object ends in the same state'],
  'force-conflicts': ['nothing', 'a field that is taken over ends as approved; without it the plan is blocked'],
  comment: reports,
  'comment-mode': reports,
  label: ['identity', 'a part of the key of the comment'],
  'pull-request': ['identity', 'a part of the key of the comment'],
  approval: ['nothing', 'asks for the comparison'],
  'approval-ignore': ['operations', 'end states are without what it names'],
  'approval-key': ['nothing', 'signs the plan'],
  'expect-plan-hash': ['nothing', 'asks for the comparison'],
  'fail-on-changes': reports,
  'diff-context': reports,
  cluster: offline,
  'base-path': offline,
  'kube-version': offline,
  'api-versions': offline,
  'allow-fork': connection,
  'github-token': ['nothing', 'reads and writes the comment'],
  summary: reports,
}

test('every input is listed', () => {
  expect(Object.keys(covers).toSorted()).toEqual([...INPUT_NAMES].toSorted())
})

const config = (name: string, value = '1') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { a: "${value}" }`
const hook = `apiVersion: batch/v1\nkind: Job\nmetadata: { name: before, annotations: { helm.sh/hook: pre-upgrade } }`
const crd =
  'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.acme.dev }\nspec: { group: acme.dev, names: { kind: Widget } }'
const newest = [config('a', '3'), hook].join('\n---\n')

let scene: RunScene
beforeEach(async () => {
  scene = runScene()
  scene.renderer.chart([config('a'), config('gone'), hook].join('\n---\n'))
  await scene.run({})
  scene.renderer.chart([config('a', '2'), config('gone'), hook].join('\n---\n'))
  await scene.run({})
  scene.renderer.chart(newest)
})

const record = { source: { kind: 'record' } } as const

/** Inputs that can be asked of the same release: the plan without them, and the plan with them. */
const asked: { readonly [name in InputName]?: readonly [before: Partial<Settings>, after: Partial<Settings>] } = {
  command: [{}, { command: 'plan-uninstall', releases: [{ ...settingsRelease(), ...record }] }],
  release: [{}, { releases: [{ ...settingsRelease(), release: 'other' }] }],
  namespace: [{}, { releases: [{ ...settingsRelease(), namespace: 'other' }] }],
  wait: [{}, { wait: false }],
  prune: [{}, { prune: false }],
  hooks: [{}, { withHooks: false }],
  'skip-crds': [{}, { withCrds: false }],
  revision: [
    { command: 'plan-rollback', releases: [{ ...settingsRelease(), ...record }], revision: 2 },
    { command: 'plan-rollback', releases: [{ ...settingsRelease(), ...record }], revision: 1 },
  ],
  'keep-history': [
    { command: 'plan-uninstall', releases: [{ ...settingsRelease(), ...record }] },
    { command: 'plan-uninstall', releases: [{ ...settingsRelease(), ...record }], keepHistory: true },
  ],
  'take-ownership': [{}, { takeOwnership: true }],
  'approval-ignore': [{}, { approvalIgnore: [{ steps: ['data', 'a'] }] }],
  timeout: [{}, { timeoutSeconds: 5 }],
  'rollback-timeout': [{}, { rollbackTimeoutSeconds: 5 }],
  'lock-timeout': [{}, { lockTimeoutSeconds: 5 }],
  'on-failure': [{}, { onFailure: 'rollback' }],
  atomic: [{}, { onFailure: 'undo' }],
  'history-max': [{}, { historyMax: 1 }],
  description: [{}, { description: 'a' }],
  'release-labels': [{}, { labels: { team: 'a' } }],
  test: [{}, { test: true }],
  'test-filter': [{}, { testFilter: ['a'] }],
  'force-conflicts': [{}, { forceConflicts: true }],
  'diff-context': [{}, { diffContext: 0 }],
  summary: [{}, { summary: true }],
}

function settingsRelease() {
  return runScene().chart('shop')
}

test.each(Object.entries(asked))('the hash has %s as it is listed', async (name, [before, after]) => {
  scene.renderer.chart(newest, { crds: crd })
  const hashOf = async (change: Partial<Settings>) => {
    const [pass] = await scene.run({ command: 'plan', ...change })
    return pass?.fingerprint?.hash
  }
  const [one, other] = [await hashOf(before), await hashOf(after)]
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  const [cover] = covers[name as InputName]
  expect(other === one ? 'nothing' : 'covered').toBe(cover === 'nothing' ? 'nothing' : 'covered')
})

describe('what no operation says', () => {
  const deployAgainst = async (planned: Partial<Settings>, deployed: Partial<Settings>) => {
    const [pass] = await scene.run({ command: 'plan', ...planned })
    if (pass?.plan === undefined || pass.fingerprint === undefined) throw new Error('there is no plan')
    const plans = [approvedPlanOf(pass.plan, pass.fingerprint)]
    const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
    const [result] = await scene.run({ approval: 'comment', ...deployed }, review)
    return result?.differences?.map(({ kind, id }) => `${kind} ${id}`) ?? result?.outcome.status
  }

  test.each<[string, Partial<Settings>]>([
    ['take-ownership', { takeOwnership: true }],
    ['wait: false', { wait: false }],
  ])('%s may be left out, and not be added', async (name, change) => {
    expect(await deployAgainst({}, change)).toEqual([`not-approved input/${name}`])
    expect(await deployAgainst(change, {})).toBe('deployed')
  })

  test('a namespace is made only where the plan would have made it, and it may be there by then', async () => {
    const releases = [{ ...settingsRelease(), namespace: 'fresh' }]
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } } as const
    const makes = { releases, createNamespace: true }
    const [pass] = await scene.run({ command: 'plan', ...makes })
    expect(Object.keys(pass?.fingerprint?.digests ?? {})).toContain('input/create-namespace')
    scene.cluster.put(space)
    const [again] = await scene.run({ command: 'plan', ...makes })
    expect(Object.keys(again?.fingerprint?.digests ?? {})).not.toContain('input/create-namespace')
  })
})
