import { describe, expect, test } from 'vitest'
import { problemsOf, readGiven, releasesOf } from './given.ts'

const object = (kind: string, name: string, apiVersion = 'v1') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n`
const helmChart = (name: string, version: string, more = '') =>
  `${object('HelmChart', name, 'kots.io/v1beta2')}spec:\n  chart:\n    name: ${name}\n    chartVersion: ${version}\n${more}`
const archive = (name: string, version: string) => `name: ${name}\nversion: ${version}\n`

const inputs = { manifests: 'release', release: 'app' }

describe('manifests', () => {
  const k8s = {
    'k8s/b.yaml': `${object('Secret', 'b1')}---\n${object('Secret', 'b2')}`,
    'k8s/a.yml': object('ConfigMap', 'a'),
    'k8s/deep/c.json': '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "c"}}',
    'k8s/README.md': '# no manifest',
    'first.yaml': object('Namespace', 'first'),
  }

  test.each([
    ['a file', 'first.yaml', 'Namespace/first'],
    ['a folder, at any depth, by path', 'k8s', 'ConfigMap/a Secret/b1 Secret/b2 Service/c'],
    ['a glob', 'k8s/*.yaml', 'Secret/b1 Secret/b2'],
    [
      'lines in their order, a file once',
      'k8s/b.yaml\n\nfirst.yaml\nk8s/*',
      'Secret/b1 Secret/b2 Namespace/first ConfigMap/a',
    ],
  ])('are %s', async (_, manifests, found) => {
    expect(await releasesOf({ manifests, release: 'app' }, k8s)).toEqual([`app (weight 0): manifests ${found}`])
  })

  test('carry the file that each document is from', async () => {
    const { settings } = await readGiven({ manifests: 'k8s/*.yml', release: 'app' }, k8s)
    expect(settings?.releases[0]?.source).toMatchObject({
      kind: 'manifests',
      documents: [{ file: 'k8s/a.yml', line: 1, object: { kind: 'ConfigMap' } }],
    })
  })

  test('that match nothing are named with their line', async () => {
    expect(await problemsOf({ manifests: 'first.yaml\nk9s', release: 'app' }, k8s)).toEqual([
      'input manifests: line 2: "k9s" matches no file: write a path, folder or glob of .yaml, .yml, .json or .tgz files',
    ])
  })

  test('that cannot be parsed are named, all of them', async () => {
    const problems = await problemsOf({ manifests: '.', release: 'app' }, { 'a.yaml': 'a: [', 'b.yaml': 'b: "' })
    expect(problems.map((problem) => problem.slice(0, 22))).toEqual([
      'a.yaml cannot be read:',
      'b.yaml cannot be read:',
    ])
  })

  test('name the chart that lies among them', async () => {
    const texts = {
      'k8s/web/Chart.yaml': 'name: web',
      'k8s/web/templates/a.yaml': '{{ broken }}',
      'k8s/a.yaml': object('Pod', 'a'),
    }
    expect(await problemsOf({ manifests: 'k8s', release: 'app' }, texts)).toEqual([
      'input manifests: "k8s/web" is a chart, not a folder of manifests: write it in charts, or package it',
    ])
  })
})

describe('a release folder of KOTS', () => {
  const folder = {
    'release/config.yaml': `${object('Config', 'config', 'kots.io/v1beta1')}spec:\n  x: 'repl{{ LicenseFieldValue "x" }}'\n`,
    'release/app.yaml': object('Application', 'app', 'kots.io/v1beta1'),
    'release/k8s-app.yaml': object('Application', 'app', 'app.k8s.io/v1beta1'),
    'release/preflight.yaml': object('Preflight', 'checks', 'troubleshoot.sh/v1beta2'),
    'release/bundle.yaml': object('SupportBundle', 'bundle', 'troubleshoot.sh/v1beta2'),
    'release/crd.yaml': object('CustomResourceDefinition', 'foos.example.com', 'apiextensions.k8s.io/v1'),
    'release/web.yaml': helmChart('web', '1.2.0', '  weight: 5\n'),
    'release/db.yaml': helmChart('db', '0.1.0', '  weight: -1\n'),
    'release/api.yaml': helmChart('api', '3.0.0', '  weight: 5\n'),
    'release/web-1.2.0.tgz': archive('web', '1.2.0'),
    'release/db-0.1.0.tgz': archive('db', '0.1.0'),
    'release/api-3.0.0.tgz': archive('api', '3.0.0'),
  }

  test('plain manifests, then charts by weight, then by chart name', async () => {
    expect(await releasesOf(inputs, folder)).toEqual([
      'app (weight 0): manifests CustomResourceDefinition/foos.example.com',
      'db (weight -1): chart release/db-0.1.0.tgz',
      'api (weight 5): chart release/api-3.0.0.tgz',
      'web (weight 5): chart release/web-1.2.0.tgz',
    ])
  })

  test('equal weights go by chart name, not by release name or file', async () => {
    const texts = {
      'release/1.yaml': helmChart('web', '1.0.0', '  releaseName: a\n'),
      'release/2.yaml': helmChart('db', '1.0.0', '  releaseName: z\n'),
      'release/web.tgz': archive('web', '1.0.0'),
      'release/db.tgz': archive('db', '1.0.0'),
    }
    expect(await releasesOf({ manifests: 'release' }, texts)).toEqual([
      'z (weight 0): chart release/db.tgz',
      'a (weight 0): chart release/web.tgz',
    ])
  })

  test('uninstall is the exact reverse, from the records, without an archive', async () => {
    const texts = Object.fromEntries(Object.entries(folder).filter(([path]) => !path.endsWith('.tgz')))
    expect(await releasesOf({ ...inputs, command: 'uninstall' }, texts)).toEqual([
      'web (weight 5): record',
      'api (weight 5): record',
      'db (weight -1): record',
      'app (weight 0): record',
    ])
  })

  test('leaves the kinds of KOTS out and lists them', async () => {
    const { settings } = await readGiven(inputs, folder)
    expect(settings?.leftOut.map(({ ref, reason }) => `${ref.kind}/${ref.name} ${reason}`)).toEqual([
      'Application/app kots-only',
      'SupportBundle/bundle kots-only',
      'Config/config kots-only',
      'Application/app kots-only',
      'Preflight/checks kots-only',
    ])
  })

  test('finds the archives next to the documents where a glob names only YAML', async () => {
    const found = await releasesOf({ ...inputs, manifests: 'release/*.yaml' }, folder)
    expect(found[1]).toBe('db (weight -1): chart release/db-0.1.0.tgz')
  })

  test('an archive without a HelmChart document is a warning', async () => {
    expect(await problemsOf(inputs, { ...folder, 'release/old.tgz': archive('old', '9.0.0') })).toEqual([
      'warning: release/old.tgz is not deployed: no HelmChart document names chart old 9.0.0: add a HelmChart document, or remove the file',
    ])
  })

  test('a pattern that would take seconds to read is a problem', async () => {
    expect(await problemsOf({ manifests: '['.repeat(501), release: 'app' }, {})).toEqual([
      expect.stringContaining('is a pattern of more than 500 characters'),
    ])
  })

  test('an archive that is no chart is a problem', async () => {
    expect(await problemsOf(inputs, { ...folder, 'release/x.tgz': '' })).toEqual([
      'release/x.tgz holds no Chart.yaml: package the chart again with `helm package`',
    ])
  })

  test('of which all is left out has nothing to deploy', async () => {
    const texts = { 'release/config.yaml': folder['release/config.yaml'] }
    expect(await problemsOf(inputs, texts)).toEqual([
      'input manifests: holds nothing to deploy: name files with Kubernetes objects',
    ])
  })

  test('names template functions in plain manifests, with their places', async () => {
    const text = `${object('ConfigMap', 'c')}data:\n  a: 'repl{{ ConfigOption "a" }}'\n  b: '{{repl LicenseFieldValue "b" }}'\n`
    expect(await problemsOf(inputs, { 'release/c.yaml': text })).toEqual([
      'ConfigMap/c: data.a, data.b: template functions of KOTS are not evaluated here: ConfigOption, LicenseFieldValue: write the value itself, or leave the document out',
    ])
  })

  test.each([
    ['kots.io/exclude: "true"', 0],
    ['kots.io/when: "false"', 0],
    ['kots.io/exclude: "false", kots.io/when: "false"', 1],
  ])('does not look for templates in an object with %s: %i problems', async (annotations, count) => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  annotations: { ${annotations} }\ndata:\n  a: 'repl{{ ConfigOption "a" }}'\n`
    expect(await problemsOf(inputs, { 'release/c.yaml': text })).toHaveLength(count)
  })

  test('takes template functions that are literals', async () => {
    const text = `${object('ConfigMap', 'c')}data:\n  a: repl{{ "text" }}\n`
    const { settings } = await readGiven(inputs, { 'release/c.yaml': text })
    expect(settings?.releases[0]?.source).toMatchObject({ documents: [{ object: { data: { a: 'text' } } }] })
  })

  test('says that a file cannot be parsed because of its templates', async () => {
    const [problem] = await problemsOf(inputs, { 'release/c.yaml': 'a: {{repl ConfigOption "a" }}\n  b: c' })
    expect(problem).toContain('it uses template functions of KOTS, which are not evaluated here: ConfigOption')
  })
})
