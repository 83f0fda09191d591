import { describe, expect, test } from 'vitest'
import { hintLines } from '../../../src/report/markdown/hint-lines.ts'
import { planJson } from '../../../src/report/outputs/plan-file.ts'
import { hintText } from '../../../src/report/words/hint-text.ts'
import { blockedPlan } from '../shapes.ts'

describe('a hint', () => {
  test.each([
    [
      { kind: 'bind-role', rights: [{ verb: 'get', group: '', resource: 'pods', namespace: 'web' }] },
      'bind this to the account: {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"staged-helm-deploy","namespace":"web"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}',
    ],
    [
      { kind: 'choose-revision', revisions: [1, 2].map((revision) => ({ revision, status: 'superseded' })) },
      'choose one of 1 (superseded), 2 (superseded)',
    ],
    [
      { kind: 'wait-for-helm', release: 'shop' },
      'wait for it to end; if it was interrupted, run `helm rollback shop` once, or wait an hour',
    ],
    [
      { kind: 'give-kubeconfig', orPlanWithout: false },
      'set the input `kubeconfig`, or log in to the cluster in an earlier step',
    ],
    [
      { kind: 'give-kubeconfig', orPlanWithout: true },
      'set the input `kubeconfig`, or log in to the cluster in an earlier step; with cluster: none a plan needs no cluster',
    ],
    [
      { kind: 'supported-exec-versions', versions: ['v1', 'v1beta1'] },
      'generate the kubeconfig again; supported versions are v1 and v1beta1',
    ],
    [{ kind: 'write-form', form: 'a whole number in quotes' }, 'write a whole number in quotes'],
    [{ kind: 'add-fields', fields: ['apiVersion', 'kind'] }, 'add apiVersion and kind'],
    [{ kind: 'name-release', orGiveCharts: false }, 'name the release'],
    [{ kind: 'name-release', orGiveCharts: true }, 'name the release, or give charts'],
    [{ kind: 'quote-text' }, 'put it in quotes'],
  ] as const)('is one clause: %j', (hint, text) => {
    expect(hintText(hint)).toBe(text)
  })

  test('with a Role too long to lay out stays on one line', () => {
    const rights = Array.from({ length: 400 }, (_none, index) => ({
      verb: 'get',
      group: '',
      resource: `kind-${'x'.repeat(50)}-${index}`,
      namespace: `web-${index}`,
    }))
    expect(hintLines({ kind: 'bind-role', rights })).toHaveLength(1)
  })

  test('is worded in the file of the plan', () => {
    const { plan } = blockedPlan
    if (plan === undefined) throw new Error('the shape has a plan')
    const problem = {
      severity: 'error',
      reason: 'forbidden',
      place: {},
      what: 'no',
      hint: { kind: 'grant-reading' },
    } as const
    const document = JSON.parse(planJson([{ ...blockedPlan, plan: { ...plan, problems: [problem] } }]))
    expect(document.releases[0].problems).toEqual([
      { ...problem, hint: { kind: 'grant-reading', text: 'grant the permission to read it' } },
    ])
  })
})
