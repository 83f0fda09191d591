import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApplyOperation, Operation, Stage } from '../../../src/model/plan.ts'
import type { Ref } from '../../../src/model/ref.ts'
import { comment } from '../../../src/report/comment/comment.ts'
import { stagesPicture } from '../../../src/report/markdown/flowchart.ts'
import { byteLength } from '../../../src/report/markdown/markdown.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { hostilePass, hostileText } from '../hostile.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'
import { info } from '../runs.ts'
import { noisyPlan } from '../shapes.ts'

/** Limits of Mermaid on GitHub. */
const MAX_CHARS = 50_000
const MAX_ARROWS = 500

const isNew = { code: 'new' } as const
const web = ref('apps/v1', 'Deployment', 'web')
const config = ref('v1', 'ConfigMap', 'web')
const claim = ref('v1', 'PersistentVolumeClaim', 'data')
const smoke = ref('batch/v1', 'Job', 'smoke')

function rows(...stages: readonly Stage[]) {
  return rowsOf(plan({ stages }), [])
}

function weights(amount: number, name = (weight: number) => `c${weight}`) {
  const one = (weight: number): readonly Operation[] => [apply(ref('v1', 'ConfigMap', name(weight)), 'create', isNew)]
  return rows(
    stage(
      'main',
      Array.from({ length: amount }, (_, weight) => group(weight, [one(weight)])),
    ),
  )
}

/** Lines of the picture inside of its fence. */
function linesOf(shown: readonly Row[]): readonly string[] {
  const lines = stagesPicture(shown).split('\n')
  return lines.slice(lines.indexOf('```mermaid') + 1, lines.lastIndexOf('```'))
}

/** The box of what happens in the main stage, which comes after another one: one box alone makes no picture. */
function mainBox(...operations: readonly Operation[]): string {
  const hook = apply(smoke, 'create', isNew, { hook: 'pre-upgrade' })
  const lines = linesOf(rows(stage('pre', [group(0, [[hook]])]), stage('main', [group(0, [operations])])))
  return lines.find((line) => line.startsWith('    n1[')) ?? ''
}

