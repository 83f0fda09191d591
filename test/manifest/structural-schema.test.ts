import { describe, expect, test } from 'vitest'
import { conformed } from '../../src/manifest/structural-schema.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { schemaCases, widgetSchema } from './schema-cases.ts'

const widget = (spec: JsonObject): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', labels: { a: 'b' } },
  spec,
})

describe('a custom resource by a structural schema', () => {
  test.each(schemaCases)('$what', ({ spec, refusedAt, stored = {} }) => {
    const found = conformed(widget(spec), widget(spec), widgetSchema)
    expect(found.problems.map(({ field }) => field)).toEqual(refusedAt === undefined ? [] : [refusedAt])
    if (refusedAt === undefined) expect(found.object.spec).toMatchObject(stored)
  })

  test('what is wrong is said in words, with no value of the object', () => {
    const spec = { mode: 'hunter2', size: 9, name: 'hunter2', other: 'hunter2' }
    const { problems } = conformed(widget(spec), widget(spec), widgetSchema)
    expect(problems.map(({ field, what }) => `${field} ${what}`)).toEqual([
      'spec.other is not declared in the schema',
      'spec.mode must be one of "fast", "safe"',
      'spec.size must be at most 5',
      'spec.name must have at most 5 characters',
      'spec.name must match ^[a-z]+$',
    ])
  })

  test('fields that only the live object has and the schema does not are dropped without a word', () => {
    const found = conformed(widget({ mode: 'fast', old: 1 }), widget({ mode: 'fast' }), widgetSchema)
    expect([found.problems, found.object.spec]).toEqual([[], { mode: 'fast', preset: 'given' }])
  })

  test('a pattern that is none of RE2 is left to the API server', () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', pattern: '(?<!x)' } } } },
    }
    expect(conformed(widget({ a: 'x' }), widget({ a: 'x' }), schema).problems).toEqual([])
  })

  test('an object nested beyond all measure is judged without overflowing', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject
    const open: JsonObject = { type: 'object', additionalProperties: true }
    const schema: JsonObject = { ...open, properties: { spec: { ...open, properties: { a: open } } } }
    expect(conformed(widget(deep), widget(deep), schema).problems.length).toBeLessThanOrEqual(10)
  })
})
