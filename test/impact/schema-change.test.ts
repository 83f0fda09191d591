import { describe, expect, test } from 'vitest'
import { isRiskySchema, schemaImpactOf } from '../../src/impact/schema-change.ts'
import type { JsonObject, JsonValue } from '../../src/model/object.ts'
import { crd, lines, object, ofCrds, ofSchemas, version } from './crds.ts'

const text = { type: 'string' }
const number = { type: 'integer' }
const inSpec = (properties: JsonObject, more: JsonObject = {}) => object({ spec: object(properties, more) })
const keepsUnknown = { 'x-kubernetes-preserve-unknown-fields': true }
const rule = (expression: string, more: JsonObject = {}) => ({ rule: expression, ...more })
const rules = (...all: readonly JsonObject[]) => ({ 'x-kubernetes-validations': all })

describe('fields of a schema', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['one that is new', inSpec({}), inSpec({ size: number }), ['adds field spec.size']],
    ['one that is removed: its values are pruned', inSpec({ size: number }), inSpec({}), ['removes field spec.size']],
    [
      'a structure is one change, with the number of its fields',
      inSpec({ podTemplate: object({ name: text, ports: { type: 'array', items: object({ port: number }) } }) }),
      inSpec({}),
      ['removes field spec.podTemplate (4 fields)'],
    ],
    [
      'those of the items of a list',
      inSpec({ containers: { type: 'array', items: object({ image: text }) } }),
      inSpec({ containers: { type: 'array', items: object({}) } }),
      ['removes field spec.containers[].image'],
    ],
    [
      'those of the values of a map',
      inSpec({ limits: { type: 'object', additionalProperties: object({ min: number }) } }),
      inSpec({ limits: { type: 'object', additionalProperties: object({}) } }),
      ['removes field spec.limits.*.min'],
    ],
    [
      'names that are no identifiers are quoted',
      inSpec({}),
      inSpec({ 'a.b': text, __proto__x: text, constructor: text }),
      ['adds field spec.__proto__x', 'adds field spec["a.b"]', 'adds field spec.constructor'],
    ],
    [
      'one that is removed where unknown fields are kept: its values stay, unchecked',
      inSpec({ size: number }, keepsUnknown),
      inSpec({}, keepsUnknown),
      ['changes field spec.size'],
    ],
    [
      'one that is new where unknown fields were kept: values may be there that do not fit',
      inSpec({}, keepsUnknown),
      inSpec({ size: number }, keepsUnknown),
      ['tightens field spec.size'],
    ],
    [
      'those that every object has: their values stay',
      object({ apiVersion: text, kind: text, metadata: { type: 'object' } }),
      object({}),
      ['changes field apiVersion', 'changes field kind', 'changes field metadata'],
    ],
    [
      'those of an embedded object stay as well, and no others of these names',
      inSpec({
        pod: object({ kind: text }, { 'x-kubernetes-embedded-resource': true }),
        other: object({ kind: text }),
      }),
      inSpec({ pod: object({}, { 'x-kubernetes-embedded-resource': true }), other: object({}) }),
      ['removes field spec.other.kind', 'changes field spec.pod.kind'],
    ],
    ['nothing', inSpec({ size: number }), inSpec({ size: { ...number } }), []],
  ])('%s', (_what, before, after, expected) => {
    expect(lines(ofSchemas(before, after))).toEqual(expected)
  })

  test('the same at many places is one change with its places', () => {
    const pods = (container: JsonObject) =>
      inSpec(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`pod${index + 10}`, object(container)])))
    const impact = ofSchemas(pods({ image: text }), pods({ image: text, command: text, size: number }))
    const [command] = impact?.versions[0]?.changes ?? []

    expect(lines(impact)).toHaveLength(2)
    expect(command?.paths.slice(0, 2)).toEqual(['spec.pod10.command', 'spec.pod11.command'])
    expect([command?.paths.length, command?.morePaths]).toEqual([20, 10])
    expect(impact?.counts.added).toBe(60)
  })

  test('of thousands the riskiest are listed, and all are counted', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, text]))
    const impact = ofSchemas(inSpec({ last: text }), inSpec(many))
    const [only] = impact?.versions ?? []

    expect([only?.changes.length, only?.unlisted]).toEqual([200, 4_801])
    expect(only?.changes[0]).toMatchObject({ effect: 'removes', paths: ['spec.last'] })
    expect(only?.counts).toMatchObject({ removed: 1, added: 5_000 })
  })
})

