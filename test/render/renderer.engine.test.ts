import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringifyJson } from '../../src/model/json.ts'
import { at } from '../../src/model/object.ts'
import { noValues } from '../../src/model/release.ts'
import type { Renderer } from '../../src/ports.ts'
import { chartOf, chartPath, rendererForTests, renderRequest } from './fixtures.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n'

describe('documents', () => {
  test('come in install order, hooks and what Helm drops among them, with file and line', async () => {
    const { documents } = await renderer.render(renderRequest(chartPath('features')))
    const table = documents.map(({ object, file, line }) => `${object.kind} ${object.metadata.name} ${file}:${line}`)
    expect(table).toMatchInlineSnapshot(`
      [
        "Namespace ns features/templates/order.yaml:19",
        "ServiceAccount migrate features/templates/hooks.yaml:11",
        "ConfigMap capabilities features/templates/capabilities.yaml:1",
        "ConfigMap files features/templates/files.yaml:1",
        "ConfigMap features-web features/templates/include-tpl.yaml:1",
        "ConfigMap lookups features/templates/lookup.yaml:1",
        "ConfigMap ranges features/templates/range-yaml.yaml:1",
        "CustomResourceDefinition old.example.com features/templates/hooks.yaml:27",
        "Service svc features/templates/order.yaml:16",
        "Pod smoke features/templates/hooks.yaml:20",
        "Deployment web features/templates/order.yaml:7",
        "Job migrate features/templates/hooks.yaml:1",
        "Ape a features/templates/order.yaml:13",
        "Zebra z features/templates/order.yaml:3",
      ]
    `)
  })

  test('of comments only are left out, yet stay in the record', async () => {
    const chart = await chartOf({ 'templates/x.yaml': `# nothing\n---\n${CONFIG_MAP}` })
    const { documents, record } = await renderer.render(renderRequest(chart))
    expect(documents).toHaveLength(1)
    expect(record.manifest).toContain('# nothing')
  })

  test('of a list are its items', async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n`
    const { documents } = await renderer.render(renderRequest(await chartOf({ 'templates/x.yaml': list })))
    expect(documents.map(({ object }) => object.kind)).toEqual(['Secret', 'Pod'])
  })

  test('of a list have its annotations, as Helm runs it as a hook, and the kind of a typed one', async () => {
    const list = `apiVersion: v1\nkind: ConfigMapList\nmetadata: {annotations: {helm.sh/hook: pre-install}}\nitems:\n- metadata: {name: a}\n`
    const { documents } = await renderer.render(renderRequest(await chartOf({ 'templates/x.yaml': list })))
    expect(documents.map(({ object }) => object)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations: { 'helm.sh/hook': 'pre-install' } } },
    ])
  })

  test.each([
    ['apiVersion', 'kind: A\nmetadata: {name: x}'],
    ['kind', 'apiVersion: v1\nmetadata: {name: x}'],
    ['metadata', 'apiVersion: v1\nkind: A\nmetadata: text'],
  ])('without %s are refused with their place', async (key, document) => {
    const chart = await chartOf({ 'templates/x.yaml': `${CONFIG_MAP}---\n${document}` })
    await expect(renderer.parse(`\n\n${document}`, 'plain.yaml')).rejects.toThrow(
      `document at line 3 of plain.yaml has no ${key}`,
    )
    if (key === 'metadata') return
    await expect(renderer.render(renderRequest(chart))).rejects.toMatchObject({
      details: { template: 'demo/templates/x.yaml', line: 5 },
    })
  })
})

describe('the release record', () => {
  test('holds hooks as Helm writes them', async () => {
    const { record } = await renderer.render(renderRequest(chartPath('features')))
    expect(record.hooks.map(({ manifest: _, ...hook }) => hook)).toMatchInlineSnapshot(`
      [
        {
          "delete_policies": [
            "",
          ],
          "events": [
            "pre-install",
          ],
          "kind": "ServiceAccount",
          "last_run": {
            "phase": "",
          },
          "name": "migrate",
          "path": "features/templates/hooks.yaml",
        },
        {
          "events": [
            "test",
          ],
          "kind": "Pod",
          "last_run": {
            "phase": "",
          },
          "name": "smoke",
          "path": "features/templates/hooks.yaml",
        },
        {
          "delete_policies": [
            "before-hook-creation",
            "hook-succeeded",
          ],
          "events": [
            "pre-install",
            "pre-upgrade",
          ],
          "kind": "Job",
          "last_run": {
            "phase": "",
          },
          "name": "migrate",
          "output_log_policies": [
            "hook-failed",
          ],
          "path": "features/templates/hooks.yaml",
          "weight": 5,
        },
      ]
    `)
  })

  test('hooks of subcharts are among them, whatever the parent says', async () => {
    const hook = CONFIG_MAP.replace('{name: x}', '{name: x, annotations: {helm.sh/hook: pre-install}}')
    const chart = await chartOf({
      'values.yaml': 'sub: {hooks: false}\nhooks: false\n',
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/templates/x.yaml': hook,
    })
    const { record } = await renderer.render(renderRequest(chart))
    expect(record.hooks.map(({ path }) => path)).toEqual(['demo/charts/sub/templates/x.yaml'])
  })

  test('holds chart and values, large numbers unharmed', async () => {
    const files = [{ label: 'values', text: 'nested: {a: 1}' }]
    const chart = await chartOf({ 'templates/x.yaml': CONFIG_MAP, 'README.md': 'hello', 'values.yaml': 'own: 1' })
    const { record } = await renderer.render(
      renderRequest(chart, { values: { ...noValues, files, set: ['big=9007199254740993,nested.b=x'] } }),
    )
    expect(stringifyJson(record.config)).toBe('{"big":9007199254740993,"nested":{"a":1,"b":"x"}}')
    expect(record.chart).toMatchObject({
      metadata: { name: 'demo', version: '1.0.0', apiVersion: 'v2' },
      templates: [{ name: 'templates/x.yaml', data: Buffer.from(CONFIG_MAP).toString('base64') }],
      values: { own: 1 },
      files: [{ name: 'README.md', data: 'aGVsbG8=' }],
    })
  })
})

test('large numbers reach the API as they were written', async () => {
  const [document] = await renderer.parse(
    'apiVersion: v1\nkind: A\nspec: {size: 9223372036854775807, mode: 0644}',
    'a.yaml',
  )
  expect(stringifyJson(document?.object)).toBe(
    '{"apiVersion":"v1","kind":"A","spec":{"mode":420,"size":9223372036854775807},"metadata":{}}',
  )
})

describe('capabilities', () => {
  const chart = {
    'crds/widget.yaml': [
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: w}',
      'spec: {group: example.com, names: {kind: Widget}, versions: [{name: v1, served: true}, {name: v0, served: false}]}',
    ].join('\n'),
    'templates/x.yaml': `${CONFIG_MAP}data: {all: '{{ toJson .Capabilities.APIVersions }}', kube: {{ .Capabilities.KubeVersion.Version }}}`,
  }

  test('with a cluster are what it serves and what crds/ of the chart will serve', async () => {
    const request = renderRequest(await chartOf(chart), {
      apiVersions: ['v1', 'v1/Pod'],
      kubeVersion: 'v1.34.1-gke.100',
    })
    const { documents, crds } = await renderer.render(request)
    expect(documents[0]?.object.data).toEqual({
      all: '["v1","v1/Pod","example.com/v1","example.com/v1/Widget"]',
      kube: 'v1.34.1-gke.100',
    })
    expect(crds.map(({ object, file, line }) => [object.metadata.name, file, line])).toEqual([
      ['w', 'demo/crds/widget.yaml', 1],
    ])
  })

  test("a vendor's suffix does not make a version too old for kubeVersion", async () => {
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nkubeVersion: ">=1.34.1"\n' }
    await renderer.render(renderRequest(await chartOf(files), { apiVersions: ['v1'], kubeVersion: 'v1.34.1-gke.100' }))
  })
})

describe('lookup', () => {
  const template = `${CONFIG_MAP}data:
  {{- $secret := lookup "v1" "Secret" "shop" "db" }}
  password: {{ if $secret }}{{ $secret.data.password }}{{ else }}fresh{{ end }}
  pods: "{{ range (lookup "v1" "Pod" "" "").items }}{{ .metadata.name }} {{ end }}"`

  test('asks the cluster while rendering', async () => {
    const request = renderRequest(await chartOf({ 'templates/x.yaml': template }), {
      lookup: async (apiVersion, kind, namespace, name) =>
        name === ''
          ? { apiVersion, kind: `${kind}List`, items: [{ metadata: { name: 'p1' } }, { metadata: { name: 'p2' } }] }
          : { apiVersion, kind, metadata: { name, namespace }, data: { password: 'b2xk' } },
    })
    const { documents } = await renderer.render(request)
    expect(documents[0]?.object.data).toEqual({ password: 'b2xk', pods: 'p1 p2 ' })
  })

  test('gives an empty map where there is nothing, and without a cluster', async () => {
    const chart = await chartOf({ 'templates/x.yaml': template })
    for (const request of [renderRequest(chart), renderRequest(chart, { lookup: async () => undefined })]) {
      const { documents } = await renderer.render(request)
      expect(documents[0]?.object.data).toEqual({ password: 'fresh', pods: '' })
    }
  })

  test('fails the render where the cluster refuses', async () => {
    const chart = await chartOf({ 'templates/x.yaml': template })
    const lookup = () => Promise.reject(new Error('secrets is forbidden'))
    await expect(renderer.render(renderRequest(chart, { lookup }))).rejects.toThrow(/lookup: secrets is forbidden/)
  })
})

describe('plain manifests', () => {
  test('are split and parsed as kubectl does, with lines', async () => {
    const text = `# licence\n---\n\n${CONFIG_MAP}---\n{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "json"}}\n---\n# end\n`
    const documents = await renderer.parse(text, 'app.yaml')
    expect(documents.map(({ object, file, line }) => [object.kind, file, line])).toEqual([
      ['ConfigMap', 'app.yaml', 4],
      ['Secret', 'app.yaml', 8],
    ])
  })

  test('of a stored release keep the file they came from', async () => {
    const { record } = await renderer.render(renderRequest(chartPath('parent')))
    const files = (await renderer.parse(record.manifest, 'web.v1')).map(({ file }) => file)
    expect(files).toContain('parent/charts/first/templates/child.yaml')
  })

  test('that are no YAML are refused with file and line', async () => {
    await expect(renderer.parse(`${CONFIG_MAP}---\na: 1\n b: [`, 'app.yaml')).rejects.toMatchObject({
      details: { template: 'app.yaml', line: 6 },
    })
  })

  test('behind an end marker are not lost silently', async () => {
    await expect(renderer.parse(`${CONFIG_MAP}...\n${CONFIG_MAP}`, 'app.yaml')).rejects.toThrow('not separated by')
  })
})

