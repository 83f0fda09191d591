import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SchemaImpact } from '../../../src/model/impact.ts'
import type { JsonObject } from '../../../src/model/object.ts'
import { bulletLines } from '../../../src/report/words/bullet.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { schemaBullets, schemaPhrase } from '../../../src/report/words/schema-text.ts'
import { crd, object, ofCrds, ofSchemas, version } from '../../impact/crds.ts'

const text = { type: 'string' }
const fields = (amount: number, of: JsonObject = text) =>
  Object.fromEntries(Array.from({ length: amount }, (_, index) => [`f${index + 10}`, of]))

function line(impact: SchemaImpact | undefined): string {
  return impact === undefined ? '' : plainText(schemaPhrase(impact))
}

function points(impact: SchemaImpact | undefined): readonly string[] {
  return impact === undefined ? [] : bulletLines(schemaBullets(impact))
}

describe('the change of a CRD in one line', () => {
  const v1 = version('v1', object({ size: text }))
  const beta = version('v1beta1', object({ size: text }), { storage: false })

  test.each<[string, readonly JsonObject[], readonly JsonObject[], string]>([
    [
      'what is no longer served',
      [v1, beta],
      [v1, { ...beta, served: false }],
      '⚠️ v1beta1 no longer served (requests for it fail)',
    ],
    ['what is dropped', [v1, beta], [v1], '⚠️ v1beta1 dropped (requests for it fail)'],
    [
      'what is dropped that nobody was served',
      [v1, { ...beta, served: false }],
      [v1],
      'v1beta1 dropped, was not served',
    ],
    ['what is deprecated', [v1, beta], [v1, { ...beta, deprecated: true }], 'v1beta1 deprecated'],
    [
      'which version is stored',
      [v1, beta],
      [
        { ...v1, storage: false },
        { ...beta, storage: true },
      ],
      'v1beta1 stored instead of v1',
    ],
    [
      'a version that is like another',
      [v1],
      [v1, version('v2', object({ size: text }), { storage: false })],
      'v2 new (compared with v1: the same)',
    ],
    [
      'that what is stored lacks fields of what was',
      [version('v1', object({ size: text, color: text })), beta],
      [
        { ...version('v1', object({ size: text, color: text })), storage: false },
        { ...beta, storage: true },
      ],
      '⚠️ v1beta1 stored instead of v1: fields that it lacks get lost',
    ],
    [
      'a version that takes the place of another',
      [v1],
      [version('v2', object({ size: text, ...fields(3) }))],
      '⚠️ v1 dropped (refused while status.storedVersions names it; then requests for it fail); v2 stored instead of v1; v2 new (compared with v1: 3 fields added)',
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(line(ofCrds(crd(before), crd(after)))).toBe(expected)
  })

  test('what may break something comes before what is new', () => {
    const before = object({
      old: text,
      size: text,
      color: { ...text, enum: ['red', 'blue'] },
      any: { ...text, maxLength: 1 },
    })
    const after = object(
      { size: text, color: { ...text, enum: ['red'] }, any: text, ...fields(41) },
      { required: ['size'] },
    )

    expect(line(ofSchemas(before, after))).toBe(
      '⚠️ old removed, size newly required, color no longer takes blue; 1 looser rule; 41 fields added',
    )
  })

  const before = object({ a: text, b: text, c: text, n: { type: 'integer' } })
  const fromNowOn = (properties: JsonObject, required: readonly string[] = []) =>
    line(
      ofSchemas(
        before,
        object(
          { a: text, b: text, c: text, n: { type: 'integer' }, ...properties },
          required.length === 0 ? {} : { required },
        ),
      ),
    )

  test.each<[string, JsonObject, readonly string[], string]>([
    ['a pattern', { a: { ...text, pattern: '^[0-9]+s$' } }, [], '⚠️ a must match ^[0-9]+s$'],
    ['a limit', { n: { type: 'integer', minimum: 3 } }, [], '⚠️ n must be at least 3'],
    ['a length', { a: { ...text, maxLength: 5 } }, [], '⚠️ a must have a length of at most 5'],
    ['values', { a: { ...text, enum: ['x'] } }, [], '⚠️ a takes only x'],
    [
      'two of them',
      { a: { ...text, pattern: 'x' }, b: { ...text, maxLength: 5 } },
      [],
      '⚠️ a must match x, b must have a length of at most 5',
    ],
    ['two that are required', {}, ['a', 'b'], '⚠️ a newly required, b newly required'],
    ['three that are required', {}, ['a', 'b', 'c'], '⚠️ 3 fields newly required'],
    ['one that is new and required', { d: text }, ['d'], '⚠️ d new and required'],
    ['a pattern too long for a line', { a: { ...text, pattern: 'x'.repeat(90) } }, [], '⚠️ 1 tighter rule'],
  ])('one or two things that an object has to meet are named: %s', (_what, properties, required, expected) => {
    expect(fromNowOn(properties, required)).toBe(expected)
  })

  test('a structure that goes is named with the number of its fields', () => {
    expect(line(ofSchemas(object({ pod: object(fields(3)) }), object({})))).toBe('⚠️ pod (4 fields) removed')
  })

  test('what changes alike in two versions is named once', () => {
    const both = (of: JsonObject) => [
      version('v1', object({ a: of })),
      version('v2', object({ a: of }), { storage: false }),
    ]
    const impact = ofCrds(crd(both(text)), crd(both({ ...text, pattern: 'x' })))

    expect(line(impact)).toBe('⚠️ a must match x')
  })

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'begins',
      {},
      { conversion: { strategy: 'Webhook' } },
      '⚠️ conversion.strategy None → Webhook: while its webhook does not answer, objects of other versions cannot be read',
    ],
    [
      'ends',
      { conversion: { strategy: 'Webhook' } },
      {},
      '⚠️ conversion.strategy Webhook → None: between versions only apiVersion is converted',
    ],
  ])('conversion by a webhook that %s is marked', (_what, before, after, expected) => {
    expect(line(ofCrds(crd([v1], before), crd([v1], after)))).toBe(expected)
  })

  test('a webhook that converts may keep the fields that the stored version lacks', () => {
    const [old, now] = [object({ size: text, color: text }), object({ size: text })]
    const byWebhook = { conversion: { strategy: 'Webhook' } }
    const impact = ofCrds(
      crd([version('v1', old)], byWebhook),
      crd([{ ...version('v1', old), storage: false }, version('v2', now)], byWebhook),
    )

    expect(line(impact)).toBe('v2 stored instead of v1; v2 new (compared with v1: 1 field removed)')
  })

  test('another scope is marked', () => {
    const impact = ofCrds(crd([v1]), crd([v1], { scope: 'Cluster' }))

    expect(line(impact)).toBe('⚠️ scope Namespaced → Cluster')
  })

  test('what only the definition says', () => {
    const impact = ofCrds(crd([v1]), crd([v1], { names: { kind: 'Widget', plural: 'widgets', shortNames: ['w'] } }))

    expect(line(impact)).toBe('names.shortNames none → w')
    expect(points(impact)).toEqual(['- definition', '  - changed: names.shortNames none → w'])
  })

  test('of a new one its versions', () => {
    const impact = ofCrds(undefined, crd([v1, { ...beta, served: false, deprecated: true }]))

    expect(line(impact)).toBe('v1 (stored), v1beta1 (not served, deprecated)')
    expect(points(impact)).toEqual([])
  })
})

