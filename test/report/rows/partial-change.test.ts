import fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/manifest/canonical-json.ts'
import type { FieldChange } from '../../../src/model/impact.ts'
import type { JsonObject, JsonValue } from '../../../src/model/object.ts'
import { withFields } from '../../../src/report/rows/partial-change.ts'
import { apply, ref } from '../plans.ts'

const yaml = (text: string) => load(text) as JsonObject

function fieldsOf(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  const changed = { code: 'chart-changed', paths: [] } as const
  return apply(ref('v1', 'ConfigMap', 'a'), 'update', changed, { before, after }).impact?.fields ?? []
}

const BEFORE = 'a: 1, b: { c: 2, d: 3 }, list: [{ name: x, v: 1 }, { name: y, v: 2 }, { name: z, v: 3 }], plain: [1, 2]'
const AFTER =
  'a: 1, b: { c: 9 }, e: { f: 1 }, list: [{ name: new, v: 0 }, { name: y, v: 8 }, { name: z, v: 3 }], plain: [2]'

test.each([
  ['b.c', 'a: 1, b: { c: 9, d: 3 }, list: [{ name: x, v: 1 }, { name: y, v: 2 }, { name: z, v: 3 }], plain: [1, 2]'],
  ['b.d', 'a: 1, b: { c: 2 }, list: [{ name: x, v: 1 }, { name: y, v: 2 }, { name: z, v: 3 }], plain: [1, 2]'],
  ['e', `${BEFORE}, e: { f: 1 }`],
  ['list[x]', 'a: 1, b: { c: 2, d: 3 }, list: [{ name: y, v: 2 }, { name: z, v: 3 }], plain: [1, 2]'],
  [
    'list[new]',
    'a: 1, b: { c: 2, d: 3 }, list: [{ name: new, v: 0 }, { name: x, v: 1 }, { name: y, v: 2 }, { name: z, v: 3 }], plain: [1, 2]',
  ],
  [
    'list[y].v',
    'a: 1, b: { c: 2, d: 3 }, list: [{ name: x, v: 1 }, { name: y, v: 8 }, { name: z, v: 3 }], plain: [1, 2]',
  ],
  ['plain', 'a: 1, b: { c: 2, d: 3 }, list: [{ name: x, v: 1 }, { name: y, v: 2 }, { name: z, v: 3 }], plain: [2]'],
])('of a change only %s is made', (path, expected) => {
  const [before, after] = [yaml(`{ ${BEFORE} }`), yaml(`{ ${AFTER} }`)]
  const fields = fieldsOf(before, after).filter((field) => field.path === path)

  expect(fields).toHaveLength(1)
  expect(withFields({ before, after }, fields)).toEqual(yaml(`{ ${expected} }`))
})

test('all fields are the whole change, none is none of it', () => {
  const tree: fc.Arbitrary<JsonValue> = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(1, 'x', true, null),
      fc.dictionary(fc.constantFrom('a', 'b', 'metadata', 'c/d'), tie('tree'), { maxKeys: 4 }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  })).tree
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'metadata'), tree, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>
  fc.assert(
    fc.property(object, object, (before, after) => {
      const fields = fieldsOf(before, after)

      expect(withFields({ before, after }, [])).toBe(before)
      expect(canonicalJson(withFields({ before, after }, fields))).toBe(canonicalJson(after))
    }),
    { numRuns: 500 },
  )
})

test('a field that the object does not have is left out', () => {
  const field = { path: 'x.y', pointer: '/x/y', kind: 'changed' } as const

  expect(withFields({ before: { a: 1 }, after: { a: 2 } }, [field])).toEqual({ a: 1 })
})
