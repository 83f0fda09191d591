import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { changeDetails } from '../../../src/report/markdown/change-details.ts'
import { stagesPicture } from '../../../src/report/markdown/flowchart.ts'
import { rowTable, shortRef } from '../../../src/report/markdown/row-table.ts'
import { sharedRows } from '../../../src/report/markdown/shared-rows.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { imagePhrase } from '../../../src/report/words/image-changes.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { tableLines } from '../../../src/report/words/table-lines.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'
import { noisyPlan } from '../shapes.ts'

const created = { code: 'new' } as const
const pruned = { code: 'pruned' } as const

describe('images on top', () => {
  const images = (...pairs: readonly (readonly [string, string])[]) =>
    plainText(
      imagePhrase(
        rows(
          ...pairs.map(([before, after], index) =>
            apply(ref('apps/v1', 'Deployment', `d${index}`), 'update', created, {
              before: pods(before),
              after: pods(after),
            }),
          ),
        ),
      ),
    )

  test.each([
    ['reg:5000/shop/web:1.2', 'reg:5000/shop/web:1.3', 'web 1.2 → 1.3'],
    ['shop/web', 'shop/web:1.3', 'web latest → 1.3'],
    ['a.example/web:1.2', 'b.example/web:1.2', 'a.example/web:1.2 → b.example/web:1.2'],
    [`web@sha256:${'a'.repeat(64)}`, `web@sha256:${'b'.repeat(64)}`, 'web aaaaaaaaaaaa → bbbbbbbbbbbb'],
    ['web:1', 'web:1', ''],
  ])('%s to %s', (before, after, text) => {
    expect(images([before, after])).toBe(text)
  })

  test('each change once, major versions first, and of many the first', () => {
    const many = Array.from(
      { length: 9 },
      (_, index) => [`i${index}:1.0`, `i${index}:${index === 8 ? 2 : 1}.1`] as const,
    )

    expect(images(['web:1', 'web:2'], ['web:1', 'web:2'])).toBe('web 1 → 2 (⚠️ major)')
    expect(images(...many)).toMatch(/^i8 1.0 → 2.1 \(⚠️ major\), i0 1.0 → 1.1, .*i4 1.0 → 1.1 and 3 more$/)
  })
})

describe('rows that share a line', () => {
  const sizes = (all: readonly Row[], kind: 'plan' | 'run') =>
    tableLines(all, 'rows', kind).map((line) => line.rows.length)
  const create = (amount: number, kind = 'ConfigMap', to = created) =>
    rows(...Array.from({ length: amount }, (_, index) => apply(ref('v1', kind, `c${index}`), 'create', to)))

  test('are of one kind and have the same to tell; in a run, more than five equal quick ones', () => {
    expect(sizes([...create(2), ...create(3, 'Service')], 'plan')).toEqual([2, 3])
    expect([sizes(create(5), 'run').length, sizes(create(6), 'run').length]).toEqual([5, 1])
  })

  test('are deletions, too, and all of them are named', () => {
    const all = rows(...Array.from({ length: 30 }, (_, index) => deletes(ref('v1', 'ConfigMap', `c${index}`), pruned)))
    const table = rowTable(all, { kind: 'plan', detail: 'rows', namespace: 'shop' })

    expect(sizes(all, 'plan')).toEqual([30])
    for (const { ref: to } of all) expect(table).toContain(`\`${to.name}\``)
  })

  test('are never what holds data, nor what is marked', () => {
    const claims = rows(
      ...['a', 'b'].map((name) => deletes(ref('v1', 'PersistentVolumeClaim', name), pruned)),
      ...['c', 'd'].map((name) =>
        apply(ref('v1', 'Service', name), 'create', created, { after: { spec: { type: 'LoadBalancer' } } }),
      ),
    )

    expect(sizes(claims, 'plan')).toEqual([1, 1, 1, 1])
  })

  test('are noise, however few; a restart of pods is none', () => {
    const all = noisyPlan.plan === undefined ? [] : rowsOf(noisyPlan.plan, [])
    const folded = tableLines(all, 'rows', 'plan').filter(({ first }) => first.impact?.noise !== undefined)

    expect(folded.map((line) => [line.first.impact?.noise, line.rows.length])).toEqual([['labels', 8]])
  })

  test('are named in a fold where the table only counts them', () => {
    const relabelled = (amount: number) =>
      rows(
        ...Array.from({ length: amount }, (_, index) =>
          apply(
            ref('v1', 'ConfigMap', `c${index}`),
            'update',
            { code: 'chart-changed', paths: [] },
            {
              before: { metadata: { labels: { 'helm.sh/chart': 'a-1' } } },
              after: { metadata: { labels: { 'helm.sh/chart': 'a-2' } } },
            },
          ),
        ),
      )
    const fold = (amount: number) =>
      sharedRows(relabelled(amount), { kind: 'plan', namespace: 'shop', maxNames: 2, named: new Set() })

    expect(fold(10)).toEqual([])
    expect(fold(11)[0]).toContain(
      '11 objects: only chart and version labels change</summary>\n\n`ConfigMap/c0`, `ConfigMap/c1` and 9 more',
    )
  })
})