describe('the change of a CRD at length', () => {
  test('fields that come or go share a point, and what is left out is counted', () => {
    expect(points(ofSchemas(object({ pod: object(fields(3)) }), object(fields(20))))).toEqual([
      '- v1',
      '  - removed: pod (4 fields)',
      '  - added: f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21 and 8 more',
    ])
  })

  test('the same at many places is said once', () => {
    const pods = (of: JsonObject) => object(Object.fromEntries(['a', 'b', 'c'].map((name) => [name, object(of)])))

    expect(points(ofSchemas(pods({ image: text }), pods({ image: { ...text, minLength: 1 } })))).toEqual([
      '- v1',
      '  - tighter: a.image and 2 more places: minLength none → 1',
    ])
  })

  test('of many points of a kind the first are shown', () => {
    const tighter = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [`f${index + 10}`, { ...text, maxLength: index }]),
    )
    const shown = points(ofSchemas(object(fields(14)), object(tighter)))

    expect(shown).toHaveLength(12)
    expect(shown.at(-1)).toBe('  - tighter: 4 more')
  })

  test('what is not listed in the plan is counted as well', () => {
    expect(points(ofSchemas(object({}), object(fields(5_000)))).slice(1)).toEqual([
      expect.stringMatching(/^ {2}- added: f10, .* and 188 more$/),
      '- v1: 4800 more changes',
    ])
  })

  test.each<[string, JsonObject, JsonObject, string]>([
    ['values that are the only ones', text, { ...text, enum: ['a', 'b'] }, 'tighter: size takes only a, b'],
    [
      'values that are not the only ones any more',
      { ...text, enum: ['a'] },
      text,
      'looser: size takes any value, not only a',
    ],
    ['values fewer', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }, 'tighter: size no longer takes b'],
    ['values more', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }, 'looser: size also takes b'],
    ['a default', text, { ...text, default: '' }, 'changed: size: default none → '],
    [
      'a structure in which nothing is kept any more',
      { 'x-kubernetes-preserve-unknown-fields': true },
      {},
      'tighter: size: x-kubernetes-preserve-unknown-fields true → none; fields that the schema does not name are pruned',
    ],
    [
      'the message of a rule',
      { 'x-kubernetes-validations': [{ rule: 'a', message: 'b' }] },
      { 'x-kubernetes-validations': [{ rule: 'a', message: 'c' }] },
      'changed: what is told when a rule for size is broken: a',
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(points(ofSchemas(object({ size: before }), object({ size: after })))).toEqual(['- v1', `  - ${expected}`])
  })

  test('whatever changes, something is said of each version', () => {
    const name = fc.constantFrom('v1', 'v2', 'v3')
    const schema = fc.constantFrom(
      object({}),
      object({ a: text }),
      object({ a: { ...text, pattern: 'x' } }, { required: ['a'] }),
    )
    const flags = fc.record({ served: fc.boolean(), storage: fc.boolean(), deprecated: fc.boolean() })
    const versions = fc.uniqueArray(
      fc.tuple(name, schema, flags).map(([one, of, more]) => version(one, of, more)),
      { selector: (one) => one.name, maxLength: 3 },
    )
    fc.assert(
      fc.property(versions, versions, (before, after) => {
        const impact = ofCrds(crd(before), crd(after))
        if (impact === undefined) return
        const all = `${line(impact)}\n${points(impact).join('\n')}`

        for (const one of impact.versions) expect(all).toContain(one.name)
        expect(line(impact)).not.toMatch(/^$|; $|^; |; ;/)
      }),
      { seed: 11, numRuns: 300 },
    )
  })
})