describe('fields that must be set', () => {
  const required = (names: readonly string[], size: JsonObject = number) =>
    inSpec({ size, color: text }, { required: names })

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'one that was optional',
      inSpec({ size: number, color: text }),
      required(['size']),
      ['tightens required spec.size'],
    ],
    ['one that is optional now', required(['size', 'color']), required(['size']), ['loosens required spec.color']],
    ['one that is new', inSpec({ color: text }), required(['size']), ['tightens field required spec.size']],
    [
      'one that is new and has a default',
      inSpec({ color: text }),
      required(['size'], { ...number, default: 1 }),
      ['adds field spec.size'],
    ],
    [
      'one that has a default is there anyway',
      required([], { ...number, default: 1 }),
      required(['size'], { ...number, default: 1 }),
      ['changes required spec.size'],
    ],
    [
      'one that loses its default',
      required(['size'], { ...number, default: 1 }),
      required(['size']),
      ['tightens required spec.size', 'changes default spec.size: 1 -> none'],
    ],
    [
      'those of a structure that is new need no word',
      inSpec({}),
      inSpec({ pod: object({ a: text }, { required: ['a'] }) }),
      ['adds field spec.pod (2 fields)'],
    ],
    [
      'one that is removed',
      required(['size', 'color']),
      inSpec({ size: number }, { required: ['size'] }),
      ['removes field spec.color'],
    ],
    [
      'one that the schema does not describe',
      inSpec({}, keepsUnknown),
      inSpec({}, { ...keepsUnknown, required: ['a'] }),
      ['tightens required spec.a'],
    ],
    ['their order', required(['size', 'color']), required(['color', 'size']), ['changes required spec']],
  ])('%s', (_what, before, after, expected) => {
    expect(lines(ofSchemas(before, after))).toEqual(expected)
  })
})

