import { load, loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { NeededRight } from '../../src/model/access.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { neededRights, recordRights } from '../../src/plan/rights.ts'
import { rightsProblems, withRightsProblems } from '../../src/plan/rights-problems.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { roleLine } from '../../src/report/words/role.ts'
import { parseGiven, planInput } from './given.ts'

/** `verb resource.group namespace name`, those of the record left out; `?` where the run goes on without it. */
function rights(text: string): readonly string[] {
  const input = planInput(parseGiven(text))
  const ofRecord = new Set(recordRights({ namespace: 'web', verb: input.verb }).map(lineOf))
  return neededRights(makePlan(input).plan, input.served)
    .map(lineOf)
    .filter((line) => !ofRecord.has(line))
}

function lineOf({ verb, group, resource, namespace = '-', name = '*', isAdvisory }: NeededRight): string {
  return `${verb} ${resource}.${group} ${namespace} ${name}${isAdvisory ? ' ?' : ''}`
}

const config = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: x } }'
const old = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'

describe('rights that a plan needs: what is missing is named at once, with all verbs', () => {
  test.each<[string, string, readonly string[]]>([
    ['a creation', `chart: [${config}]`, ['create configmaps. web *', 'patch configmaps. web a']],
    ['an update', `verb: upgrade\nprevious: [${old}]\nchart: [${config}]`, ['patch configmaps. web a']],
    [
      'a deletion, whose absence is awaited',
      `verb: upgrade\nprevious: [${old}]`,
      ['get configmaps. web a', 'list configmaps. web a', 'watch configmaps. web a', 'delete configmaps. web a'],
    ],
    [
      'a hook whose last run is still there',
      `
      chart: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { helm.sh/hook: pre-install } } }]
      live: [${old}]`,
      [
        'get configmaps. web a',
        'list configmaps. web a',
        'watch configmaps. web a',
        'delete configmaps. web a',
        'create configmaps. web *',
        'patch configmaps. web a',
      ],
    ],
    [
      'a wait, and what tells about it',
      'chart: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a } }]',
      [
        'create deployments.apps web *',
        'patch deployments.apps web a',
        'get deployments.apps web a',
        'list deployments.apps web a',
        'watch deployments.apps web a',
        'list pods. web * ?',
        'watch pods. web * ?',
        'list replicasets.apps web * ?',
        'watch replicasets.apps web * ?',
        'get pods/log. web * ?',
        'list events. web * ?',
      ],
    ],
    [
      'an object of no namespace',
      'chart: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: a } }]',
      ['create clusterroles.rbac.authorization.k8s.io - *', 'patch clusterroles.rbac.authorization.k8s.io - a'],
    ],
    [
      'nothing of a kind that nobody serves yet',
      'chart: [{ apiVersion: example.com/v1, kind: Widget, metadata: { name: a } }]',
      [],
    ],
  ])('%s', (_what, text, expected) => {
    expect(rights(text)).toEqual(expected)
  })

  test('the record and the lock', () => {
    expect(recordRights({ namespace: 'web', verb: 'upgrade' }).map(lineOf)).toEqual([
      'get secrets. web *',
      'list secrets. web *',
      'create secrets. web *',
      'update secrets. web *',
      'delete secrets. web * ?',
      'get leases.coordination.k8s.io web *',
      'create leases.coordination.k8s.io web *',
      'update leases.coordination.k8s.io web *',
    ])
  })

  test('none where nothing is to be done', () => {
    const input = planInput(parseGiven(`verb: upgrade\nprevious: [${config}]\nchart: [${config}]`))
    expect(neededRights(makePlan(input).plan, input.served)).toEqual([])
  })

  test('what was refused for lack of a right, and so has no operation', () => {
    const refused = 'answers: { ConfigMap/web/a: { kind: forbidden, message: no } }'
    expect(rights(`chart: [${config}]\n${refused}`)).toEqual([
      'get configmaps. web a',
      'list configmaps. web a',
      'create configmaps. web *',
      'patch configmaps. web a',
    ])
  })

  test('an object that may not be read blocks, with the Role to paste', () => {
    const input = planInput(parseGiven(`chart: [${config}]`))
    const unreadable = new Map([['/ConfigMap/web/a', 'user ci cannot get configmaps']])
    const { problems } = makePlan({ ...input, observed: { ...input.observed, unreadable } }).plan
    const role = load(
      hintText(problems[0]?.hint ?? { kind: 'grant-reading' }).replace('bind this to the account: ', ''),
    )
    expect([problems[0]?.reason, role]).toMatchObject([
      'forbidden',
      {
        metadata: { namespace: 'web' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
      },
    ])
  })
})

const some: readonly NeededRight[] = [
  { verb: 'patch', group: 'apps', resource: 'deployments', namespace: 'web', name: 'a' },
  { verb: 'create', group: 'apps', resource: 'deployments', namespace: 'web' },
  { verb: 'create', group: 'apps', resource: 'statefulsets', namespace: 'web' },
  { verb: 'patch', group: 'apps', resource: 'statefulsets', namespace: 'web', name: 'b' },
  { verb: 'delete', group: '', resource: 'configmaps', namespace: 'web', name: 'c' },
  { verb: 'patch', group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'd' },
  { verb: 'list', group: '', resource: 'events', namespace: 'web', isAdvisory: true },
]

describe('the Role to paste', () => {
  test('one per namespace, a ClusterRole for the rest, resources of the same verbs in one rule', () => {
    const items = loadAll(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: staged-helm-deploy
rules:
  - apiGroups: ["rbac.authorization.k8s.io"]
    resources: ["clusterroles"]
    verbs: ["patch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: staged-helm-deploy
  namespace: "web"
rules:
  - apiGroups: [""]
    resources: ["configmaps"]
    verbs: ["delete"]
  - apiGroups: [""]
    resources: ["events"]
    verbs: ["list"]
  - apiGroups: ["apps"]
    resources: ["deployments", "statefulsets"]
    verbs: ["create", "patch"]
`)
    expect(load(roleLine(some))).toEqual({ apiVersion: 'v1', kind: 'List', items })
  })

  test('stands on one line', () => {
    expect(roleLine(some)).not.toContain('\n')
  })
})

describe('missing rights as problems', () => {
  test('all verbs at once; what tells less only warns', () => {
    expect(
      rightsProblems(some, { severity: 'error' }).map(({ severity, reason, what }) => [severity, reason, what]),
    ).toEqual([
      [
        'error',
        'forbidden',
        'this account may not create, patch deployments.apps in web; create, patch statefulsets.apps in web; ' +
          'delete configmaps in web; patch clusterroles.rbac.authorization.k8s.io',
      ],
      ['warning', 'forbidden', 'this account may not list events in web, which a deploy can do without'],
    ])
  })

  test('the Role is told once', () => {
    expect(rightsProblems(some, { severity: 'error' }).map(({ hint }) => hint !== undefined)).toEqual([true, false])
    expect(rightsProblems(some.slice(-1), { severity: 'error' }).map(({ hint }) => hint !== undefined)).toEqual([true])
  })

  test('the Role holds all that the plan needs', () => {
    const [problem] = rightsProblems(some.slice(0, 1), { severity: 'warning', needed: some })
    expect(problem?.severity).toBe('warning')
    expect(problem?.hint && hintText(problem.hint)).toBe(`bind this to the account: ${roleLine(some)}`)
  })

  test('stand for the refusals of single objects only where they block the plan as well', () => {
    const problem = { severity: 'error', place: {}, what: 'x' } as const
    const problems = [
      { ...problem, reason: 'forbidden' as const },
      { ...problem, reason: 'conflict' as const },
    ]
    const reasons = (missing: readonly NeededRight[]) =>
      withRightsProblems(problems, missing, { severity: 'error' }).map(
        ({ severity, reason }) => `${severity} ${reason}`,
      )
    expect(reasons(some.slice(0, 1))).toEqual(['error forbidden', 'error conflict'])
    expect(reasons(some.slice(-1))).toEqual(['warning forbidden', 'error forbidden', 'error conflict'])
  })

  test('none where none is missing', () => {
    expect(rightsProblems([], { severity: 'error' })).toEqual([])
  })
})
