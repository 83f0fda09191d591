import { expect, test } from 'vitest'
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
