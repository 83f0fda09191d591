import { describe, expect, test } from 'vitest'
import { type Inputs, problemsOf, readGiven, releasesOf } from './given.ts'

const workspace = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: postgres\nversion: 1.0\n',
  'charts/odd/Chart.yaml': 'apiVersion: v2\nname: Odd_Name\nversion: 1.0.0\n',
  'charts/broken/Chart.yaml': 'version: 1.0.0\n',
  'packed/api-2.0.0-rc.1.tgz': 'name: api\nversion: 2.0.0-rc.1\n',
  'packed/empty.tgz': '',
  'values/prod.yaml': 'a: 1\n',
}

const charts = (text: string, more: Inputs = {}) => ({ charts: text, ...more })

describe('charts as paths', () => {
  test('are one release each, named after the chart, whatever the folder or file is called', async () => {
    expect(await releasesOf(charts('charts/web\n\n  charts/db\npacked/api-2.0.0-rc.1.tgz\n'), workspace)).toEqual([
      'web (weight 0): chart charts/web',
      'postgres (weight 0): chart charts/db',
      'api (weight 0): chart packed/api-2.0.0-rc.1.tgz',
    ])
  })

  test('go to the namespace of the run', async () => {
    expect(await releasesOf(charts('charts/web', { namespace: 'shop' }), workspace)).toEqual([
      'web in shop (weight 0): chart charts/web',
    ])
  })

  test('that are no charts are named with their line', async () => {
    expect(
      await problemsOf(charts('charts/web\ncharts/none\nvalues\ncharts/broken\npacked/empty.tgz'), workspace),
    ).toEqual([
      'input charts: line 2: chart "charts/none" does not exist: write the path of a chart and check it out first, its address (oci://, https://), or its name with input repository',
      'input charts: line 3: chart "values" holds no Chart.yaml: write the path of the directory of the chart',
      'input charts: line 4: chart "charts/broken" has a Chart.yaml without name or version: write name and version of the chart',
      'input charts: line 5: chart "packed/empty.tgz" holds no Chart.yaml: package the chart again with `helm package`',
    ])
  })

  test('whose name is no release name need one', async () => {
    expect(await problemsOf(charts('charts/odd'), workspace)).toEqual([
      'input charts: line 1: release "Odd_Name", the name of the chart, is not valid: write lower-case letters, digits, "-" and ".", at most 53 characters',
    ])
  })
})

describe('charts as a YAML list', () => {
  test.each(['""', '" "', '~'])('count a field that is %s as not given', async (blank) => {
    const fields = ['release', 'namespace', 'weight', 'values', 'values-files', 'set', 'set-file']
    const given = charts(`- chart: charts/web\n${fields.map((field) => `  ${field}: ${blank}\n`).join('')}`)
    expect(await readGiven(given, workspace)).toEqual(await readGiven(charts('- chart: charts/web'), workspace))
  })

  test('leave out blank entries of a list', async () => {
    const { settings } = await readGiven(
      charts('- {chart: charts/web, values-files: ["", values/prod.yaml], set: [" ", a=1]}'),
      workspace,
    )
    expect(settings?.releases[0]?.source).toMatchObject({
      values: { files: [{ label: 'values/prod.yaml' }], set: ['a=1'] },
    })
  })

  test('take every field', async () => {
    const { settings } = await readGiven(
      charts(`
# the shop
- chart: charts/web
  release: front
  namespace: shop
  weight: -5
  values:
    image: { tag: "1.0" }
    replicas: 3
  values-files:
    - values/prod.yaml
  set: [a.b=1]
  set-string: |
    c=2
    d=3
  set-json: ['e=[1]']
  set-file: [f=values/prod.yaml]
  set-literal: ['g={h}']
`),
      workspace,
    )
    expect(settings?.releases).toEqual([
      {
        release: 'front',
        namespace: 'shop',
        weight: -5,
        source: {
          kind: 'chart',
          path: '/workspace/charts/web',
          values: {
            files: [
              { label: 'values/prod.yaml', text: 'a: 1\n' },
              { label: 'input charts, item 1, values', text: '{"image":{"tag":"1.0"},"replicas":3}' },
            ],
            set: ['a.b=1'],
            setString: ['c=2', 'd=3'],
            setJson: ['e=[1]'],
            setFile: ['f=/workspace/values/prod.yaml'],
            setLiteral: ['g={h}'],
          },
        },
      },
    ])
  })

  test('name the release after the chart where none is given', async () => {
    expect(await releasesOf(charts('[{chart: charts/db}, {chart: charts/web, weight: "-1"}]'), workspace)).toEqual([
      'web (weight -1): chart charts/web',
      'postgres (weight 0): chart charts/db',
    ])
  })

  test('report all mistakes of all items, never a value', async () => {
    const text = `
- chart: charts/web
  weight: heavy
  namespace: Shop
  realease: x
- release: Web_1
- charts/web
- chart: charts/none
  release: none
  values: [hunter2secret]
  values-files: values/none.yaml
  set: [hunter2secret]
  set-json: ['password=hunter2secret']
  set-string: { password: hunter2secret }
`
    expect(await problemsOf(charts(text), workspace)).toEqual([
      'input charts: item 1: "realease" is not a field: write one of chart, chart-version, repository, release, namespace, weight, values, values-files, set, set-string, set-json, set-file, set-literal',
      'input charts: item 1: weight "heavy" is not valid: write an integer',
      'input charts: item 1: namespace "Shop" is not valid: write lower-case letters, digits and "-", at most 63 characters',
      'input charts: item 2: chart is missing: write the path of a chart directory or of a .tgz',
      'input charts: item 2: release "Web_1" is not valid: write lower-case letters, digits, "-" and ".", at most 53 characters',
      'input charts: item 3: is not an object: write one path per line, or a YAML list of objects with chart, chart-version, repository, release, namespace, weight, values, values-files, set, set-string, set-json, set-file, set-literal',
      'input charts: item 4: values: is not a map of values: write `key: value` lines',
      'input charts: item 4: set-string is not a list of strings: write a list, each entry in quotes',
      'input charts: item 4: values-files: "values/none.yaml" does not exist or is not a file: write one existing file, glob or https:// address per line',
      'input charts: item 4: set: entry 1 has no key=value form: write one key=value per line',
      'input charts: item 4: set-json: entry 1: the value of password is not valid JSON: write key=json, with strings in double quotes',
      'input charts: item 4: chart "charts/none" does not exist: write the path of a chart and check it out first, its address (oci://, https://), or its name with input repository',
    ])
  })

  test('name the line of a mistake in the YAML and never a piece of it', async () => {
    const [problem = ''] = await problemsOf(charts('- chart: a\n  values: "hunter2secret\n'), workspace)
    expect(problem).toMatch(/^input charts: is not valid YAML at line \d: check the indentation and quotes$/)
  })

  test.each([
    ['a fraction', '1.5'],
    ['a number too large to be exact', '9007199254740993'],
    ['a boolean', 'true'],
  ])('refuse %s as weight', async (_, weight) => {
    expect(await problemsOf(charts(`- {chart: charts/web, weight: ${weight}}`), workspace)).toHaveLength(1)
  })
})
