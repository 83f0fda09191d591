import { describe, expect, test } from 'vitest'
import { problemsOf, readGiven } from './given.ts'

/** A HelmChart document with its archive. `spec` is indented by two. */
function workspace(spec: string, apiVersion = 'kots.io/v1beta2') {
  const text = `apiVersion: ${apiVersion}\nkind: HelmChart\nmetadata:\n  name: web\nspec:\n${spec}`
  return { 'release/web.yaml': text, 'release/web-1.2.0.tgz': 'name: web\nversion: 1.2.0\n' }
}

const chart = '  chart: { name: web, chartVersion: 1.2.0 }\n'
const inputs = { manifests: 'release', namespace: 'shop' }

async function specOf(spec: string, apiVersion?: string) {
  const { settings, problems } = await readGiven(inputs, workspace(spec, apiVersion))
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return settings?.releases[0]
}

async function faultsOf(spec: string, apiVersion?: string): Promise<readonly string[]> {
  return problemsOf(inputs, workspace(spec, apiVersion))
}

async function valuesOf(spec: string): Promise<unknown> {
  const release = await specOf(`${chart}${spec}`)
  const text = release?.source.kind === 'chart' ? release.source.values.files[0]?.text : undefined
  return JSON.parse(text ?? 'null')
}

describe('a HelmChart document', () => {
  test('is a release of the archive with its name and version', async () => {
    expect(await specOf(chart)).toEqual({
      release: 'web',
      namespace: 'shop',
      weight: 0,
      source: {
        kind: 'chart',
        path: '/workspace/release/web-1.2.0.tgz',
        values: {
          files: [{ label: 'release/web.yaml spec.values', text: '{}' }],
          set: [],
          setString: [],
          setJson: [],
          setFile: [],
          setLiteral: [],
        },
      },
    })
  })

  test('gives releaseName, namespace and weight', async () => {
    expect(await specOf(`${chart}  releaseName: front\n  namespace: other\n  weight: -7\n`)).toMatchObject({
      release: 'front',
      namespace: 'other',
      weight: -7,
    })
  })

  test('of v1beta1 has its releaseName under chart', async () => {
    const spec = '  chart: { name: web, chartVersion: 1.2.0, releaseName: front }\n  useHelmInstall: true\n'
    expect(await specOf(spec, 'kots.io/v1beta1')).toMatchObject({ release: 'front' })
  })

  test('takes the archive beside it where several hold the chart', async () => {
    const texts = { ...workspace(chart), 'release/a/web.tgz': 'name: web\nversion: 1.2.0\n' }
    const { settings } = await readGiven(inputs, texts)
    expect(settings?.releases[0]?.source).toMatchObject({ path: '/workspace/release/web-1.2.0.tgz' })
  })

  test('is uninstalled by its name, whatever templates its values hold', async () => {
    const spec = `${chart}  values: { a: 'repl{{ ConfigOption "x" }}' }\n`
    expect(await problemsOf({ ...inputs, command: 'uninstall' }, workspace(spec))).toEqual([])
  })

  test('whose archive is missing', async () => {
    expect(await faultsOf('  chart: { name: api, chartVersion: 1.2.0 }\n')).toEqual([
      'HelmChart/web: spec.chart.name "api" is in none of the .tgz files: put api-1.2.0.tgz next to the document',
      'warning: release/web-1.2.0.tgz is not deployed: no HelmChart document names chart web 1.2.0: add a HelmChart document, or remove the file',
    ])
  })

  test('whose archive has another version', async () => {
    const [first] = await faultsOf('  chart: { name: web, chartVersion: 1.3.0 }\n')
    expect(first).toBe(
      'HelmChart/web: spec.chart.chartVersion "1.3.0" is in none of the .tgz files; release/web-1.2.0.tgz holds 1.2.0: put web-1.3.0.tgz next to the document',
    )
  })

  test('weight under spec.chart is a problem, not silence', async () => {
    expect(await faultsOf('  chart: { name: web, chartVersion: 1.2.0, weight: 5 }\n')).toEqual([
      'HelmChart/web: spec.chart.weight has no effect there: move it to spec.weight',
    ])
  })

  test('useHelmInstall: false is a problem, never silent', async () => {
    expect(await faultsOf(`${chart}  useHelmInstall: false\n`, 'kots.io/v1beta1')).toEqual([
      'HelmChart/web: spec.useHelmInstall is not true; a chart is installed by Helm here: write useHelmInstall: true, or use kots.io/v1beta2',
    ])
  })

  test('of v1beta1 without useHelmInstall is a warning', async () => {
    const [first] = await faultsOf(chart, 'kots.io/v1beta1')
    expect(first).toMatch(/^warning: HelmChart\/web: spec.useHelmInstall is missing, which means false to KOTS/)
  })

  test('with a field that is unknown is a warning', async () => {
    expect(await faultsOf(`${chart}  wieght: 5\n`)).toEqual([
      'warning: HelmChart/web: spec.wieght is not a field of kots.io/v1beta2 and is not used: correct the name, or remove it',
    ])
  })

  test('names all its mistakes at once', async () => {
    const spec =
      '  releaseName: Web\n  namespace: Shop\n  weight: 1.5\n  exclude: maybe\n  values: [a]\n  chart: { name: 1 }\n'
    expect(await faultsOf(spec)).toEqual([
      'HelmChart/web: spec.exclude "maybe" is neither "true" nor "false": write "true" or "false"',
      'HelmChart/web: spec.chart.name is not a string: put it in quotes',
      'HelmChart/web: spec.chart.chartVersion is missing: write the version in Chart.yaml',
      'HelmChart/web: spec.releaseName "Web" is not valid: write lower-case letters, digits, "-" and ".", at most 53 characters',
      'HelmChart/web: spec.namespace "Shop" is not valid: write lower-case letters, digits and "-", at most 63 characters',
      'HelmChart/web: spec.weight "1.5" is not valid: write an integer',
      'HelmChart/web: spec.values is not a map of values: write `key: value` lines',
      'warning: release/web-1.2.0.tgz is not deployed: no HelmChart document names chart web 1.2.0: add a HelmChart document, or remove the file',
    ])
  })
})