describe('values that a field takes', () => {
  const list = { type: 'array', items: text }

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['another type', text, number, ['tightens type spec.a: string -> integer']],
    ['another type says it all', object({ b: text, c: text }), text, ['tightens type spec.a: object -> string']],
    ['any number', number, { type: 'number' }, ['loosens type spec.a: integer -> number']],
    ['whole numbers only', { type: 'number' }, number, ['tightens type spec.a: number -> integer']],
    [
      'numbers as text as well',
      number,
      { 'x-kubernetes-int-or-string': true },
      ['loosens type spec.a: integer -> integer or string'],
    ],
    [
      'numbers only',
      { 'x-kubernetes-int-or-string': true },
      number,
      ['tightens type spec.a: integer or string -> integer'],
    ],
    [
      'anything',
      text,
      { ...keepsUnknown },
      ['loosens type spec.a: string -> any', 'loosens x-kubernetes-preserve-unknown-fields spec.a: none -> true'],
    ],
    ['one of a list', text, { ...text, enum: ['a', 'b'] }, ['tightens values spec.a: none -> a,b']],
    ['no longer one of a list', { ...text, enum: ['a', 'b'] }, text, ['loosens values spec.a: a,b -> none']],
    ['one value more', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }, ['loosens values spec.a: none -> b']],
    ['one value fewer', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }, ['tightens values spec.a: b -> none']],
    ['other values', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a', 'c'] }, ['tightens values spec.a: b -> c']],
    [
      'the same values in another order',
      { ...text, enum: ['a', 'b'] },
      { ...text, enum: ['b', 'a'] },
      ['changes enum spec.a: a,b -> b,a'],
    ],
    ['a pattern', text, { ...text, pattern: '^a' }, ['tightens pattern spec.a: none -> ^a']],
    ['another pattern', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }, ['tightens pattern spec.a: ^a -> ^b']],
    ['no pattern', { ...text, pattern: '^a' }, text, ['loosens pattern spec.a: ^a -> none']],
    ['a format', text, { ...text, format: 'date-time' }, ['tightens format spec.a: none -> date-time']],
    [
      'a wider format',
      { ...number, format: 'int32' },
      { ...number, format: 'int64' },
      ['loosens format spec.a: int32 -> int64'],
    ],
    [
      'a narrower format',
      { ...number, format: 'int64' },
      { ...number, format: 'int32' },
      ['tightens format spec.a: int64 -> int32'],
    ],
    ['null', text, { ...text, nullable: true }, ['loosens nullable spec.a: none -> true']],
    ['no null', { ...text, nullable: true }, text, ['tightens nullable spec.a: true -> none']],
    ['a default', number, { ...number, default: 3 }, ['changes default spec.a: none -> 3']],
    ['another default', { ...number, default: 3 }, { ...number, default: 4 }, ['changes default spec.a: 3 -> 4']],
    [
      'a default with a description in it',
      object({}, { default: { description: 'a' } }),
      object({}, { default: { description: 'b' } }),
      ['changes default spec.a: {"description":"a"} -> {"description":"b"}'],
    ],
    [
      'multiples of a number',
      { ...number, multipleOf: 4 },
      { ...number, multipleOf: 3 },
      ['tightens multipleOf spec.a: 4 -> 3'],
    ],
    [
      'more multiples',
      { ...number, multipleOf: 4 },
      { ...number, multipleOf: 2 },
      ['loosens multipleOf spec.a: 4 -> 2'],
    ],
    [
      'no bound itself',
      { ...number, minimum: 1 },
      { ...number, minimum: 1, exclusiveMinimum: true },
      ['tightens exclusiveMinimum spec.a: none -> true'],
    ],
    ['items once each', list, { ...list, uniqueItems: true }, ['tightens uniqueItems spec.a: none -> true']],
    [
      'a list as a set',
      list,
      { ...list, 'x-kubernetes-list-type': 'set' },
      ['tightens x-kubernetes-list-type spec.a: none -> set'],
    ],
    [
      'a list as a whole',
      { ...list, 'x-kubernetes-list-type': 'set' },
      { ...list, 'x-kubernetes-list-type': 'atomic' },
      ['loosens x-kubernetes-list-type spec.a: set -> atomic'],
    ],
    [
      'a list as a whole, as before',
      list,
      { ...list, 'x-kubernetes-list-type': 'atomic' },
      ['changes x-kubernetes-list-type spec.a: none -> atomic'],
    ],
    [
      'other keys of a list',
      { ...list, 'x-kubernetes-list-map-keys': ['a'] },
      { ...list, 'x-kubernetes-list-map-keys': ['a', 'b'] },
      ['tightens x-kubernetes-list-map-keys spec.a: a -> a,b'],
    ],
    [
      'a map as a whole',
      object({}),
      object({}, { 'x-kubernetes-map-type': 'atomic' }),
      ['changes x-kubernetes-map-type spec.a: none -> atomic'],
    ],
    [
      'no more unknown fields: they are pruned',
      object({}, keepsUnknown),
      object({}),
      ['removes x-kubernetes-preserve-unknown-fields spec.a: true -> none'],
    ],
    [
      'unknown fields',
      object({}),
      object({}, keepsUnknown),
      ['loosens x-kubernetes-preserve-unknown-fields spec.a: none -> true'],
    ],
    [
      'a whole object',
      object({}),
      object({}, { 'x-kubernetes-embedded-resource': true }),
      ['tightens x-kubernetes-embedded-resource spec.a: none -> true'],
    ],
    ['keys of a map', object({}), { type: 'object', additionalProperties: text }, ['adds field spec.a.*']],
    ['no keys of a map', { type: 'object', additionalProperties: text }, object({}), ['removes field spec.a.*']],
    [
      'other values of a map',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: number },
      ['tightens type spec.a.*: string -> integer'],
    ],
    ['a rule', text, { ...text, ...rules(rule('self > 1')) }, ['tightens rule spec.a: none -> self > 1']],
    ['no rule', { ...text, ...rules(rule('self > 1')) }, text, ['loosens rule spec.a: self > 1 -> none']],
    [
      'another rule',
      { ...text, ...rules(rule('a')) },
      { ...text, ...rules(rule('b')) },
      ['tightens rule spec.a: none -> b', 'loosens rule spec.a: a -> none'],
    ],
    [
      'another message of a rule',
      { ...text, ...rules(rule('a', { message: 'x' })) },
      { ...text, ...rules(rule('a', { message: 'y' })) },
      ['changes rule spec.a: a -> a'],
    ],
    [
      'a rule that also counts for new objects',
      { ...text, ...rules(rule('a')) },
      { ...text, ...rules(rule('a', { optionalOldSelf: true })) },
      ['tightens rule spec.a: a -> a'],
    ],
    [
      'one of several schemas',
      text,
      { ...text, anyOf: [{ pattern: 'a' }] },
      ['tightens anyOf spec.a: none -> {"pattern":"a"}'],
    ],
    [
      'one schema more to choose from',
      { anyOf: [{ pattern: 'a' }] },
      { anyOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      ['loosens anyOf spec.a: {"pattern":"a"} -> {"pattern":"a"},{"pattern":"b"}'],
    ],
    [
      'one schema fewer to choose from',
      { anyOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      { anyOf: [{ pattern: 'a' }] },
      ['tightens anyOf spec.a: {"pattern":"a"},{"pattern":"b"} -> {"pattern":"a"}'],
    ],
    [
      'one condition fewer',
      { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      { allOf: [{ pattern: 'a' }] },
      ['loosens allOf spec.a: {"pattern":"a"},{"pattern":"b"} -> {"pattern":"a"}'],
    ],
    [
      'exactly one of other schemas',
      { oneOf: [{ pattern: 'a' }] },
      { oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      ['tightens oneOf spec.a: {"pattern":"a"} -> {"pattern":"a"},{"pattern":"b"}'],
    ],
    ['what is no longer forbidden', { not: { pattern: 'a' } }, {}, ['loosens not spec.a: {"pattern":"a"} -> none']],
    [
      'a keyword that nobody knows yet',
      text,
      { ...text, 'x-kubernetes-new': 1 },
      ['tightens x-kubernetes-new spec.a: none -> 1'],
    ],
    ['no schema', text, { ...text, items: 'none' as JsonValue as JsonObject }, ['adds field spec.a[]']],
  ])('%s', (_what, before, after, expected) => {
    expect(lines(ofSchemas(inSpec({ a: before }), inSpec({ a: after })))).toEqual(expected)
  })

  test.each([
    ['minimum', 1, 2],
    ['minLength', 1, 2],
    ['minItems', 1, 2],
    ['minProperties', 1, 2],
    ['maximum', 2, 1],
    ['maxLength', 2, 1],
    ['maxItems', 2, 1],
    ['maxProperties', 2n ** 60n, 1],
  ])('%s from %s to %s refuses more, the other way round less', (keyword, wide, narrow) => {
    const effect = (before: JsonObject, after: JsonObject) =>
      ofSchemas(inSpec({ a: before }), inSpec({ a: after }))?.versions[0]?.changes[0]?.effect

    expect(effect({ [keyword]: wide }, { [keyword]: narrow })).toBe('tightens')
    expect(effect({}, { [keyword]: narrow })).toBe('tightens')
    expect(effect({ [keyword]: narrow }, { [keyword]: wide })).toBe('loosens')
    expect(effect({ [keyword]: narrow }, {})).toBe('loosens')
  })
})

