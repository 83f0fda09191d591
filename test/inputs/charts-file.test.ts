import { describe, expect, test } from 'vitest'
import { type Inputs, problemsOf, readGiven, releasesOf } from './given.ts'

const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
const workspace = { 'charts/web/Chart.yaml': chart, 'deploy/charts/web/Chart.yaml': chart, 'values.yaml': 'a: 1\n' }
const inFile = (text: string, file = 'charts.yaml') => ({ ...workspace, [file]: text })

describe('a list of charts in a file', () => {
  test.each<[string, string, string]>([
    ['YAML', 'charts.yaml', '# the shop\n- chart: charts/web\n  weight: 2\n  values-files: [values.yaml]\n'],
    ['YAML with a document start', 'charts.yml', '\uFEFF# x\n---\n- chart: charts/web\n  weight: 2\n'],
    ['YAML of Windows', 'charts.yaml', '---\r\n- chart: charts/web\r\n  weight: 2\r\n'],
    ['JSON', 'out/charts.json', '[{"chart": "charts/web", "weight": 2}]'],
  ])('is read as if it stood in the input: %s', async (_, file, text) => {
    expect(await releasesOf({ charts: `  ${file}\n` }, inFile(text, file))).toEqual([
      'web (weight 2): chart charts/web',
    ])
  })

  test('starts, as the paths in it, in working-directory', async () => {
    const given: Inputs = { charts: 'charts.yaml', 'working-directory': 'deploy' }
    const texts = inFile('- chart: charts/web\n', 'deploy/charts.yaml')
    expect(await releasesOf(given, texts)).toEqual(['web (weight 0): chart deploy/charts/web'])
  })

  test('names file and item of a mistake, and file and line of one in the YAML', async () => {
    const items = inFile('- chart: charts/web\n- chart: charts/web\n  release: b\n  weight: heavy\n')
    const { problems } = await readGiven({ charts: 'charts.yaml' }, items)
    expect(problems).toMatchObject([
      { place: { input: 'charts', file: 'charts.yaml' }, what: 'item 2: weight "heavy" is not valid' },
    ])
    const broken = await readGiven({ charts: 'charts.yaml' }, inFile('---\n- chart: a\n  values: "hunter2secret\n'))
    expect(broken.problems).toMatchObject([{ place: { file: 'charts.yaml', line: expect.any(Number) } }])
    expect(JSON.stringify(broken.problems)).not.toContain('hunter2')
  })

  test('serves a rollback, which needs the names', async () => {
    const texts = inFile('- release: web\n- release: db\n')
    expect(await releasesOf({ command: 'rollback', charts: 'charts.yaml' }, texts)).toEqual([
      'web (weight 0): record',
      'db (weight 0): record',
    ])
  })

  test.each([
    ['that does not exist', 'none.yaml', {}, '"none.yaml" does not exist'],
    ['that holds a map', 'charts.yaml', { 'charts.yaml': 'charts: []\n' }, 'is not a list'],
    ['that holds paths', 'charts.yaml', { 'charts.yaml': 'charts/web\n' }, 'is not a list'],
    ['that is empty', 'charts.yaml', { 'charts.yaml': '# nothing\n' }, 'is not a list'],
    ['that is huge', 'charts.yaml', { 'charts.yaml': `#${'x'.repeat(2 ** 20)}` }, '"charts.yaml" is larger than 1 MiB'],
    ['with too many charts', 'charts.yaml', { 'charts.yaml': '- {}\n'.repeat(1001) }, 'lists more than 1000 charts'],
  ])('%s is refused', async (_, charts, texts, what) => {
    const problems = await problemsOf({ charts }, { ...workspace, ...texts })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`input charts: ${what}`)
  })

  test('is not meant by a directory that is called so, nor by one of several lines', async () => {
    const texts = {
      'web.yaml/Chart.yaml': chart,
      'charts/web/Chart.yaml': chart,
      'charts.yaml': '- chart: charts/web\n',
    }
    expect(await releasesOf({ charts: 'web.yaml' }, texts)).toEqual(['web (weight 0): chart web.yaml'])
    expect(await problemsOf({ charts: 'charts/web\ncharts.yaml' }, texts)).toHaveLength(1)
  })
})
