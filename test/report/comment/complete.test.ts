import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/manifest/canonical-json.ts'
import { changedPaths } from '../../../src/manifest/compare.ts'
import { stepsOf } from '../../../src/manifest/json-pointer.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/model/object.ts'
import type { ApplyOperation, Operation, Plan } from '../../../src/model/plan.ts'
import type { StageName } from '../../../src/model/verb.ts'
import { comment } from '../../../src/report/comment/comment.ts'
import { commentRungs, sectionOf, sectionText } from '../../../src/report/comment/comment-section.ts'
import { changeDetails } from '../../../src/report/markdown/change-details.ts'
import { markdown } from '../../../src/report/markdown/markdown.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { marksIn } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { isFolded, tableLines } from '../../../src/report/words/table-lines.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'
import { info, pass } from '../runs.ts'

/** Whatever a plan holds: what is shown, folded or counted adds up to all of it. */

const RUNS = { numRuns: 60, seed: 11 }

type Field = 'version' | 'owner' | 'data' | 'more' | 'image'

const fields = fc.subarray<Field>(['version', 'owner', 'data', 'more', 'image'], { minLength: 1 })

const item = fc.record({
  what: fc.constantFrom('update', 'update', 'update', 'create', 'delete', 'none', 'hook', 'recreate'),
  kind: fc.constantFrom(['v1', 'ConfigMap'], ['apps/v1', 'Deployment'], ['v1', 'PersistentVolumeClaim']),
  fields,
  // Of a few values, so that objects change alike.
  value: fc.integer({ min: 0, max: 2 }),
  isAlike: fc.boolean(),
  weight: fc.constantFrom(0, 0, 10),
})

const plans = fc.array(item, { minLength: 1, maxLength: 60 }).map(planOf)

/** Many small changes among others. */
const longPlans = fc
  .array(
    item.chain((one) => fc.constantFrom<Field[]>(['owner'], one.fields).map((of): Planned => ({ ...one, fields: of }))),
    { minLength: 40, maxLength: 80 },
  )
  .map(planOf)

function planOf(items: readonly Planned[]): Plan {
  const byPlace = Map.groupBy(
    items.map((one, index) => ({ ...one, index })),
    ({ weight, what }) => `${stageOf(what)} ${weight}`,
  )
  const names: readonly StageName[] = ['pre', 'main', 'prune']
  return plan({
    stages: names.map((name) =>
      stage(
        name,
        [0, 10].flatMap((weight) => {
          const members = byPlace.get(`${name} ${weight}`) ?? []
          return members.length === 0 ? [] : [group(weight, [members.map(operationOf), members.flatMap(waitOf)])]
        }),
      ),
    ),
  })
}

test('each operation stands in one line of the table, however much is told', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const rows = rowsOf(one, [])
      for (const kind of ['plan', 'run'] as const) {
        for (const detail of ['rows', 'kinds'] as const) {
          const lines = tableLines(rows, detail, kind)
          expect(lines.flatMap((line) => line.rows).toSorted(byName)).toEqual(rows.toSorted(byName))
        }
      }
    }),
    RUNS,
  )
})

test('the objects that a table names or counts are all objects of the plan', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const section = sectionOf(pass({ command: 'plan', plan: one }), 3)
      for (const rung of commentRungs.filter(({ table }) => table !== 'none')) {
        const text = sectionText(section, { rung, shown: [], info, isAlone: true })
        const unchanged = section.rows.filter(({ change }) => change === 'none').length
        if (section.rows.length === unchanged) continue
        expect(amountInTable(text)).toBe(section.rows.length - unchanged)
        if (unchanged > 0) expect(text.split('\n')[0]).toContain(`, ${unchanged} unchanged`)
      }
    }),
    RUNS,
  )
})

test('the fold of a long table holds as many changes as it says, and only small ones', () => {
  let folds = 0
  fc.assert(
    fc.property(longPlans, (one) => {
      const text = comment({ passes: [pass({ command: 'plan', plan: one })], info, limitBytes: 60_000 })
      const fold = /<summary>(\d+) more, none of them marked: (.*)<\/summary>\n\n([\s\S]*?)\n\n<\/details>/.exec(text)
      if (fold === null) return
      const [, amount = '', kinds = '', table = ''] = fold
      folds += 1
      expect(amountInTable(table)).toBe(Number(amount))
      expect((kinds.match(/\d+/g) ?? []).map(Number).reduce((sum, each) => sum + each, 0)).toBe(Number(amount))
      expect(table).not.toMatch(/⚠️|delete|recreate|data\.|containers\[/)
    }),
    { ...RUNS, numRuns: 15 },
  )
  expect(folds).toBeGreaterThan(0)
})

test('what is folded differs in its own labels and annotations only', () => {
  fc.assert(
    fc.property(plans, (one) => {
      for (const row of rowsOf(one, []).filter(isFolded)) {
        expect(withoutMetadata(row.after)).toBe(withoutMetadata(row.before))
      }
    }),
    RUNS,
  )
})

test('each value that changes is to be read in the job summary', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const text = summary({ passes: [pass({ command: 'plan', plan: one })], info })
      for (const { value } of changedValues(one)) expect(text).toContain(value)
    }),
    RUNS,
  )
})