describe('what is written for people', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['descriptions', inSpec({ a: { ...text, description: 'one' } }), inSpec({ a: { ...text, description: 'two' } })],
    ['titles and examples', inSpec({ a: { ...text, title: 'one', example: 1 } }), inSpec({ a: text })],
    ['those inside of conditions', inSpec({ a: { anyOf: [{ description: 'a' }] } }), inSpec({ a: { anyOf: [{}] } })],
  ])('%s are no change', (_what, before, after) => {
    expect(ofSchemas(before, after)).toBeUndefined()
  })

  test('a field of that name is one', () => {
    expect(lines(ofSchemas(inSpec({ description: text }), inSpec({ description: number })))).toEqual([
      'tightens type spec.description: string -> integer',
    ])
  })
})

describe('versions', () => {
  const schema = inSpec({ size: number })
  const v1 = version('v1', schema)
  const old = version('v1beta1', schema, { storage: false })
  const state = { isServed: true, isStored: true, isDeprecated: false }

  test.each<[string, readonly JsonObject[], readonly JsonObject[], readonly JsonObject[], boolean]>([
    ['that stay as they are', [v1, old], [v1, old], [], false],
    ['one that is dropped', [v1, old], [v1], [{ name: 'v1beta1', before: { ...state, isStored: false } }], true],
    [
      'one that is no longer served',
      [v1, old],
      [v1, { ...old, served: false }],
      [{ name: 'v1beta1', before: { isServed: true }, after: { isServed: false } }],
      true,
    ],
    [
      'one that is served again',
      [v1, { ...old, served: false }],
      [v1, old],
      [{ name: 'v1beta1', before: { isServed: false }, after: { isServed: true } }],
      false,
    ],
    [
      'one that is deprecated',
      [v1, old],
      [v1, { ...old, deprecated: true }],
      [{ name: 'v1beta1', after: { isDeprecated: true } }],
      false,
    ],
    [
      'another that is stored',
      [
        { ...v1, storage: false },
        { ...old, storage: true },
      ],
      [v1, old],
      [
        { name: 'v1', before: { isStored: false }, after: { isStored: true } },
        { name: 'v1beta1', before: { isStored: true }, after: { isStored: false } },
      ],
      true,
    ],
    [
      'one that is new is compared with the one that was stored',
      [old, v1],
      [old, v1, version('v2', inSpec({ size: text, color: text }), { storage: false })],
      [
        {
          name: 'v2',
          comparedWith: 'v1',
          counts: { tightened: 1, added: 1 },
          changes: [{ keyword: 'type' }, { what: 'field', paths: ['spec.color'] }],
        },
      ],
      false,
    ],
  ])('%s', (_what, before, after, expected, isRisky) => {
    const impact = ofCrds(crd(before), crd(after))

    expect(impact?.versions ?? []).toMatchObject(expected)
    expect(impact?.versions ?? []).toHaveLength(expected.length)
    expect(impact !== undefined && isRiskySchema(impact)).toBe(isRisky)
  })

  test('what changes in several alike counts once, and what differs in a new one not at all', () => {
    const grown = inSpec({ size: number, color: text })
    const three = [
      version('v1', grown),
      version('v1beta1', grown, { storage: false }),
      version('v2', grown, { storage: false }),
    ]
    const impact = ofCrds(crd([v1, old]), crd(three))

    expect(impact?.counts.added).toBe(1)
    expect(impact?.versions.map(({ counts, name }) => [name, counts.added])).toEqual([
      ['v1', 1],
      ['v1beta1', 1],
      ['v2', 1],
    ])
  })

  test('of a new definition are all that is said', () => {
    expect(ofCrds(undefined, crd([v1, old]))).toMatchObject({
      changes: [],
      versions: [
        { name: 'v1', after: state, changes: [] },
        { name: 'v1beta1', after: { ...state, isStored: false }, changes: [] },
      ],
    })
  })

  const column = (name: string, more: JsonObject = {}) => ({ name, jsonPath: `.spec.${name}`, type: 'string', ...more })

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'columns',
      { additionalPrinterColumns: [column('a'), column('b')] },
      { additionalPrinterColumns: [column('b'), column('c')] },
      ['changes additionalPrinterColumns: a -> c'],
    ],
    [
      'another column of the same name',
      { additionalPrinterColumns: [column('a')] },
      { additionalPrinterColumns: [column('a', { priority: 1 })] },
      ['changes additionalPrinterColumns'],
    ],
    [
      'descriptions of columns are for people',
      { additionalPrinterColumns: [column('a', { description: 'x' })] },
      { additionalPrinterColumns: [column('a')] },
      [],
    ],
    ['a status of its own', {}, { subresources: { status: {} } }, ['changes subresources.status']],
    ['no status of its own', { subresources: { status: {} } }, {}, ['removes subresources.status']],
    ['a scale', {}, { subresources: { scale: { specReplicasPath: '.spec.replicas' } } }, ['adds subresources.scale']],
    [
      'another scale',
      { subresources: { scale: { specReplicasPath: '.a' } } },
      { subresources: { scale: { specReplicasPath: '.b' } } },
      ['changes subresources.scale'],
    ],
    [
      'a field to select by',
      {},
      { selectableFields: [{ jsonPath: '.spec.a' }] },
      ['adds selectableFields: none -> .spec.a'],
    ],
    [
      'no field to select by',
      { selectableFields: [{ jsonPath: '.spec.a' }] },
      {},
      ['removes selectableFields: .spec.a -> none'],
    ],
    ['a warning', {}, { deprecationWarning: 'use v2' }, ['changes deprecationWarning: none -> use v2']],
    ['what nobody knows yet', {}, { cached: true }, ['changes cached: none -> true']],
  ])('%s', (_what, before, after, expected) => {
    expect(lines(ofCrds(crd([version('v1', schema, before)]), crd([version('v1', schema, after)])))).toEqual(expected)
  })
})