describe('labels and annotations that may steer something', () => {
  const scheme = 'service.beta.kubernetes.io/aws-load-balancer-scheme'
  const service = (name: string, annotations: JsonObject, labels: JsonObject = {}) =>
    apply(
      ref('v1', 'Service', name),
      'update',
      { code: 'chart-changed', paths: [] },
      {
        before: { metadata: { annotations: { [scheme]: 'internal' }, labels: { chart: 'a-1' } } },
        after: { metadata: { annotations, labels: { chart: 'a-2', ...labels } } },
      },
    )
  const lines = (...services: readonly ReturnType<typeof service>[]) => tableLines(rows(...services), 'rows', 'plan')
  const whys = (...services: readonly ReturnType<typeof service>[]) =>
    lines(...services).map(({ first }) => plainText(whyPhrase(first)))

  test('are the reason, with their values, and keys that steer nothing are left out', () => {
    expect(whys(service('a', { [scheme]: 'internet-facing' }))).toEqual([
      'annotation …/aws-load-balancer-scheme internal → internet-facing',
    ])
    expect(whys(service('a', { b: '1', c: '2', d: 'x'.repeat(61) }))).toEqual([
      'annotation …/aws-load-balancer-scheme removed: internal, annotation b added: 1, annotation c added: 2 and 1 more',
    ])
  })

  test('share a row where the same ones get the same values, however many there are', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(lines(...names.map((name) => service(name, { [scheme]: 'internet-facing' })))).toHaveLength(1)
    expect(lines(...names.map((name) => service(name, { [scheme]: name })))).toHaveLength(7)
  })

  test('are closed: the table has their values', () => {
    const [one] = changeDetails(rows(service('a', {})), { verb: 'upgrade', context: 3, mayOpen: true })
    expect(one?.markdown).toMatch(/^<details><summary>/)
  })
})

test('a label that somebody else changed is drift, not noise', () => {
  const body = (chart: string): JsonObject => ({ metadata: { labels: { 'helm.sh/chart': chart } } })
  const drift = {
    code: 'drift',
    drift: [{ manager: 'kubectl-edit', path: '/metadata/labels/helm.sh~1chart' }],
  } as const
  const [row] = rows(
    apply(ref('v1', 'Service', 'web'), 'update', drift, { before: body('x'), after: body('shop-1.8.0') }),
  )

  expect(row?.impact?.noise).toBeUndefined()
})

test('what changes of a CRD is said in words, never as lines of its schema', () => {
  const crd = rowsOf(noisyPlan.plan ?? plan({}), []).filter(({ ref: { kind } }) => kind === 'CustomResourceDefinition')
  const [one] = changeDetails(crd, { verb: 'upgrade', context: 3, mayOpen: true })

  expect(one?.markdown).toContain('- `v1`\n  - removed: `color`\n  - added: `shape`, `weight`\n')
  expect(one?.markdown).not.toContain('properties')
})

