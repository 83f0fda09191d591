import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toManifests } from '../src/manifest/scope.ts'
import { stringifyJson } from '../src/model/json.ts'
import type { Renderer, RenderRequest } from '../src/ports.ts'
import { chartOf, type Files, rendererForTests, renderRequest } from './render/fixtures.ts'

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n'

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

/** What public charts contain, as Helm's engine takes it. */
describe('traps of public charts, rendered', () => {
  test('documents of comments or blanks only are no documents', async () => {
    const template = `# nothing here\n---\n\n---\n{{- if false }}\nkind: Never\n{{- end }}\n---\n${CONFIG_MAP}---\n   \n`
    const { documents } = await render({ 'templates/x.yaml': template, 'templates/y.yaml': '{{/* nothing */}}\n' })
    expect(documents.map(({ object }) => object.metadata.name)).toEqual(['x'])
  })

  test('a chart whose own templates are empty has what its subcharts render', async () => {
    const { documents } = await render({
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/templates/x.yaml': CONFIG_MAP,
    })
    expect(documents.map(({ file }) => file)).toEqual(['demo/charts/sub/templates/x.yaml'])
  })

  test('a chart may render no object at all', async () => {
    const { documents, record } = await render({ 'templates/x.yaml': '{{- if .Values.on }}\na: 1\n{{- end }}\n' })
    expect([documents, record.manifest]).toEqual([[], ''])
  })

  test.each([
    ['a list', '- a\n- b\n'],
    ['a scalar', 'just text\n'],
  ])('a template that yields %s is named with its chart', async (_, template) => {
    await expect(render({ 'templates/x.yaml': template })).rejects.toMatchObject({
      details: { chart: 'demo', template: 'demo/templates/x.yaml', line: 1 },
    })
  })

  test('a render of 1.5 MB and 150 objects comes through whole', async () => {
    const template = `{{- range until 150 }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "x{{ . }}"}\ndata: {a: {{ repeat 10000 "x" }}}\n{{- end }}\n`
    const { documents, record } = await render({ 'templates/x.yaml': template })
    expect(documents).toHaveLength(150)
    expect(record.manifest.length).toBeGreaterThan(1_500_000)
  })

  test('a random value stays as it is where lookup finds the old one', async () => {
    const template = `{{- $old := lookup "v1" "Secret" "shop" "x" }}\napiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {password: {{ if $old }}{{ $old.data.password }}{{ else }}{{ randAlphaNum 20 | b64enc }}{{ end }}}\n`
    const files = { 'templates/x.yaml': template }
    const fresh = await render(files, { lookup: async () => undefined })
    const again = await render(files, { lookup: async () => fresh.documents[0]?.object })
    expect(again.documents[0]?.object.data).toEqual(fresh.documents[0]?.object.data)
  })

  test('what differs between two renders of the same input is marked, checksums of it included', async () => {
    const random = '{{ randAlphaNum 20 | b64enc }}'
    const { documents } = await render({
      'templates/secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {password: ${random}, user: dQ==}\n`,
      'templates/pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: x, annotations: {checksum: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }}}}\n`,
      'templates/fixed.yaml': CONFIG_MAP,
    })
    const { manifests } = toManifests(
      documents.map((document) => ({ ...document, source: 'template' })),
      { namespace: 'shop', served: [] },
    )
    expect(manifests.map(({ ref, varies }) => [ref.kind, varies])).toEqual([
      ['Secret', ['/data/password']],
      ['ConfigMap', undefined],
      ['Pod', ['/metadata/annotations/checksum']],
    ])
  })

  test('a pre-release tag of a managed cluster is inside its range, as Helm has it', async () => {
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nkubeVersion: ">=1.20.0-0 <1.99.0"\n' }
    await expect(render(files, { kubeVersion: 'v1.34.1-gke.100' })).resolves.toBeDefined()
  })

  test('a range that the cluster fails ends the render, and names both', async () => {
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nkubeVersion: "<1.20"\n' }
    await expect(render(files, { kubeVersion: 'v1.34.1' })).rejects.toThrow(/kubeVersion: <1\.20.*v1\.34\.1/)
  })

  test('generateName and a missing name reach us as they are written', async () => {
    const { documents } = await render({
      'templates/x.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: run-}\n---\napiVersion: v1\nkind: Pod\nmetadata: {}\n',
    })
    expect(documents.map(({ object }) => object.metadata)).toEqual([{}, { generateName: 'run-' }])
  })

  test('YAML means what it means to Go: octal, yes, on, merges, sexagesimal, exponents, integers above 2^53', async () => {
    const [document] = await renderer.parse(
      [
        'apiVersion: v1\nkind: A\nmetadata: {name: x}',
        'base: &base {a: 1}',
        'spec: {mode: 0644, yes: yes, on: on, time: 1:30, float: 12e3, large: 9007199254740993, merged: {<<: *base, b: 2}}',
      ].join('\n'),
      'x.yaml',
    )
    expect(stringifyJson(document?.object.spec)).toBe(
      '{"float":12000,"large":9007199254740993,"merged":{"a":1,"b":2},"mode":420,"time":"1:30","true":true}',
    )
  })
})

async function render(files: Files, changes: Partial<RenderRequest> = {}) {
  return renderer.render(renderRequest(await chartOf(files), { apiVersions: ['v1'], ...changes }))
}