describe('the definition as a whole', () => {
  const v1 = version('v1', inSpec({}))
  const names = { kind: 'Widget', plural: 'widgets' }
  const webhook = (name: string) => ({ strategy: 'Webhook', webhook: { clientConfig: { service: { name } } } })

  test.each<[string, JsonObject, JsonObject, readonly string[], boolean]>([
    ['its scope', {}, { scope: 'Cluster' }, ['removes scope: Namespaced -> Cluster'], true],
    ['its kind', {}, { names: { ...names, kind: 'Gadget' } }, ['removes names.kind: Widget -> Gadget'], true],
    ['its short names', {}, { names: { ...names, shortNames: ['w'] } }, ['changes names.shortNames: none -> w'], false],
    [
      'conversion by a webhook',
      {},
      { conversion: webhook('a') },
      ['changes conversion.strategy: None -> Webhook'],
      false,
    ],
    ['no conversion', { conversion: webhook('a') }, {}, ['removes conversion.strategy: Webhook -> None'], true],
    ['another webhook', { conversion: webhook('a') }, { conversion: webhook('b') }, ['changes conversion'], false],
    [
      'fields that are not pruned',
      {},
      { preserveUnknownFields: true },
      ['loosens preserveUnknownFields: none -> true'],
      false,
    ],
    [
      'fields that are pruned',
      { preserveUnknownFields: true },
      { preserveUnknownFields: false },
      ['removes preserveUnknownFields: true -> false'],
      true,
    ],
  ])('%s', (_what, before, after, expected, isRisky) => {
    const impact = ofCrds(crd([v1], before), crd([v1], after))

    expect(lines(impact)).toEqual(expected)
    expect(impact !== undefined && isRiskySchema(impact)).toBe(isRisky)
  })

  test('the order of its versions', () => {
    const two = [v1, version('v2', inSpec({}), { storage: false })]
    expect(lines(ofCrds(crd(two), crd(two.toReversed())))).toEqual(['changes versions: v1,v2 -> v2,v1'])
  })

  test('anything else is said, if only that it changes', () => {
    const twice = (size: JsonObject) => crd([version('v1', inSpec({ size })), version('v1', inSpec({}))])
    expect(lines(ofCrds(twice(text), twice(number)))).toEqual(['changes spec'])
  })
})