describe('the picture of a plan', () => {
  test('has a frame per stage, a box per weight, and what is waited for between them', () => {
    const shown = rows(
      stage('main', [
        group(0, [[apply(config, 'create', isNew), apply(ref('v1', 'Service', 'web'), 'none', { code: 'unchanged' })]]),
        group(1, [[apply(web, 'create', isNew)], [awaits(web, 'ready')]]),
      ]),
      stage('post', [
        group(-5, [[apply(smoke, 'create', isNew, { hook: 'post-upgrade' })], [awaits(smoke, 'complete')]]),
      ]),
    )

    expect(linesOf(shown)).toEqual([
      'flowchart LR',
      '  subgraph s0["main"]',
      '    direction LR',
      '    n0["<b>weight 0</b><br/>create ConfigMap web<br/>1 unchanged"]:::new',
      '    n1["<b>weight 1</b><br/>create Deployment web"]:::new',
      '    n0 --> n1',
      '  end',
      '  subgraph s1["post"]',
      '    direction LR',
      '    n2["<b>hooks, weight -5</b><br/>run Job smoke"]:::hook',
      '  end',
      '  s0 -->|"until ready"| s1',
      '  style s0 fill:none,stroke:#8c959f',
      '  style s1 fill:none,stroke:#8c959f',
      '  classDef new fill:#dafbe1,stroke:#1a7f37,color:#0f3d1e',
      '  classDef hook fill:#ddf4ff,stroke:#0969da,color:#0a3069',
    ])
  })

  test.each([
    ['a deletion that loses data', [deletes(claim, { code: 'pruned' }), apply(web, 'create', isNew)], 'risk'],
    ['another deletion', [deletes(config, { code: 'pruned' }), apply(web, 'create', isNew)], 'change'],
    ['what waits alone', [awaits(web, 'ready', { isExternal: true })], 'hook'],
    ['nothing that changes', [apply(web, 'none', { code: 'unchanged' })], 'quiet'],
    [
      'something new beside what stays',
      [apply(web, 'create', isNew), apply(config, 'none', { code: 'unchanged' })],
      'new',
    ],
  ])('of %s has the colour of the riskiest change', (_what, operations, colour) => {
    const box = mainBox(...operations)

    expect(box.split(':::')[1]).toBe(colour)
  })

  test('names the riskiest changes of a box first, and says how many more there are', () => {
    const created = Array.from({ length: 9 }, (_, index) => apply(ref('v1', 'ConfigMap', `c${index}`), 'create', isNew))
    const operations = [...created, apply(ref('v1', 'PersistentVolumeClaim', 'x'), 'recreate', isNew)]
    const box = mainBox(...operations)

    expect(box).toMatch(
      /<\/b><br\/>recreate PersistentVolumeClaim x<br\/>create ConfigMap c0<br\/>.*<br\/>and 4 more"\]:::risk$/,
    )
  })

  test('tells what is noise from what stays, and shows each hook that runs', () => {
    const labels = (chart: string) => ({ metadata: { name: 'x', labels: { 'helm.sh/chart': chart } } })
    const noisy = (of: Ref, parts: Partial<ApplyOperation> = {}) =>
      apply(
        of,
        'update',
        { code: 'chart-changed', paths: [] },
        { before: labels('a-1'), after: labels('a-2'), ...parts },
      )

    expect(mainBox(noisy(config), apply(web, 'none', { code: 'unchanged' }))).toContain(
      '1 changes in metadata only<br/>1 unchanged"]:::quiet',
    )
    expect(mainBox(noisy(smoke, { hook: 'pre-upgrade' }))).toContain('<br/>run Job smoke"]:::hook')
  })

  test('of more weights than can be shown has a box per stage', () => {
    const hooks = rows(stage('post', [group(0, [[apply(smoke, 'create', isNew, { hook: 'post-upgrade' })]])]))

    expect(linesOf([...weights(31), ...hooks]).filter((line) => line.includes(':::'))).toEqual([
      '    n0["create ConfigMap c0<br/>create ConfigMap c1<br/>create ConfigMap c2<br/>create ConfigMap c3<br/>create ConfigMap c4<br/>create ConfigMap c5<br/>and 25 more"]:::new',
      '    n1["run Job smoke"]:::hook',
    ])
  })

  test('is not there for one box, open where its boxes stand side by side, and folded where it is larger', () => {
    const heads = [1, 2, 4, 5].map((amount) => stagesPicture(weights(amount)).split('\n')[0])

    expect(heads).toEqual([
      '',
      '<details open><summary>Stages</summary>',
      '<details open><summary>Stages</summary>',
      '<details><summary>Stages</summary>',
    ])
  })

  test('is not there where one line says as much: first the new objects, then the old ones go', () => {
    const first = stage('main', [group(0, [[apply(config, 'create', isNew)]])])
    const gone = stage('prune', [group(0, [[deletes(claim, { code: 'pruned' })]])])
    const crds = stage('crds', [group(0, [[apply(ref('v1', 'ConfigMap', 'c'), 'create', isNew)]])])
    const weighted = stage('main', [
      group(0, [[apply(config, 'create', isNew)]]),
      group(5, [[apply(web, 'create', isNew)]]),
    ])
    const hooked = stage('post', [group(0, [[apply(smoke, 'create', isNew, { hook: 'post-upgrade' })]])])
    const outside = stage('main', [group(0, [[awaits(web, 'ready', { isExternal: true })]])])
    const boxes = (...stages: readonly Stage[]) =>
      linesOf(rows(...stages)).filter((line) => line.includes(':::')).length

    expect(boxes(first, gone)).toBe(0)
    expect(boxes(crds, first)).toBe(0)
    expect([boxes(crds, first, gone), boxes(weighted), boxes(first, hooked), boxes(outside, gone)]).toEqual([
      3, 2, 2, 2,
    ])
  })

  test('stands beside one another as long as it can be read', () => {
    expect([4, 5].map((amount) => linesOf(weights(amount))[0])).toEqual(['flowchart LR', 'flowchart TB'])
  })

  test('is the same in comment and summary, and the first that goes where a comment is too long', () => {
    const picture = stagesPicture(rowsOf(noisyPlan.plan ?? plan({}), []))
    const commentOf = (limitBytes: number) => comment({ passes: [noisyPlan], info, limitBytes })
    const whole = commentOf(65_536)
    const shorter = commentOf(byteLength(whole) - 1)

    expect(whole).toContain(picture)
    expect(summary({ passes: [noisyPlan], info })).toContain(picture)
    expect(shorter).toBe(whole.replace(`${picture}\n\n`, ''))
  })

  test('keeps the limits of Mermaid, and none of its syntax comes from a name', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), hostileText, (amount, name) => {
        const lines = linesOf(weights(amount, (weight) => `${name}${weight}${'x'.repeat(250)}`))
        expect(lines.join('\n').length).toBeLessThan(MAX_CHARS)
        expect(lines.filter((line) => line.includes('-->')).length).toBeLessThan(MAX_ARROWS)
        expect(lines.filter((line) => !KNOWN_LINE.test(line))).toEqual([])
      }),
    )
    fc.assert(
      fc.property(hostilePass, ({ plan: of }) => {
        const lines = of === undefined ? [] : linesOf(rowsOf(of, []))
        expect(lines.filter((line) => !KNOWN_LINE.test(line))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

/** Every form that a line of the picture has; in quotes nothing but words, points, dashes, slashes, and our own markup. */
const KNOWN_LINE =
  /^(?:flowchart (?:TB|LR)| {2}subgraph s\d+\["\w+"\]| {4}direction (?:TB|LR)| {2}end| {4}n\d+\["(?:[\w./ ,-]|<b>|<\/b>|<br\/>)*"\]:::\w+| {2,4}[ns]\d+ -->(?:\|"[\w ,]+"\|)? [ns]\d+| {2}style s\d+ fill:none,stroke:#\w+| {2}classDef \w+ [\w:#,]+)$/
