import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '../../src/model/defined.ts'
import { RenderError } from '../../src/model/errors.ts'
import { noValues } from '../../src/model/release.ts'
import type { Engine } from '../../src/render/engine.ts'
import type { EngineRequest } from '../../src/render/protocol.ts'
import { callNative, chartOf, engineForTests, type Files, helmTemplate, request } from './fixtures.ts'

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

async function failureOf(asked: EngineRequest): Promise<RenderError['details']> {
  const error: unknown = await engine.render(asked).catch((error: unknown) => error)
  if (!(error instanceof RenderError)) throw new Error('a RenderError was expected', { cause: error })
  return error.details
}

interface Case {
  readonly title: string
  readonly files: Files
  readonly place?: { readonly chart: string; readonly template: string; readonly line?: number }
}

const at = (line?: number, template = 'demo/templates/x.yaml', chart = 'demo') => ({
  chart,
  template,
  ...defined({ line }),
})

const CASES: readonly Case[] = [
  { title: 'required', files: { 'templates/x.yaml': 'a: 1\nb: {{ required "b is needed" .Values.b }}' }, place: at(2) },
  { title: 'fail', files: { 'templates/x.yaml': '\n\n{{ fail "no: \'never\'" }}' }, place: at(3) },
  { title: 'nil pointer', files: { 'templates/x.yaml': 'a: {{ .Values.a.b.c }}' }, place: at(1) },
  { title: 'unknown function', files: { 'templates/x.yaml': 'a: 1\nb: {{ nothing }}' }, place: at(2) },
  { title: 'unclosed if', files: { 'templates/x.yaml': '{{ if true }}\na: 1\n' }, place: at(3) },
  { title: 'missing include', files: { 'templates/x.yaml': 'a: {{ include "none" . }}' }, place: at(1) },
  {
    title: 'failure in a helper',
    files: {
      'templates/_h.tpl': '{{ define "h" }}\n{{ fail "deep" }}{{ end }}',
      'templates/x.yaml': 'a: {{ include "h" . }}',
    },
    place: at(1),
  },
  {
    title: 'failure in a subchart',
    files: {
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/templates/y.yaml': 'a: 1\nb: {{ fail "in sub" }}',
    },
    place: at(2, 'demo/charts/sub/templates/y.yaml', 'sub'),
  },
  { title: 'tpl', files: { 'templates/x.yaml': 'a: {{ tpl "{{ .Values.x.y }}" . }}' }, place: at(1) },
  { title: 'bad YAML', files: { 'templates/x.yaml': 'a: 1\n---\nb: 1\n c: [' }, place: at(4) },
  { title: 'a list instead of an object', files: { 'templates/x.yaml': 'a: 1\n---\n# why\n- a\n- b\n' }, place: at(3) },
  { title: 'a scalar instead of an object', files: { 'templates/x.yaml': 'just text' }, place: at(1) },
  {
    title: 'an annotation that is a map',
    files: { 'templates/x.yaml': 'kind: A\n---\nkind: B\nmetadata:\n  annotations: {a: {b: c}}' },
    place: at(3),
  },
  { title: 'no Chart.yaml name', files: { 'Chart.yaml': 'apiVersion: v2\nversion: 1.0.0\n' } },
  { title: 'unknown Chart.yaml apiVersion', files: { 'Chart.yaml': 'apiVersion: v9\nname: demo\nversion: 1.0.0\n' } },
  { title: 'Chart.yaml version 3', files: { 'Chart.yaml': 'apiVersion: v3\nname: demo\nversion: 1.0.0\n' } },
  { title: 'broken values.yaml', files: { 'values.yaml': 'a: [' } },
  { title: 'library chart', files: { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\ntype: library\n' } },
  {
    title: 'kubeVersion',
    files: { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nkubeVersion: "<1.20"\n' },
  },
  {
    title: 'schema',
    files: {
      'values.yaml': 'port: high\nextra: 1\n',
      'values.schema.json':
        '{"type":"object","required":["host"],"properties":{"port":{"type":"integer"}},"additionalProperties":false}',
    },
    place: at(undefined, 'demo/values.schema.json'),
  },
  {
    title: 'schema of a subchart',
    files: {
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/values.schema.json': '{"required":["host"]}',
    },
    place: at(undefined, 'demo/charts/sub/values.schema.json', 'sub'),
  },
  {
    title: 'invalid schema',
    files: { 'values.schema.json': '{"type": 5}' },
    place: at(undefined, 'demo/values.schema.json'),
  },
]

test.each(CASES)('fails as helm template does, with its place: $title', async ({ files, place }) => {
  const chart = await chartOf(files)
  const { error } = await helmTemplate(['demo', chart])
  const details = await failureOf(request(chart))
  expect(details.message.trim()).toBe(error.replace('\n\nUse --debug flag to render out invalid YAML', ''))
  const { message: _, ...found } = details
  expect(found).toEqual(place ?? {})
  expect((await callNative({ render: request(chart) })).failure).toEqual(details)
})

test('names a chart that is not there', async () => {
  expect(await failureOf(request('/nonexistent/chart'))).toEqual({ message: 'path "/nonexistent/chart" not found' })
})

test('refuses a release name that Kubernetes would refuse', async () => {
  const chart = await chartOf({})
  const { error } = await helmTemplate(['Web_1', chart])
  expect((await failureOf(request(chart, { release: 'Web_1' }))).message).toBe(error)
})

type Form = 'set' | 'setString' | 'setJson' | 'setFile' | 'setLiteral'

describe('values are never echoed', () => {
  const values: readonly (readonly [string, Partial<EngineRequest['values']>, string])[] = [
    ['set', { set: ['a=1', 'pass[-1]=hunter2'] }, 'set entry 2 (pass[-1]): negative -1 index not allowed'],
    ['set without =', { set: ['hunter2'] }, 'set entry 1 is not in the form key=value'],
    ['set-json', { setJson: ['a={"hunter2":'] }, 'set-json entry 1 (a): unexpected EOF'],
    ['set-json map', { setJson: ['{"hunter2"'] }, 'set-json entry 1 is not valid JSON'],
    ['set-file', { setFile: ['a=hunter2.txt'] }, 'set-file entry 1 (a) names a file that does not exist'],
    ['values', { files: [{ label: 'values', text: 'a: 1\nb: *hunter2\n' }] }, 'values is not a YAML map'],
    [
      'values that are no map',
      { files: [{ label: 'prod.yaml', text: 'a: 1\n hunter2: [' }] },
      'prod.yaml is not a YAML map (line 2: mapping values are not allowed in this context)',
    ],
  ]
  test.each(values)('%s', async (_title, given, message) => {
    const details = await failureOf(request(await chartOf({}), { values: { ...noValues, ...given } }))
    expect(details.message).toContain(message)
    expect(details.message).not.toContain('hunter2')
  })

  /** Sources of the causes: Helm's pkg/strvals, parser.go and literal_parser.go; encoding/json, scanner.go. */
  const causes: readonly (readonly [form: Form, entry: string, cause: string])[] = [
    // Of the key, as Helm says it.
    ['set', 'a.=hunter2', '(a.): key map "a" has no value'],
    ['set', 'a,b=hunter2', '(a,b): key "a" has no value (cannot end with ,)'],
    ['set', 'a[65537]=hunter2', '(a[65537]): index of 65537 is greater than maximum supported index of 65536'],
    ['set', 'a[x]=hunter2', '(a[x]): error parsing index: strconv.Atoi: parsing "x": invalid syntax'],
    ['set', 'a[0]b=hunter2', `(a[0]b): unexpected data at end of array index: ['b']`],
    [
      'set',
      `${'a.'.repeat(31)}b=hunter2`,
      ': value name nested level is greater than maximum supported nested level of 30',
    ],
    [
      'set',
      'text.a=hunter2',
      '(text.a): unable to parse key: interface conversion: interface {} is string, not map[string]interface {}',
    ],
    ['setString', 'a[-1]=hunter2', '(a[-1]): negative -1 index not allowed'],
    ['setJson', 'a[-1]="hunter2"', '(a[-1]): negative -1 index not allowed'],
    ['setFile', 'a[-1]=values.yaml', '(a[-1]): negative -1 index not allowed'],
    ['setLiteral', 'a[-1]=hunter2', '(a[-1]): negative -1 index not allowed'],
    ['setLiteral', 'a,b.=hunter2', '(a,b.): key map "a,b" has no value'],
    // Of what may be a part of the value, without what Helm quotes.
    ['set', 'a=one,hunter2', '(a): a key in it has no value; a comma inside of a value is written \\,'],
    ['set', 'a=one,hunter2,b=c', '(a): a key in it has no value; a comma inside of a value is written \\,'],
    ['set', 'a=one,hunter2.=c', '(a): a key map in it has no value'],
    ['set', 'a={one,hunter2', "(a): list must terminate with '}'"],
    ['set', 'a=one,b[-77]=hunter2', '(a): negative index not allowed'],
    ['set', 'a=one,b[77777]=hunter2', '(a): an index is greater than maximum supported index of 65536'],
    ['set', 'a=one,b[hunter2]=c', '(a): error parsing index: invalid syntax'],
    ['set', 'a=one,b[0]hunter2=c', '(a): unexpected data at end of array index'],
    [
      'set',
      'a=one,a.b=hunter2',
      '(a): unable to parse key: interface conversion: interface {} is string, not map[string]interface {}',
    ],
    ['set', 'pass\\=hunter2', ' is not in the form key=value'],
    ['setString', 'a=one,hunter2', '(a): a key in it has no value'],
    ['setJson', 'a=hunter2', '(a): invalid character looking for beginning of value'],
    ['setJson', 'a={"hunter2":', '(a): unexpected EOF'],
    ['setJson', 'a="hunter2\n"', '(a): invalid character in string literal'],
    ['setFile', 'a={hunter2', "(a): list must terminate with '}'"],
  ]
  test.each(causes)('%s %s', async (form, entry, cause) => {
    const values = { ...noValues, files: [{ label: 'values.yaml', text: 'text: hunter2\n' }], [form]: [entry] }
    const { message } = await failureOf(request(await chartOf({}), { values }))
    expect(message).toContain(cause)
    expect(message).not.toContain('hunter2')
    expect(message).not.toContain('77')
  })

  test('by a schema', async () => {
    const chart = await chartOf({
      'values.schema.json':
        '{"properties":{"a":{"pattern":"^x"},"b":{"format":"ipv4","type":"string"},"c":{"minimum":5},"d":{"enum":["x"]},"e":{"const":1}}}',
    })
    const set = ['a=hunter2', 'b=hunter2', 'c=4', 'd=hunter2', 'e=hunter2']
    const { message } = await failureOf(request(chart, { values: { ...noValues, set } }))
    expect(message).not.toContain('hunter2')
    expect(message).toContain("at '/a': does not match pattern '^x'")
    expect(message).toContain("at '/c': minimum: want 5")
  })
})
