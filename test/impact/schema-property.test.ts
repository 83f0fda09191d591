import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/manifest/canonical-json.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/model/object.ts'
import { lines, ofSchemas } from './crds.ts'

/** Few names and few values, so that two schemas often have something in common. */
const name = fc.constantFrom('a', 'b', 'description', 'x.y')
const flag = fc.constantFrom(true, false)
const small = fc.constantFrom(1, 2)
const word = fc.constantFrom('one', 'two')
const rule = fc.record({ rule: word, message: word, optionalOldSelf: flag }, { requiredKeys: ['rule'] })

const leaf = {
  description: word,
  title: word,
  type: fc.constantFrom('object', 'string', 'integer', 'number', 'array'),
  format: fc.constantFrom('int32', 'int64', 'date'),
  minimum: small,
  maxLength: small,
  multipleOf: small,
  exclusiveMinimum: flag,
  pattern: word,
  nullable: flag,
  default: fc.constantFrom<JsonValue>(1, 'one', { description: 'one' }, { description: 'two' }),
  enum: fc.uniqueArray(word, { minLength: 1 }),
  required: fc.array(name, { maxLength: 3 }),
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-type': fc.constantFrom('atomic', 'set', 'map'),
  'x-kubernetes-list-map-keys': fc.array(word, { maxLength: 2 }),
  'x-kubernetes-validations': fc.uniqueArray(rule, { selector: (one) => one.rule, maxLength: 2 }),
  'x-kubernetes-later': word,
}

const schema = schemasOf(1)

function schemasOf(depth: number): fc.Arbitrary<JsonObject> {
  if (depth === 0) return fc.record(leaf, { requiredKeys: [], noNullPrototype: true })
  const inside = schemasOf(depth - 1)
  const some = fc.array(inside, { minLength: 1, maxLength: 2 })
  const nested = {
    properties: fc.dictionary(name, inside, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    items: inside,
    additionalProperties: fc.oneof(inside, flag),
    anyOf: some,
    allOf: some,
    not: inside,
  }
  return fc.record({ ...leaf, ...nested }, { requiredKeys: [], noNullPrototype: true })
}

/** The schema with every text for people replaced; without it where `to` is undefined. */
function described(value: JsonValue, to: string | undefined): JsonValue {
  if (isJsonArray(value)) return value.map((one) => described(one, to))
  if (!isJsonObject(value)) return value
  const nested = Object.entries(value).flatMap(([key, member = null]): [string, JsonValue][] => {
    if (key === 'description' || key === 'title') return []
    if (['items', 'additionalProperties', 'anyOf', 'allOf', 'not'].includes(key)) return [[key, described(member, to)]]
    if (key !== 'properties' || !isJsonObject(member)) return [[key, member]]
    return [[key, Object.fromEntries(Object.entries(member).map(([one, of = null]) => [one, described(of, to)]))]]
  })
  return Object.fromEntries(to === undefined ? nested : [...nested, ['description', to]])
}

describe('whatever changes in a schema', () => {
  test('something is said if it is more than words for people, and nothing else', () => {
    fc.assert(
      fc.property(schema, schema, (before, after) => {
        const isSame = canonicalJson(described(before, undefined)) === canonicalJson(described(after, undefined))
        const impact = ofSchemas(before, after)

        expect(impact === undefined).toBe(isSame)
        // Each change has its own rule: none needs the last resort.
        expect(lines(impact)).not.toContain('changes spec')
      }),
      { seed: 11, numRuns: 200 },
    )
  })

  test('one member of a schema is never lost among the others', () => {
    fc.assert(
      fc.property(schema, schema, fc.nat(), (before, other, which) => {
        const keys = Object.keys(other)
        const key = keys[which % Math.max(1, keys.length)] ?? 'type'
        const after = { ...before, [key]: other[key] }
        const isSame = canonicalJson(described(before, undefined)) === canonicalJson(described(after, undefined))

        for (const impact of [ofSchemas(before, after), ofSchemas(after, before)]) {
          expect(impact === undefined).toBe(isSame)
          expect(lines(impact)).not.toContain('changes spec')
        }
      }),
      { seed: 12, numRuns: 200 },
    )
  })

  test('words for people alone are nothing', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(ofSchemas(one, described(one, 'other words') as JsonObject)).toBeUndefined()
      }),
      { seed: 13, numRuns: 100 },
    )
  })

  test('all that is listed and all that is not adds up to what is counted', () => {
    fc.assert(
      fc.property(schema, schema, (before, after) => {
        for (const { changes, counts, unlisted } of ofSchemas(before, after)?.versions ?? []) {
          const amount = changes.reduce((sum, { fields, morePaths = 0, paths, what, effect }) => {
            const isWhole = what === 'field' && (effect === 'removes' || effect === 'adds')
            return sum + (paths.length + morePaths) * (isWhole ? (fields ?? 1) : 1)
          }, 0)
          expect(unlisted).toBeUndefined()
          expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(amount)
        }
      }),
      { seed: 14, numRuns: 100 },
    )
  })
})