test('certificates and keys are made', async () => {
  const chart = await chartOf({
    'templates/x.yaml': `${CONFIG_MAP}data:
  {{- $ca := genCA "demo-ca" 365 }}
  {{- $cert := genSignedCert "demo" (list "10.0.0.1") (list "demo.local") 365 $ca }}
  {{- $self := genSelfSignedCert "demo" nil nil 365 }}
  ca: {{ $ca.Cert | quote }}
  cert: {{ $cert.Cert | quote }}
  self: {{ $self.Key | quote }}
  again: {{ (genCAWithKey "demo-ca" 365 $self.Key).Key | eq $self.Key | quote }}
  rsa: {{ genPrivateKey "rsa" | quote }}
  ecdsa: {{ genPrivateKey "ecdsa" | quote }}
  none: {{ genPrivateKey "none" | quote }}`,
  })
  const { documents } = await renderer.render(renderRequest(chart))
  expect(documents[0]?.object.data).toEqual({
    ca: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    cert: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    self: expect.stringMatching(/^-----BEGIN RSA PRIVATE KEY-----\n[\s\S]*\n-----END RSA PRIVATE KEY-----\n$/),
    again: 'true',
    rsa: expect.stringMatching(/^-----BEGIN RSA PRIVATE KEY-----\n[\s\S]*\n-----END RSA PRIVATE KEY-----\n$/),
    ecdsa: expect.stringMatching(/^-----BEGIN EC PRIVATE KEY-----\n/),
    none: 'Unknown type none',
  })
})

