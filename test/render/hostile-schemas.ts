/** A `values.schema.json` that means harm. */
export interface HostileSchema {
  readonly title: string
  readonly text: string
  /** What is told of it; absent: it may also be harmless, and is rendered or refused. */
  readonly refusal?: RegExp
}

/**
 * Every address in every keyword and version of JSON Schema, and in every place of a schema; what nests, refers in circles,
 * multiplies or is no schema at all. `origin` is a server that nobody may ask, `file` a file that nobody may read.
 */
export function hostileSchemas({ origin, file }: { readonly origin: string; readonly file: string }): HostileSchema[] {
  const addresses = [
    `${origin}/schema.json`,
    'http://169.254.169.254/latest/meta-data/',
    'https://example.com/schema.json',
    'ftp://example.com/schema.json',
    `//${new URL(origin).host}/schema.json`,
    `file://${file}`,
    'file:///dev/zero',
    file,
    '../../other.json',
    'data:application/json,{}',
  ]
  return [
    ...addresses.flatMap((address) => [...inVersions(address), ...inKeywords(address)]),
    ...addresses.slice(0, 6).flatMap(inPlaces),
    ...endless(),
    ...numbers(),
    ...noSchemas(),
  ]
}

type Schema = Readonly<Record<string, unknown>>

const VERSIONS = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
]
const NOT_FOLLOWED = /values\.schema\.json refers to .*: only references inside the schema itself are followed/

function inVersions(address: string): readonly HostileSchema[] {
  return VERSIONS.map((version) => ({
    title: `$ref to ${address} in ${version}`,
    text: JSON.stringify({ $schema: version, properties: { a: { $ref: address } } }),
    refusal: NOT_FOLLOWED,
  }))
}

function inKeywords(address: string): readonly HostileSchema[] {
  const [, , , of2019, of2020] = VERSIONS
  const written: Readonly<Record<string, Schema>> = {
    $schema: { $schema: address },
    $ref: { $ref: address },
    'a fragment of $ref': { $ref: `${address}#/definitions/a` },
    $dynamicRef: { $schema: of2020, properties: { a: { $dynamicRef: address } } },
    $recursiveRef: { $schema: of2019, properties: { a: { $recursiveRef: address } } },
    '$ref below $id': { $id: address, properties: { a: { $ref: 'other.json' } } },
    '$ref below id': { $schema: VERSIONS[0], id: address, properties: { a: { $ref: 'other.json' } } },
  }
  return Object.entries(written).map(([keyword, schema]) => ({
    title: `${keyword} with ${address}`,
    text: JSON.stringify(schema),
  }))
}

/** Places of a schema that hold schemas. */
const PLACES: Readonly<Record<string, (inner: unknown) => Schema>> = {
  properties: (inner) => ({ properties: { a: inner } }),
  patternProperties: (inner) => ({ patternProperties: { '^a': inner } }),
  additionalProperties: (inner) => ({ additionalProperties: inner }),
  propertyNames: (inner) => ({ propertyNames: inner }),
  items: (inner) => ({ items: inner }),
  prefixItems: (inner) => ({ prefixItems: [inner] }),
  contains: (inner) => ({ contains: inner }),
  allOf: (inner) => ({ allOf: [inner] }),
  anyOf: (inner) => ({ anyOf: [inner] }),
  oneOf: (inner) => ({ oneOf: [inner] }),
  not: (inner) => ({ not: inner }),
  if: (inner) => ({ if: inner, else: {} }),
  dependentSchemas: (inner) => ({ dependentSchemas: { a: inner } }),
  unevaluatedProperties: (inner) => ({ unevaluatedProperties: inner }),
}

function inPlaces(address: string): readonly HostileSchema[] {
  return Object.entries(PLACES).map(([place, put]) => ({
    title: `$ref to ${address} in ${place}`,
    text: JSON.stringify(put({ $ref: address })),
    refusal: NOT_FOLLOWED,
  }))
}

const DEPTHS = [129, 1_000, 100_000]
const MAX_REFERENCES = 10_000

function endless(): readonly HostileSchema[] {
  const nested = Object.entries(PLACES).flatMap(([place, put]) => {
    const [before, after] = JSON.stringify(put('here')).split('"here"')
    return DEPTHS.map((depth) => ({
      title: `${place}, ${depth} levels deep`,
      text: `${before?.repeat(depth)}{}${after?.repeat(depth)}`,
      refusal: /is nested deeper than 128 levels/,
    }))
  })
  const circles = Object.entries(PLACES).flatMap(([place, put]) =>
    [1, 2, 50].map((length) => ({
      title: `${place} that refers to itself by ${length}`,
      text: JSON.stringify({
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length }, (_, index) => [`d${index}`, put({ $ref: `#/$defs/d${(index + 1) % length}` })]),
        ),
      }),
    })),
  )
  const many = {
    title: `${MAX_REFERENCES + 1} references`,
    text: JSON.stringify({
      allOf: Array.from({ length: MAX_REFERENCES + 1 }, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: {} },
    }),
    refusal: /has more than 10000 references/,
  }
  return [...nested, ...circles, many]
}

/** Numbers and patterns that cost more than they look. */
function numbers(): readonly HostileSchema[] {
  const values = [
    '1e999999',
    '1e1000000000',
    '-1e-999999',
    '1e-1000000000',
    '9'.repeat(100_000),
    `0.${'0'.repeat(100_000)}1`,
  ]
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'minLength', 'maxItems', 'const', 'enum']
  const patterns = [
    '(a+)+$',
    '(a|a)*b',
    `${'(a?)'.repeat(500)}${'a'.repeat(500)}`,
    '(((a{100}){100}){100})',
    '[',
    '(?=a)',
    '\\p{Nothing}',
  ]
  return [
    ...keywords.flatMap((keyword) =>
      values.map((value) => ({
        title: `${keyword} ${value.slice(0, 20)}`,
        text: `{"properties":{"number":{"${keyword}":${keyword === 'enum' ? `[${value}]` : value}}}}`,
        refusal: /holds a number of more than 512 characters, or with an exponent beyond 400/,
      })),
    ),
    ...patterns.map((pattern) => ({
      title: `the pattern ${pattern.slice(0, 20)}`,
      text: JSON.stringify({ properties: { text: { pattern } } }),
    })),
  ]
}

function noSchemas(): readonly HostileSchema[] {
  const texts = [
    '',
    ' ',
    'null',
    'true',
    'false',
    '0',
    '"a"',
    '[]',
    '[{}]',
    '{',
    '{"a"',
    '\0',
    '\ufeff{}',
    '{}{}',
    'a: 1',
    '{"type":1}',
  ]
  const keywords = [
    '$ref',
    '$id',
    '$schema',
    '$defs',
    'type',
    'properties',
    'items',
    'allOf',
    'required',
    'pattern',
    'enum',
    '__proto__',
  ]
  const wrong = ['null', 'true', '1', '[]', '[[]]', '{}', '""', '{"$ref":1}']
  return [
    ...texts.map((text) => ({ title: `the text ${JSON.stringify(text)}`, text })),
    ...keywords.flatMap((keyword) =>
      wrong.map((value) => ({ title: `${keyword} with ${value}`, text: `{"${keyword}":${value}}` })),
    ),
  ]
}
