import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { type KubeObject, stringAt } from '../../src/model/object.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { type RunScene, runScene } from './scene.ts'

/**
 * The author of a chart hides what is deployed: behind `werf.io/sensitive`, or as the value of a Secret, which is replaced wherever it
 * stands. On a first install there is no record whose digest could be the key of what is hidden.
 */
const config = (command: string, annotations = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, annotations: { ${annotations} } }\nspec: { command: ["${command}"] }`
const secret = (value: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { a: "${value}" }`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')
const key = 'k'.repeat(32)

const ANNOTATION = '/metadata/annotations/eks.amazonaws.com~1role-arn'
const LABEL = '/metadata/labels/pod-security.kubernetes.io~1enforce'

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

/** What becomes of a deploy of the second chart under a plan of the first. */
async function deployed([planned, then]: readonly [string, string], change: Partial<Settings> = {}): Promise<string> {
  scene.renderer.chart(planned)
  const [pass] = await scene.run({ command: 'plan', approval: 'comment', ...change })
  if (pass?.plan === undefined || pass.fingerprint === undefined) throw new Error('there is no plan')
  const plans = [approvedPlanOf(pass.plan, pass.fingerprint)]
  const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
  scene.renderer.chart(then)
  const [result] = await scene.run({ approval: 'comment', ...change }, review)
  const what = result?.problems.map((problem) => problem.what).join('; ') ?? ''
  return result?.outcome.failure === undefined ? 'deployed' : what || result.outcome.failure.message
}

const hidden: readonly [string, readonly [string, string], string][] = [
  ['what werf.io/sensitive hides', marked('werf.io/sensitive: "true"'), '/spec/command/0'],
  ['what werf.io/sensitive-paths hides', marked('werf.io/sensitive-paths: "$.spec"'), '/spec/command/0'],
  ['what stands in a Secret as well', [besideSecret('good-command'), besideSecret('evil-command')], '/spec/command/0'],
  ['an annotation that stands in a Secret as well', [annotated('good-role'), annotated('evil-role')], ANNOTATION],
  ['a label that stands in a Secret as well', [labelled('restricted'), labelled('privileged')], LABEL],
]

function marked(annotation: string): readonly [string, string] {
  return [config('good-command', annotation), config('evil-command', annotation)]
}

function annotated(role: string): string {
  return chart(secret(role), config('run shop', `eks.amazonaws.com/role-arn: "${role}"`))
}

function labelled(level: string): string {
  const labels = `metadata: { name: b, labels: { pod-security.kubernetes.io/enforce: "${level}" } }`
  return chart(secret(level), `apiVersion: v1\nkind: ConfigMap\n${labels}`)
}

function besideSecret(command: string): string {
  return chart(secret(command), config(command))
}

describe('on a first install under an approval', () => {
  test.each(hidden)('%s is refused without approval-key', async (_what, charts, field) => {
    expect(await deployed(charts)).toBe(
      `is hidden and cannot be compared on a first install, so nobody can approve it: ${field}`,
    )
  })

  test.each(hidden)('%s counts with approval-key', async (_what, charts) => {
    expect(await deployed(charts, { approvalKey: key })).toMatch(/differ(s)? from the approved plan$/)
    expect(await deployed([charts[0], charts[0]], { approvalKey: key })).toBe('deployed')
  })

  test('values of Secrets alone count with approval-key, and are not refused without', async () => {
    const charts = [secret('good-password'), secret('evil-password')] as const
    expect(await deployed(charts, { approvalKey: key })).toBe('one operation differs from the approved plan')
    expect(await deployed(charts)).toBe('deployed')
  })

  test('what approval-ignore names is not refused', async () => {
    const ignored = [{ kind: 'ConfigMap', steps: ['spec', 'command', '*'] }]
    expect(await deployed(hidden[0]?.[1] ?? ['', ''], { approvalIgnore: ignored })).toBe('deployed')
  })

  test('a name of the workflow in a Secret hides nothing', async () => {
    const one = chart(secret('shop'), config('run shop'))
    expect(await deployed([one, one])).toBe('deployed')
  })
})

describe('a name that lookup has read from a Secret, which is hidden in the id of the operation', () => {
  const named = (name: string) =>
    scene.cluster.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'names', namespace: 'web' },
      data: { name: Buffer.from(name).toString('base64') },
    } as KubeObject)

  beforeEach(() => {
    const kinds = ['ConfigMap', 'Secret', 'Namespace', 'Pod'].map((kind) => servedKind('', 'v1', kind))
    scene.cluster.setDiscovery({ kinds: [...kinds, servedKind('coordination.k8s.io', 'v1', 'Lease')], failed: [] })
    const render = scene.renderer.render.bind(scene.renderer)
    scene.renderer.render = async (request) => {
      const found = await request.lookup?.('v1', 'Secret', 'web', 'names')
      const name = Buffer.from(stringAt(found, 'data', 'name') ?? '', 'base64').toString('utf8')
      scene.renderer.chart(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }))
      return render(request)
    }
  })

  async function outcomeOf(change: Partial<Settings> = {}) {
    named('good-reader-name')
    const [pass] = await scene.run({ command: 'plan', approval: 'comment', ...change })
    if (pass?.plan === undefined || pass.fingerprint === undefined) throw new Error('there is no plan')
    const plans = [approvedPlanOf(pass.plan, pass.fingerprint)]
    named('evil-reader-name')
    const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
    const [result] = await scene.run({ approval: 'comment', ...change }, review)
    return [result?.outcome.failure?.reason, result?.problems.map(({ what }) => what)]
  }

  test('is refused without approval-key', async () => {
    const what = 'is hidden and cannot be compared on a first install, so nobody can approve it: /metadata/name'
    expect(await outcomeOf()).toEqual(['invalid-input', [what]])
  })

  test('counts with approval-key', async () => {
    expect((await outcomeOf({ approvalKey: key }))[0]).toBe('plan-changed')
  })
})

test('later what is hidden counts under the digest of the record', async () => {
  scene.renderer.chart(secret('first-password'))
  await scene.run({})
  for (const [_what, charts] of hidden) {
    expect(await deployed(charts)).toMatch(/differ(s)? from the approved plan$/)
  }
})
