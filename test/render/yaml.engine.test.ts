import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../src/render/engine.ts'
import { chartOf, engineForTests, request } from './fixtures.ts'

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

/** The engine has a shorter way to JSON than sigs.k8s.io/yaml, which is behind Helm's `fromYaml`; both mean the same. */
test.each([
  ['scalars', 'a: [1, 0x1F, 0644, 1_000, -0, 1.5e3, 0.1, 12e30, yes, on, "yes", ~, null, 2001-01-01, 1:30, .5, 1e400]'],
  ['large numbers', 'a: [9007199254740993, 9223372036854775807, 18446744073709551615, -9223372036854775808]'],
  ['keys that are no text', '1: a\ntrue: b\n-3: c\n1.5: d\n0x10: e\ny: f\n2001-01-01: g'],
  ['keys in any order', 'b: 1\na: 2\nB: 3\naa: 4\n"": 5\né: 6'],
  ['duplicate keys', 'a: 1\nb: 0\na: 2\nc: {d: 1, d: 2}'],
  ['merges', 'base: &b {x: 1, y: 2}\nall: {<<: *b, y: 3}\nlist: {<<: [*b, {z: 4}]}\n"<<": {q: 1}'],
  ['merges by their tag', 'base: &b {x: 1}\nall: {!!merge "<<": *b}'],
  ['anchors', 'a: &x [1, {k: v}]\nb: *x\nc: [*x, *x]'],
  ['nothing in many forms', 'a:\nb: {}\nc: []\nd: ""\ne: {f: {}}'],
  [
    'text that JSON escapes',
    `a: "<b>&\\"\\\\ \\u2028 \\x7f \\t é 😀"\nb: |\n  two\n\n  lines\nc: >-\n  folded\n  text`,
  ],
  ['tags', 'a: !!str 1\nb: !!binary aGVsbG8=\nc: !!float 1\nd: !custom x\ne: !!set {a, b}'],
  ['JSON', '{"a": {"b": [1, 2.50, "x"]}, "c": null}'],
  ['a document end', 'a: 1\n...'],
])('YAML is read as Helm reads it: %s', async (_name, yaml) => {
  const template = '{{ .Files.Get "x.yaml" | fromYaml | toRawJson }}'
  const chart = await chartOf({ 'x.yaml': yaml, 'templates/NOTES.txt': template })
  const { notes } = await engine.render(request(chart))
  const [document] = await engine.parse(yaml, 'x.yaml')
  expect(JSON.parse(document?.json ?? '')).toEqual(JSON.parse(notes))
})

test.each(['', '\n', '---\n'])('%j holds no document', async (yaml) => {
  expect(await engine.parse(yaml, 'x.yaml')).toEqual([])
})

test('the entries of an object come in the order of their keys, which is that of the record', async () => {
  const [document] = await engine.parse('b: {2: x, 10: q, a: z}\na: <', 'x.yaml')
  expect(document?.json).toBe('{"a":"\\u003c","b":{"10":"q","2":"x","a":"z"}}')
})

test.each([
  ['a list', '- 1', '[1]'],
  ['a scalar', 'x', '"x"'],
  ['comments only', '# x', 'null'],
  ['an empty object', '{}', '{}'],
])('a document may be %s', async (_name, yaml, expected) => {
  expect((await engine.parse(yaml, 'x.yaml'))[0]?.json).toBe(expected)
})