test('and in the comment, unless the comment says that it has left out diffs', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const text = comment({ passes: [pass({ command: 'plan', plan: one })], info, limitBytes: 60_000 })
      const isCut = /The diffs are in|\d+ of \d+ diffs (is|are) in|more lines/.test(text)
      for (const { value } of changedValues(one)) if (!isCut) expect(text).toContain(value)
      if (isCut) expect(text).toMatch(/ in the \[job summary\]\(/)
    }),
    RUNS,
  )
})

test('objects share a diff only where the same fields change from and to the same values, but for versions of charts', () => {
  let shared = 0
  fc.assert(
    fc.property(plans, (one) => {
      const blocks = changeDetails(rowsOf(one, []), { verb: one.verb, context: 3, mayOpen: true })
      for (const { rows } of blocks) {
        expect(new Set(rows.map(changeOfValues)).size).toBe(1)
        if (rows.length > 1) shared += 1
      }
    }),
    RUNS,
  )
  expect(shared).toBeGreaterThan(0)
})

/** Up to eight marks of an object, and more objects than the box has lines. */
const marked = fc
  .array(
    fc.record({
      what: fc.constantFrom('service', 'claim', 'pods', 'binding'),
      privileges: fc.integer({ min: 1, max: 8 }),
      // Of a few values, so that objects are marked alike.
      value: fc.integer({ min: 0, max: 20 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((items) => plan({ stages: [stage('main', [group(0, [items.map(markedOperation)])])] }))

interface MarkedItem {
  readonly what: string
  readonly privileges: number
  readonly value: number
}

function markedOperation({ privileges, value, what }: MarkedItem, index: number): Operation {
  const [changed, name] = [{ code: 'chart-changed', paths: [] } as const, `o${index}`]
  switch (what) {
    case 'service':
      return deletes(ref('v1', 'Service', name), { code: 'pruned' }, { before: { spec: {} } })
    case 'claim':
      return deletes(
        ref('v1', 'PersistentVolumeClaim', name),
        { code: 'pruned' },
        { before: { spec: { resources: { requests: { storage: `${value}Gi` } } } } },
      )
    case 'binding':
      return apply(
        ref('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', name, ''),
        'create',
        { code: 'new' },
        {
          after: {
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
            subjects: [{ kind: 'ServiceAccount', name: `web-${value}`, namespace: 'shop' }],
          },
        },
      )
    default: {
      const pods = (volumes: readonly JsonObject[]) => ({
        spec: { template: { spec: { containers: [{ name: 'app', image: 'app:1' }], volumes } } },
      })
      const paths = Array.from({ length: privileges }, (_, each) => `/srv/${value}/${each}`)
      const volumes = paths.map((path, each) => ({ name: `v${each}`, hostPath: { path } }))
      return apply(ref('apps/v1', 'DaemonSet', name), 'update', changed, { before: pods([]), after: pods(volumes) })
    }
  }
}

test('every mark stands in the box on top or in the row of its object, however many there are', () => {
  const places = { box: 0, row: 0 }
  fc.assert(
    fc.property(marked, (one) => {
      const section = sectionOf(pass({ command: 'plan', plan: one }), 3)
      const [rung] = commentRungs
      if (rung === undefined) return
      const lines = sectionText(section, { rung, shown: [], info, isAlone: true }).split('\n')
      for (const row of section.rows) {
        const named = new RegExp(`/${row.ref.name}\``)
        const own = lines.filter((line) => named.test(line))
        const box = own.filter((line) => line.startsWith('> '))
        const table = own.filter((line) => line.startsWith('| '))
        expect(box.length).toBeLessThan(2)
        expect(table.length).toBe(1)
        expect(table[0]).toMatch(/ \| ⚠️ /)
        for (const { marked: what, onTop = what } of marksIn(whyPhrase(row))) {
          const isInBox = box.some((line) => line.includes(markdown(onTop)))
          const isInRow = table.some((line) => line.includes(markdown(what)))
          expect([isInBox, isInRow]).toContain(true)
          // Nothing is said twice.
          expect([isInBox, isInRow]).toContain(false)
          places[isInBox ? 'box' : 'row'] += 1
        }
      }
    }),
    RUNS,
  )
  expect(Math.min(places.box, places.row)).toBeGreaterThan(100)
})

/** Found without the impact, which decides what is shared. */
function changeOfValues({ after = {}, before = {} }: Row): string {
  const valueIn = (object: JsonObject, pointer: string) =>
    stepsOf(pointer).reduce<JsonValue | undefined>(
      (here, step) => (isJsonArray(here) ? here[Number(step)] : isJsonObject(here) ? here[step] : undefined),
      object,
    ) ?? null
  return canonicalJson(
    changedPaths(before, after)
      .filter((path) => path !== '/metadata/labels/helm.sh~1chart')
      .map((path): JsonValue => [path, valueIn(before, path), valueIn(after, path)]),
  )
}

interface Planned extends Omit<Item, 'index'> {
  readonly weight: number
}

interface Item {
  readonly what: string
  readonly kind: readonly string[]
  readonly fields: readonly Field[]
  readonly value: number
  readonly isAlike: boolean
  readonly index: number
}

function stageOf(what: string): StageName {
  return what === 'hook' ? 'pre' : what === 'delete' ? 'prune' : 'main'
}

function refOf({ index, kind: [apiVersion = '', kind = ''] }: Item) {
  return ref(apiVersion, kind, `o${index}`)
}

function operationOf(one: Item): Operation {
  const to = refOf(one)
  const [before, after] = [body(one, 'old'), body(one, 'new')]
  const changed = { code: 'chart-changed', paths: ['/data'] } as const
  switch (one.what) {
    case 'create':
      return apply(to, 'create', { code: 'new' }, { after })
    case 'delete':
      return deletes(to, { code: 'pruned' }, { before })
    case 'none':
      return apply(to, 'none', { code: 'unchanged' })
    case 'hook':
      return apply(to, 'recreate', changed, { before, after, hook: 'pre-upgrade' })
    case 'recreate':
      return apply(to, 'recreate', { code: 'immutable', paths: ['/data/text'] }, { before, after })
    default:
      return apply(to, 'update', changed, { before, after })
  }
}

function waitOf(one: Item): readonly Operation[] {
  return one.kind[1] === 'Deployment' && one.what === 'update' ? [awaits(refOf(one), 'ready')] : []
}

function body({ fields: changed, index, isAlike, value }: Item, side: 'old' | 'new'): JsonObject {
  const text = (field: Field) =>
    `${field}-${changed.includes(field) ? side : 'same'}-${isAlike ? 'all' : index}-${value}`
  return {
    metadata: {
      name: `o${index}`,
      labels: { 'helm.sh/chart': text('version') },
      annotations: { owner: text('owner') },
    },
    data: { text: `first\n${text('data')}\nlast\n`, [`key-${text('more')}`]: 'x' },
    spec: { template: { spec: { containers: [{ name: 'app', image: `app:${text('image')}` }] } } },
  }
}

/** The new values of all fields that change, each in one line. */
function changedValues(one: Plan): readonly { readonly value: string }[] {
  return applies(one).flatMap(({ after, change }) => {
    if (change === 'none' || after === undefined) return []
    return [...new Set(canonicalJson(after).match(/(version|owner|data|more|image)-new-\w+-\d/g) ?? [])].map(
      (value) => ({ value }),
    )
  })
}

function applies({ stages }: Plan): readonly ApplyOperation[] {
  return stages
    .flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
    .filter((operation) => operation.kind === 'apply')
}

function withoutMetadata(object: JsonObject | undefined): string {
  if (object === undefined) return ''
  const { metadata } = object
  const { annotations: _annotations, labels: _labels, ...rest } = isJsonObject(metadata) ? metadata : {}
  return canonicalJson({ ...object, metadata: rest })
}

function byName(a: Row, b: Row): number {
  return a.ref.name < b.ref.name ? -1 : 1
}

/** Named, or counted by kind. */
function amountInTable(text: string): number {
  const cells = text.split('\n').flatMap((line) => (/^\| `[-+~±=>]`/.test(line) ? [line.split(' | ')[1] ?? ''] : []))
  return cells
    .flatMap((cell) => cell.replace(/ on `.*/, '').split('; '))
    .flatMap((part) => (/^\d+ `[^`]*`: /.test(part) ? [part] : part.split(', ')))
    .map((part) => Number(/^(\d+) `/.exec(part)?.[1] ?? 1))
    .reduce((sum, amount) => sum + amount, 0)
}
