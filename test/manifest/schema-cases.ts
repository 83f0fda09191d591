import type { JsonObject, JsonValue } from '../../src/model/object.ts'

/** A schema with one of each rule, and specs that it takes or refuses at a field. */
export const specSchema: JsonObject = {
  type: 'object',
  required: ['mode'],
  properties: {
    mode: { type: 'string', enum: ['fast', 'safe'] },
    size: { type: 'integer', minimum: 1, maximum: 5 },
    ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
    step: { type: 'integer', multipleOf: 4 },
    name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
    port: { 'x-kubernetes-int-or-string': true },
    preset: { type: 'string', default: 'given' },
    nothing: { type: 'string', nullable: true },
    isOn: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, 'x-kubernetes-list-type': 'set' },
    members: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, weight: { type: 'integer', default: 1 } },
      },
    },
    either: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    all: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      allOf: [{ properties: { a: { minimum: 2 } } }],
      not: { properties: { a: { enum: [7] } }, required: ['a'] },
    },
    any: { type: 'string', anyOf: [{ pattern: '^a' }, { enum: ['b'] }] },
  },
}

export interface SchemaCase {
  readonly what: string
  readonly spec: JsonObject
  /** Where it is refused; absent: it is taken. */
  readonly refusedAt?: string
  /** Of the stored spec, where it differs. */
  readonly stored?: { readonly [field: string]: JsonValue }
}

const mode = 'fast'

export const schemaCases: readonly SchemaCase[] = [
  { what: 'the least', spec: { mode } },
  { what: 'a default is filled in', spec: { mode }, stored: { preset: 'given' } },
  { what: 'null where a default is', spec: { mode, preset: null }, stored: { preset: 'given' } },
  { what: 'null where it may be', spec: { mode, nothing: null } },
  { what: 'null where it may not be', spec: { mode, name: null }, refusedAt: 'spec.name' },
  { what: 'a required field is missing', spec: {}, refusedAt: 'spec.mode' },
  { what: 'a value of an enum', spec: { mode: 'safe' } },
  { what: 'another value', spec: { mode: 'slow' }, refusedAt: 'spec.mode' },
  { what: 'an unknown field', spec: { mode, other: 1 }, refusedAt: 'spec.other' },
  {
    what: 'an unknown field of an item',
    spec: { mode, members: [{ name: 'a', other: 1 }] },
    refusedAt: 'spec.members[0].other',
  },
  { what: 'unknown fields where they are kept', spec: { mode, free: { a: { b: [1] } } } },
  { what: 'a text for a number', spec: { mode, size: '1' }, refusedAt: 'spec.size' },
  { what: 'a number for a text', spec: { mode, name: 1 }, refusedAt: 'spec.name' },
  { what: 'a text for a boolean', spec: { mode, isOn: 'yes' }, refusedAt: 'spec.isOn' },
  { what: 'a list for a map', spec: { mode, labels: ['a'] }, refusedAt: 'spec.labels' },
  { what: 'a map for a list', spec: { mode, tags: { a: 'b' } }, refusedAt: 'spec.tags' },
  { what: 'a fraction for an integer', spec: { mode, size: 1.5 }, refusedAt: 'spec.size' },
  { what: 'the largest value', spec: { mode, size: 5 } },
  { what: 'a larger one', spec: { mode, size: 6 }, refusedAt: 'spec.size' },
  { what: 'a smaller one', spec: { mode, size: 0 }, refusedAt: 'spec.size' },
  { what: 'an excluded bound', spec: { mode, ratio: 0 }, refusedAt: 'spec.ratio' },
  { what: 'a number above it', spec: { mode, ratio: 0.5 } },
  { what: 'no multiple', spec: { mode, step: 6 }, refusedAt: 'spec.step' },
  { what: 'a multiple', spec: { mode, step: 8 } },
  { what: 'a text that matches', spec: { mode, name: 'abc' } },
  { what: 'one that does not', spec: { mode, name: 'ABC' }, refusedAt: 'spec.name' },
  { what: 'one that is too short', spec: { mode, name: 'a' }, refusedAt: 'spec.name' },
  { what: 'one that is too long', spec: { mode, name: 'abcdef' }, refusedAt: 'spec.name' },
  { what: 'a port by number', spec: { mode, port: 80 } },
  { what: 'a port by name', spec: { mode, port: 'http' } },
  { what: 'a port that is neither', spec: { mode, port: true }, refusedAt: 'spec.port' },
  { what: 'values of additional fields', spec: { mode, labels: { a: 'b' } } },
  { what: 'wrong ones', spec: { mode, labels: { a: 1 } }, refusedAt: 'spec.labels.a' },
  { what: 'too many of them', spec: { mode, labels: { a: 'b', c: 'd', e: 'f' } }, refusedAt: 'spec.labels' },
  { what: 'too few items', spec: { mode, tags: [] }, refusedAt: 'spec.tags' },
  { what: 'a member of a set twice', spec: { mode, tags: ['a', 'a'] }, refusedAt: 'spec.tags[1]' },
  {
    what: 'a key of a list twice',
    spec: { mode, members: [{ name: 'a' }, { name: 'a' }] },
    refusedAt: 'spec.members[1]',
  },
  {
    what: 'a default in an item',
    spec: { mode, members: [{ name: 'a' }] },
    stored: { members: [{ name: 'a', weight: 1 }] },
  },
  { what: 'one of two forms', spec: { mode, either: { a: 'x' } } },
  { what: 'both', spec: { mode, either: { a: 'x', b: 'y' } }, refusedAt: 'spec.either' },
  { what: 'a rule of allOf', spec: { mode, all: { a: 1 } }, refusedAt: 'spec.all.a' },
  { what: 'a refused form', spec: { mode, all: { a: 7 } }, refusedAt: 'spec.all' },
  { what: 'one of several forms', spec: { mode, any: 'ax' } },
  { what: 'none of them', spec: { mode, any: 'x' }, refusedAt: 'spec.any' },
]

/** The schema of a whole custom resource with that spec. */
export const widgetSchema: JsonObject = { type: 'object', properties: { spec: specSchema } }