describe('a schema from anywhere', () => {
  test('may be nested deeper than anybody reads', () => {
    const deep = (leaf: JsonObject) => {
      let schema = leaf
      for (let depth = 0; depth < 1_000; depth++) schema = object({ a: schema })
      return schema
    }
    expect(ofSchemas(deep(text), deep(text))).toBeUndefined()
    expect(lines(ofSchemas(deep(text), deep(number)))).toEqual([expect.stringMatching(/^tightens schema a(\.a)+$/)])
  })

  test('may have no form at all', () => {
    for (const spec of [null, 1, [], { versions: [null, 1, { name: 3 }] }, { versions: 'none', names: [] }]) {
      expect(ofCrds({ spec: spec as JsonValue }, { spec: spec as JsonValue })).toBeUndefined()
      expect(ofCrds({ spec: spec as JsonValue }, crd([version('v1', text)]))).toBeDefined()
      expect(ofCrds(crd([version('v1', text)]), { spec: spec as JsonValue })).toBeDefined()
    }
  })

  test('is cut where a text is long, and quotes nothing where values are hidden', () => {
    const [before, after] = [
      { a: text },
      { a: { ...text, pattern: 'a'.repeat(1_000), enum: Array(50).fill(0).map(String) } },
    ]
    const [long] = ofSchemas(inSpec(before), inSpec(after))?.versions[0]?.changes.slice(-1) ?? []
    const hidden = schemaImpactOf(crd([version('v1', inSpec(before))]), crd([version('v1', inSpec(after))]), {
      isMasked: true,
    })

    const structured = ofSchemas(inSpec({}), inSpec({}, { default: { a: 'a'.repeat(1_000) } }))
    const [structure] = structured?.versions[0]?.changes ?? []

    expect(long?.after?.[0]).toHaveLength(304)
    expect(structure?.after?.[0]).toHaveLength(104)
    expect(lines(hidden)).toEqual(['tightens values spec.a', 'tightens pattern spec.a'])
  })
})