describe('exclude of a HelmChart document', () => {
  test.each(['true', '"true"', '"1"', 'repl{{ true }}'])('%s leaves it out and lists it', async (exclude) => {
    const spec = `  chart: { name: none, chartVersion: 1.0.0 }\n  exclude: ${exclude}\n  namespace: 'repl{{ Namespace }}'\n`
    const texts = { ...workspace(spec), 'release/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n' }
    const { settings } = await readGiven({ ...inputs, release: 'app' }, texts)
    expect(settings?.releases.map(({ release }) => release)).toEqual(['app'])
    expect(settings?.leftOut).toEqual([
      {
        ref: { apiVersion: 'kots.io/v1beta2', kind: 'HelmChart', name: 'web' },
        reason: 'excluded',
      },
    ])
  })

  test('says nothing of its archive', async () => {
    const texts = {
      ...workspace(`${chart}  exclude: true\n`),
      'release/c.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: c }\n',
    }
    expect(await problemsOf({ ...inputs, release: 'app' }, texts)).toEqual([])
  })

  test.each(['false', '"false"', '"f"'])('%s deploys it', async (exclude) => {
    expect(await specOf(`${chart}  exclude: ${exclude}\n`)).toMatchObject({ release: 'web' })
  })
})

describe('values of a HelmChart document', () => {
  test('are a map in which null, also as text, deletes a default', async () => {
    expect(await valuesOf('  values: { a: 1, b: null, c: { d: "null", e: [x] } }\n')).toEqual({
      a: 1,
      b: null,
      c: { d: null, e: ['x'] },
    })
  })

  const base = '  values: { image: { tag: "1", name: web }, replicas: 1 }\n'

  test('optionalValues replace top-level keys where when holds', async () => {
    const optional = '  optionalValues:\n    - { when: "true", values: { image: { tag: "2" } } }\n'
    expect(await valuesOf(`${base}${optional}`)).toEqual({ image: { tag: '2' }, replicas: 1 })
  })

  test('optionalValues with recursiveMerge go into maps, and win', async () => {
    const optional =
      '  optionalValues:\n    - { when: true, recursiveMerge: true, values: { image: { tag: "2" }, replicas: { min: 1 } } }\n'
    expect(await valuesOf(`${base}${optional}`)).toEqual({ image: { tag: '2', name: 'web' }, replicas: { min: 1 } })
  })

  test('an optional scalar over a map wins, which KOTS loses', async () => {
    const optional = '  optionalValues:\n    - { when: "1", recursiveMerge: true, values: { image: off } }\n'
    expect(await valuesOf(`${base}${optional}`)).toEqual({ image: 'off', replicas: 1 })
  })

  test('optionalValues go in order, and those whose when is false do nothing', async () => {
    const optional =
      '  optionalValues:\n    - { when: "true", values: { replicas: 2 } }\n    - { when: "t", values: { replicas: 4 } }\n    - { when: "false", values: { replicas: 3 } }\n'
    expect(await valuesOf(`${base}${optional}`)).toMatchObject({ replicas: 4 })
  })

  test('mistakes in optionalValues are named with their place', async () => {
    const optional =
      '  optionalValues:\n    - { values: [x] }\n    - word\n    - { when: "true", recursiveMerge: maybe }\n'
    expect(await faultsOf(`${chart}${optional}`)).toEqual([
      'HelmChart/web: spec.optionalValues[0].when is neither "true" nor "false": write "true" or "false"',
      'HelmChart/web: spec.optionalValues[0].values is not a map of values: write `key: value` lines',
      'HelmChart/web: spec.optionalValues[1] is not a map: write when, recursiveMerge and values',
      'HelmChart/web: spec.optionalValues[2].recursiveMerge is not a boolean: write true or false',
    ])
  })

  test('builder and docs have no effect, whatever they hold', async () => {
    expect(await faultsOf(`${chart}  builder: { a: 'repl{{ ConfigOption "x" }}' }\n  docs: x\n`)).toEqual([])
  })

  test('template functions are named in one problem', async () => {
    const spec = `${chart}  weight: 'repl{{ ConfigOption "w" }}'\n  values: { a: '{{repl HelmValue ".x" }}', b: 'repl{{ if true }}', c: 'repl{{ Distribution }}' }\n`
    expect(await faultsOf(spec)).toEqual([
      'HelmChart/web: spec.weight, spec.values.a, spec.values.b and 1 more: template functions of KOTS are not evaluated here: ConfigOption, HelmValue, if, Distribution: write the value itself, or leave the document out',
    ])
  })
})