test("dates are in the host's zone, summer time included", async () => {
  const chart = await chartOf({
    'templates/x.yaml': `${CONFIG_MAP}data: {winter: '{{ date "15:04 MST" 1704067200 }}', summer: '{{ date "15:04 MST" 1719792000 }}'}`,
  })
  const inParis = await rendererForTests({ timeZone: 'Europe/Paris' })
  const { documents } = await inParis.render(renderRequest(chart))
  await inParis.close()
  expect(documents[0]?.object.data).toEqual({ winter: '01:00 CET', summer: '02:00 CEST' })
})

test('a chart of 1,000 objects', async () => {
  const template = `{{- range $i := until 1000 }}\n---\n${CONFIG_MAP.replace('x}', 'x{{ $i }}, labels: {i: "{{ $i }}"}}')}{{- end }}`
  const { documents } = await renderer.render(renderRequest(await chartOf({ 'templates/x.yaml': template })))
  expect(documents).toHaveLength(1000)
  expect(documents[999]).toMatchObject({ object: { metadata: { name: 'x999', labels: { i: '999' } } }, line: 3999 })
})

describe('values of the deployed revision', () => {
  const template = `${CONFIG_MAP}data: {values: {{ .Values | toJson | quote }}}\n`
  const reuse = { chartName: 'demo', chartValues: { color: 'red', old: 1 }, config: { color: 'green', extra: 1 } }
  const seen = async (keepsDefaults: boolean, set: readonly string[]) => {
    const chart = await chartOf({ 'templates/x.yaml': template, 'values.yaml': 'color: blue\ncome: new\n' })
    const request = { ...renderRequest(chart), values: { ...noValues, set }, reuse: { ...reuse, keepsDefaults } }
    const { documents, record } = await renderer.render(request)
    return { values: JSON.parse(String(at(documents[0]?.object, 'data', 'values'))) as unknown, config: record.config }
  }

  test('lie below those of the request, and above the defaults of their own chart', async () => {
    expect(await seen(true, ['size=2'])).toEqual({
      values: { color: 'green', extra: 1, old: 1, size: 2 },
      config: { color: 'green', extra: 1, size: 2 },
    })
  })

  test('lie above the defaults of the chart', async () => {
    expect(await seen(false, ['extra=2'])).toEqual({
      values: { color: 'green', come: 'new', extra: 2 },
      config: { color: 'green', extra: 2 },
    })
  })

  test('are taken away by null, but come back where they are defaults as well', async () => {
    expect((await seen(false, ['extra=null'])).values).toEqual({ color: 'green', come: 'new' })
    expect((await seen(true, ['extra=null'])).values).toEqual({ color: 'green', extra: 1, old: 1 })
  })
})