test('a CustomResourceDefinition of another group is shown like any other object', () => {
  const foreign = ref('example.com/v1', 'CustomResourceDefinition', 'a', 'other')
  const after = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties: { a: {} } } } }] } }
  const all = rows(apply(foreign, 'create', created, { after }))
  expect(changeDetails(all, { verb: 'upgrade', context: 3, mayOpen: true })[0]?.markdown).toContain('properties')
  expect(shortRef(foreign, 'web')).toBe('CustomResourceDefinition/other/a')
  const other = ref('v1', 'ConfigMap', 'b')
  const twoWeights = [group(0, [[apply(foreign, 'create', created)]]), group(1, [[apply(other, 'create', created)]])]
  const boxes = stagesPicture(rowsOf(plan({ stages: [stage('main', twoWeights)] }), []))
  expect(boxes).toContain('CustomResourceDefinition a')
})

describe('objects in which the same lines change', () => {
  const changed = { code: 'chart-changed', paths: [] } as const
  const titles = (kind: string, ...bodies: readonly (readonly [JsonObject, JsonObject])[]) => {
    const operations = bodies.map(([before, after], index) =>
      apply(ref(kind === 'Deployment' ? 'apps/v1' : 'v1', kind, `o${index}`), 'update', changed, { before, after }),
    )
    const blocks = changeDetails(rows(...operations), { verb: 'upgrade', context: 3, mayOpen: true })
    return blocks.map(({ markdown, rows: members }) => {
      const title = /<summary>(.*) \([-+0-9 ]+\)<\/summary>/.exec(markdown)?.[1]?.replaceAll(/<\/?code>/g, '')
      return `${title}: ${members.length}${markdown.includes('The same lines change in `') ? ' named' : ''}`
    })
  }
  const text = (name: string, line: string, rest: string): [JsonObject, JsonObject] => [
    { data: { [name]: `a\n${rest}\nold\n` } },
    { data: { [name]: `a\n${rest}\n${line}\n` } },
  ]
  const worker = (name: string, env: string, field = 'env'): [JsonObject, JsonObject] => {
    const of = (items: readonly JsonObject[]): JsonObject => ({
      spec: { template: { spec: { containers: [{ name, image: `${name}:1`, [field]: items }] } } },
    })
    return [
      of([{ name: 'A', value: name }]),
      of([
        { name: 'A', value: name },
        { name: 'B', value: env },
      ]),
    ]
  }

  test('have one diff, whatever their containers and keys are called and whatever stands around', () => {
    expect(titles('ConfigMap', text('a.json', 'new', 'x'), text('b.json', 'new', 'y'), text('c', 'new', 'z'))).toEqual([
      'ConfigMap/shop/o0 and 2 alike: 3 named',
    ])
    expect(titles('Deployment', worker('main', '2'), worker('sync', '2'))).toEqual([
      'Deployment/shop/o0 and 1 alike: 2 named',
    ])
  })

  test('have two where a line or its place differs', () => {
    expect(titles('ConfigMap', text('a', 'new', 'x'), text('b', 'newer', 'y'))).toHaveLength(2)
    expect(titles('Deployment', worker('main', '2'), worker('sync', '3'))).toHaveLength(2)
    expect(titles('Deployment', worker('main', '2'), worker('sync', '2', 'others'))).toHaveLength(2)
  })

  test('have two where a value is hidden, a long line is cut, or another label changes', () => {
    const long = (end: string) => `${'x'.repeat(400)}${end}`
    const labelled = ([before, after]: [JsonObject, JsonObject], value: string): [JsonObject, JsonObject] => [
      before,
      { ...after, metadata: { labels: { team: value } } },
    ]
    const secret = (key: string): [JsonObject, JsonObject] => [
      { data: { [key]: 'a\n***\nold\n' } },
      { data: { [key]: 'a\n***x\nold\n' } },
    ]

    expect(titles('ConfigMap', text('a', long('1'), 'x'), text('b', long('2'), 'y'))).toHaveLength(2)
    expect(titles('ConfigMap', secret('a'), secret('b'))).toHaveLength(2)
    const [one, other] = [labelled(text('a', 'new', 'x'), 'v'), labelled(text('b', 'new', 'y'), 'w')]
    expect(titles('ConfigMap', one, other)).toHaveLength(2)
  })
})

