import { describe, expect, test } from 'vitest'
import type { ChartSources } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { fakeSources } from '../doubles/fake-sources.ts'
import { type Inputs, readGiven } from './given.ts'

const WORKSPACE = {
  'charts/shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
  'values/b.yaml': 'b: 1',
  'values/a.yaml': 'a: 1',
  'values/a.json': '{}',
  'values/eu/c.yaml': 'c: 1',
  'odd/[x].yaml': 'odd: 1',
  'odd/x.yaml': 'x: 1',
  'last.yaml': 'last: 1',
}
const URL_TEXT = 'https://config.example/prod.yaml?token=hunter2'

async function filesOf(lines: string, sources?: ChartSources, inputs: Inputs = {}) {
  const given = { chart: 'charts/shop', release: 'shop', 'values-files': lines, ...inputs }
  const { settings, problems } = await readGiven(given, WORKSPACE, { ...(sources && { sources }) })
  const source = settings?.releases[0]?.source
  return {
    labels: source?.kind === 'chart' ? source.values.files.map(({ label }) => label) : [],
    texts: source?.kind === 'chart' ? source.values.files.map(({ text }) => text) : [],
    problems: problems.map(({ what, hint, reason }) => `${reason}: ${what}: ${hint && hintText(hint)}`),
  }
}

describe('values-files', () => {
  test.each([
    ['values/*.yaml', ['values/a.yaml', 'values/b.yaml']],
    ['last.yaml\nvalues/*.yaml', ['last.yaml', 'values/a.yaml', 'values/b.yaml']],
    ['values/**/*.yaml\nlast.yaml', ['values/a.yaml', 'values/b.yaml', 'values/eu/c.yaml', 'last.yaml']],
    ['values/[b]?yaml', ['values/b.yaml']],
    ['odd/[x].yaml', ['odd/[x].yaml']],
    ['values/{b,a}.yaml', ['values/a.yaml', 'values/b.yaml']],
  ])('%j are the files of each glob, sorted, in the order of the list', async (lines, labels) => {
    expect(await filesOf(lines)).toMatchObject({ labels, problems: [] })
  })

  test.each([
    ['values/*.yml', '"values/*.yml" matches no file'],
    ['values', '"values" does not exist or is not a file'],
    ['none/*/x', '"none/*/x" matches no file'],
  ])('%s is a problem', async (line, what) => {
    const hint = 'write one existing file, glob or https:// address per line'
    expect((await filesOf(line)).problems).toEqual([`invalid-input: ${what}: ${hint}`])
  })

  test('come from an address, and its query is in no label', async () => {
    const sources = fakeSources({ texts: { [URL_TEXT]: 'far: 1' } })
    expect(await filesOf(`${URL_TEXT}\nlast.yaml`, sources)).toEqual({
      labels: ['https://config.example/prod.yaml', 'last.yaml'],
      texts: ['far: 1', 'last: 1'],
      problems: [],
    })
    expect(sources.asked).toEqual([URL_TEXT])
  })

  test('that cannot be fetched are a problem of their own reason', async () => {
    const { problems } = await filesOf('https://config.example/none.yaml')
    expect(problems).toEqual([
      'fetch-failed: https://config.example/none.yaml does not exist (404): check the address and the name',
    ])
  })

  test.each([
    ['https://me:hunter2@config.example/a.yaml?x=hunter2', '"https://config.example/a.yaml" holds a login'],
    ['s3://bucket/a.yaml?x=hunter2', '"s3://bucket/a.yaml" is an address of an unknown kind'],
    ['git+https://me:hunter2@h.example/a.yaml', '"git+https://h.example/a.yaml" is an address of an unknown kind'],
    ['https://:hunter2', 'holds no valid address'],
  ])('%s is refused, and no secret of it is repeated', async (line, what) => {
    const { problems } = await filesOf(line)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`invalid-input: ${what}`)
    expect(problems[0]).not.toContain('hunter2')
  })

  test('of an item of charts are read likewise', async () => {
    const charts =
      '- chart: charts/shop\n  values-files: [last.yaml, "values/*.yaml"]\n- chart: charts/shop\n  release: b\n  values-files: ["*.yml"]\n'
    const { problems } = await filesOf('', undefined, { chart: '', release: '', charts })
    expect(problems).toEqual([
      'invalid-input: item 2: values-files: "*.yml" matches no file: write one existing file, glob or https:// address per line',
    ])
  })
})
