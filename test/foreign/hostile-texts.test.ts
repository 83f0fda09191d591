import { expect, test } from 'vitest'
import { parseAnswer } from '../../src/kube/api-answer.ts'
import { documentsOf } from '../../src/render/rendered-documents.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { faults } from '../directives/given.ts'
import { problemsOf } from '../inputs/given.ts'

/** Reading takes well below this; each of these texts once took from seconds to for ever. */
const READING_MS = 2_000

test('100,000 blanks in a dependency are a problem, at once', () => {
  const read = () => faults({ 'werf.io/deploy-dependency-db': `state=${' '.repeat(100_000)}x"` })
  expect(cpuMsOf(() => expect(read()).toHaveLength(1))).toBeLessThan(READING_MS)
})

test('60 blank lines before what is no list of charts are read at once', async () => {
  const before = process.cpuUsage()
  await problemsOf({ charts: `${'\n'.repeat(60)}./chart` }, {})
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(READING_MS)
})

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('a document of 3,000 levels is a problem with its file and line', () => {
  const json = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${nested(3000)}}`
  const document = { file: 'shop/templates/a.yaml', line: 3, json, text: '' }
  expect(() => documentsOf([document])).toThrow(
    'document at line 3 of shop/templates/a.yaml nests deeper than 200 levels',
  )
})

test('an answer of the API server of 3,000 levels is told as such', () => {
  expect(() => parseAnswer(nested(3000), { doing: 'get Widget/a' })).toThrow('nests deeper than 256 levels')
})

test('inline values of 3,000 levels are a problem of that input', async () => {
  const problems = await problemsOf({ chart: 'c', values: nested(3000) }, { 'c/Chart.yaml': 'name: c' })
  expect(problems.join('\n')).toContain('input values: is not valid YAML at line 1')
})