describe('what opens', () => {
  const changed = { code: 'chart-changed', paths: [] } as const
  const blocksOf = (...operations: readonly Operation[]) =>
    changeDetails(rows(...operations), { verb: 'upgrade', context: 3, mayOpen: true })
  const role = ref('rbac.authorization.k8s.io/v1', 'ClusterRole', 'operator', '')
  const rules = (...verbs: readonly string[][]): JsonObject => ({
    rules: verbs.map((all, index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: all })),
  })
  /** By a role of Kubernetes, so that somebody has it. */
  const collected = (one: JsonObject): JsonObject => ({
    ...one,
    metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
  })
  const update = (to: typeof role, before: JsonObject, after: JsonObject) =>
    blocksOf(apply(to, 'update', changed, { before, after }))

  test('what is said in words is open, and its lines are folded below, also where they are many', () => {
    const many = (verb: string) => rules(...Array.from({ length: 12 }, () => ['get', verb]))
    const [one] = update(role, many('list'), many('*'))

    expect(one?.markdown).toMatch(/^<details open><summary><code>ClusterRole\/operator<\/code>[^\n]*\n\n- /)
    expect(one?.markdown).toContain('<details><summary>The diff</summary>\n\n```diff\n')
  })

  test('one line that the row says already is not repeated above the diff', () => {
    const [one] = update(role, rules(['get']), rules(['get', 'list']))

    expect(one?.markdown).toMatch(/^<details open><summary>[^\n]*\n\n```diff\n/)
  })

  test('a new object with a mark is open, any other new object is closed', () => {
    const blocks = blocksOf(
      apply(role, 'create', created, { after: collected(rules(['*'])) }),
      apply(ref('v1', 'ConfigMap', 'plain'), 'create', created, { after: data('a') }),
    )

    expect(blocks.map(({ markdown }) => markdown.startsWith('<details open>'))).toEqual([true, false])
  })

  test('what a row is marked for stands before the rest, never cut, and open', () => {
    const workload = (name: string, context: JsonObject, args: readonly string[]): JsonObject => ({
      spec: { template: { spec: { containers: [{ name: 'app', args, env: [{ name, value: name }], ...context }] } } },
    })
    const safe = { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }
    const args = (word: string) => Array.from({ length: 90 }, (_, index) => `${word}${index}`)
    const web = ref('apps/v1', 'Deployment', 'web')
    const bodies = { before: workload('A', safe, args('old')), after: workload('A', {}, args('new')) }
    const [one] = changeDetails(rows(apply(web, 'update', changed, bodies)), {
      verb: 'upgrade',
      context: 3,
      mayOpen: true,
      maxLines: 40,
    })

    expect(one?.markdown.split('\n').slice(0, 16)).toEqual([
      '<details open><summary><code>Deployment/shop/web</code> (+90 -95)</summary>',
      '',
      '```diff',
      '@@ spec.template.spec.containers[app] @@',
      '-          securityContext:',
      '-            allowPrivilegeEscalation: false',
      '-            capabilities:',
      '-              drop:',
      '-                - ALL',
      '```',
      '',
      '<details><summary>All other changes of the object</summary>',
      '',
      '```diff',
      '@@ spec.template.spec.containers[app].args @@',
      '     spec:',
    ])
    expect(one?.markdown).toContain('more lines @@\n```\n\n</details>\n\n</details>')
  })

  test('the rest of a marked workload follows by what matters most, and only as far as it is read at once', () => {
    const container = (more: JsonObject, ...init: readonly JsonObject[]): JsonObject => ({
      spec: {
        minReadySeconds: init.length,
        template: {
          spec: {
            containers: [{ name: 'app', image: 'app:1', ...more }],
            ...(init.length > 0 && { initContainers: [...init] }),
          },
        },
      },
    })
    const limits = (cpu: string): JsonObject => ({ limits: { cpu }, requests: { cpu } })
    const volumes = (word: string) =>
      Array.from({ length: 40 }, (_, index) => ({ name: `${word}${index}`, mountPath: `/${word}${index}` }))
    const [one] = blocksOf(
      apply(ref('apps/v1', 'Deployment', 'web'), 'update', changed, {
        before: container(
          {
            resources: limits('100m'),
            securityContext: { allowPrivilegeEscalation: false },
            volumeMounts: volumes('a'),
          },
          { name: 'init', image: 'busybox' },
        ),
        after: container({ resources: limits('200m'), volumeMounts: volumes('b') }),
      }),
    )
    const open = one?.markdown.split('<details><summary>All other')[0] ?? ''

    expect(open).toContain('-          securityContext:\n')
    expect(open).toContain('-              cpu: 100m\n')
    expect(open).not.toContain('minReadySeconds')
  })

  test('a workload that changes much shows what matters most, and is not closed for all of it', () => {
    const body = (command: string, word: string): JsonObject => ({
      spec: {
        template: {
          spec: {
            containers: [{ name: 'app', image: 'app:1', command: [command] }],
            hostAliases: Array.from({ length: 30 }, (_, index) => ({ ip: '10.0.0.1', hostnames: [`${word}${index}`] })),
          },
        },
      },
    })
    const [one] = blocksOf(
      apply(ref('apps/v1', 'Deployment', 'web'), 'update', changed, { before: body('a', 'x'), after: body('b', 'y') }),
    )

    expect(one?.markdown.split('\n').slice(0, 8)).toEqual([
      '<details open><summary><code>Deployment/shop/web</code> (+31 -31)</summary>',
      '',
      '```diff',
      '@@ spec.template.spec.containers[app].command @@',
      '-            - a',
      '+            - b',
      '```',
      '',
    ])
  })

  test('what new and deleted objects hold comes behind what changes, but for deleted data', () => {
    const changedMap = { before: data('a'), after: data('b') }
    const blocks = blocksOf(
      deletes(ref('v1', 'Service', 'gone'), pruned, { before: { spec: {} } }),
      deletes(ref('apps/v1', 'Deployment', 'gone'), pruned, { before: pods('a:1') }),
      deletes(ref('v1', 'Secret', 'gone'), pruned, { before: data('a') }),
      deletes(ref('example.com/v1', 'Database', 'gone'), pruned, { before: { spec: { size: 1 } } }),
      deletes(ref('v1', 'PersistentVolumeClaim', 'gone'), pruned, { before: { spec: { size: 1 } } }),
      apply(ref('v1', 'ConfigMap', 'new'), 'create', created, { after: data('a') }),
      apply(ref('v1', 'ConfigMap', 'other'), 'update', changed, changedMap),
      apply(role, 'create', created, { after: collected(rules(['*'])) }),
    )

    expect(blocks.map(({ rows: [row] }) => `${row?.change} ${row?.ref.kind}`)).toEqual([
      'delete PersistentVolumeClaim',
      'create ClusterRole',
      'delete Secret',
      'delete Database',
      'update ConfigMap',
      'delete Service',
      'delete Deployment',
      'create ConfigMap',
    ])
  })

  test('rights written otherwise, a certificate made anew and checksums are closed', () => {
    const webhook = ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard', '')
    const trusts = (caBundle: string): JsonObject => ({
      webhooks: [{ name: 'a.example.com', clientConfig: { caBundle } }],
    })
    const summed = (sum: string): JsonObject => ({
      spec: {
        template: { metadata: { annotations: { 'checksum/config': sum.repeat(64) } }, spec: { containers: [] } },
      },
    })
    const split = { rules: [rule('pods'), rule('nodes')] }
    const joined = { rules: [rule('nodes', 'pods')] }
    const blocks = [
      ...update(role, split, joined),
      ...update(webhook, trusts('QQ=='), trusts('Qg==')),
      ...update(ref('apps/v1', 'Deployment', 'web'), summed('a'), summed('b')),
    ]

    expect(blocks.map(({ markdown }) => markdown.startsWith('<details open>'))).toEqual([false, false, false])
  })
})

function rule(...resources: readonly string[]): JsonObject {
  return { apiGroups: [''], resources, verbs: ['get'] }
}

function rows(...operations: readonly Operation[]) {
  return rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), [])
}

function data(text: string): JsonObject {
  return { data: { text } }
}

function pods(image: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } }
}
