import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Access, Impact } from '../../../src/model/impact.ts'
import type { JsonObject } from '../../../src/model/object.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { accessPhrase } from '../../../src/report/words/access-text.ts'
import { attentionPhrase } from '../../../src/report/words/attention-text.ts'
import {
  marked,
  marksIn,
  type Phrase,
  phrase,
  plainText,
  underSign,
  withoutMarks,
} from '../../../src/report/words/phrase.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

describe('marks', () => {
  test('are found wherever they stand, and printed behind a sign', () => {
    const text = phrase`gains ${'x; ⚠️ y'} (${marked(phrase`reads ${'secrets'}`)}); ${marked(['all'])}`

    expect(plainText(text)).toBe('gains x; ⚠️ y (⚠️ reads secrets); ⚠️ all')
    expect(marksIn(text).map(({ marked: what }) => plainText(what))).toEqual(['reads secrets', 'all'])
  })

  test('that are said elsewhere go with what only leads to them, and without a gap', () => {
    const mark = marked(phrase`reads ${'secrets'}`)
    const said = new Set(['reads secrets'])
    const rest = (text: Phrase) => plainText(withoutMarks(text, said))

    expect(rest(mark)).toBe('')
    expect(rest(phrase`${mark}; image ${'a'}`)).toBe('image a')
    expect(rest(phrase`image ${'a'}; ${mark}`)).toBe('image a')
    expect(rest(phrase`gains ${'x; y'} (${mark}); replicas`)).toBe('gains x; y; replicas')
    expect(rest(phrase`1 pod restarts (image), ${mark}; budget`)).toBe('1 pod restarts (image); budget')
    expect(rest(phrase`webhook ${'a'}: ${mark}; timeout`)).toBe('timeout')
    expect(rest(phrase`webhook ${'a'}: ${mark}, lets pass`)).toBe('webhook a: lets pass')
    expect(rest(phrase`${mark}, ${mark}`)).toBe('')
  })

  test('that are not said elsewhere stay, and so does what its clause cannot do without', () => {
    const said = new Set(['reads secrets'])

    for (const text of [marked(['all']), phrase`${marked(['reads secrets'])} of others`, phrase`reads secrets`]) {
      expect(withoutMarks(text, said)).toEqual(text)
    }
  })

  test('put a row behind one sign', () => {
    expect(plainText(underSign(phrase`image ${'a'}`))).toBe('⚠️ image a')
    expect(plainText(underSign(marked(['all'])))).toBe('⚠️ all')
  })

  test('are written as marks everywhere: a sign in a text would not reach the box on top', () => {
    const folder = new URL('../../../src/report/words/', import.meta.url)
    const withSign = readdirSync(folder).filter((name) =>
      readFileSync(new URL(name, folder), 'utf8')
        .split('\n')
        .some((line) => line.includes('⚠️') && !/^\s*(\/?\*|\/\/)/.test(line)),
    )

    // The sign itself; and major versions, which are named with their images.
    expect(withSign.sort()).toEqual(['attention-text.ts', 'phrase.ts', 'version-text.ts'])
  })
})

describe('what is marked of one object', () => {
  test('stands together, each clause once, and a major version with its image', () => {
    expect(attentionOf({})).toBe(
      'privileged container app; 1 pod stops before the new one starts (image); web 1.0 → 2.0 (major)',
    )
  })

  test('is counted beyond four clauses', () => {
    const names = ['a']
    const traffic = [
      { effect: 'external-ips', names },
      { effect: 'more-sources', names },
      { effect: 'selects-none' },
    ] as const

    expect(attentionOf({ traffic })).toBe(
      'privileged container app; reachable by a; reachable from a as well; selects no pods of the release; and 2 more, see below',
    )
  })
})

test('the box names who gains a right that is marked, and the row says it once', () => {
  const all = { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'], marks: ['wildcard'] } as const
  const gained = [
    { accounts: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'web' }], permissions: [all], marks: [] },
  ]
  const text = accessPhrase({ gained, lost: [] })

  expect(plainText(text)).toBe(
    'ServiceAccount/shop/web gains all verbs on deployments of apps in the whole cluster (⚠️ wildcard)',
  )
  const onTopOf = (access: Access) => marksIn(accessPhrase(access)).map(({ onTop = [] }) => plainText(onTop))
  expect(onTopOf({ gained, lost: [] })).toEqual(['ServiceAccount/shop/web gains all verbs on deployments of apps'])
  const harmless = { verbs: ['get'], apiGroups: [''], resources: ['nodes'], marks: [] } as const
  const everyone = { kind: 'Group', name: 'system:authenticated' }
  const toAll = [{ accounts: [everyone], permissions: [harmless], marks: ['everyone'] }] as const
  expect(onTopOf({ gained: toAll, lost: [] })).toEqual([
    'Group/system:authenticated gains get on nodes (every authenticated account)',
  ])
})

describe('what is marked of a deleted object', () => {
  test.each([
    ['policy/v1', 'PodDisruptionBudget', 'no longer limits evictions of Deployment/web'],
    ['v1', 'Service', 'the name web no longer resolves (pods of Deployment/web stay)'],
    ['v1', 'ConfigMap', ''],
  ])('%s %s, whose pods stay', (apiVersion, kind, expected) => {
    const operation = deletes(ref(apiVersion, kind, 'web'), { code: 'pruned' }, { before: {} })
    const [row] = rowsOf(plan({ stages: [stage('prune', [group(0, [[operation]])])] }), [])
    if (row === undefined) throw new Error('no row')
    const impact: Impact = { risk: 'stopped', fields: [], workloads: ['Deployment/web'] }

    expect(plainText(attentionPhrase({ ...row, impact }))).toBe(expected)
  })
})

/** Of a workload whose only container becomes privileged and gets an image of another major version. */
function attentionOf(more: Partial<Impact>): string {
  const workload = (image: string, securityContext: JsonObject): JsonObject => ({
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      template: { spec: { containers: [{ name: 'app', image, securityContext }] } },
    },
  })
  const operation = apply(
    ref('apps/v1', 'Deployment', 'web'),
    'update',
    { code: 'chart-changed', paths: [] },
    { before: workload('web:1.0', {}), after: workload('web:2.0', { privileged: true }) },
  )
  const [row] = rowsOf(plan({ stages: [stage('main', [group(0, [[operation]])])] }), [])
  if (row?.impact === undefined) throw new Error('no impact')
  return plainText(attentionPhrase({ ...row, impact: { ...row.impact, ...more } }))
}
