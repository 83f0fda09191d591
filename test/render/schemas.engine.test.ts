import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { chartOf, temporaryFolder } from './fixtures.ts'
import { hostileSchemas } from './hostile-schemas.ts'
import { socketsIn, startRenderChild, traceTo } from './start-render-child.ts'

const VALUES = `a: {b: [1, {c: d}]}\nnumber: 7\ntext: ${'a'.repeat(40)}!\n`
const TEMPLATE = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
/** A schema that is read says so by what it asks for. */
const FETCHED = 'this-schema-was-fetched'

const MIN_SCHEMAS = 200
const SCHEMAS = 456
const MAX_CPU_MS = 2_000

test(`S-05 S-06 ${SCHEMAS} schemas are refused or harmless, within the time of two seconds each, and open no socket`, async () => {
  const asked: string[] = []
  const server = createServer((incoming, answer) => {
    asked.push(incoming.url ?? '')
    answer.end(JSON.stringify({ required: [FETCHED] }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const folder = await temporaryFolder()
  const file = join(folder, 'other.json')
  await writeFile(file, JSON.stringify({ required: [FETCHED] }))
  const schemas = hostileSchemas({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, file })
  expect(new Set(schemas.map(({ title }) => title)).size).toBe(SCHEMAS)
  expect(SCHEMAS).toBeGreaterThanOrEqual(MIN_SCHEMAS)

  const trace = join(folder, 'trace.json')
  const child = await startRenderChild({ trace })
  const verdicts = { rendered: 0, refused: 0 }
  for (const { title, text, refusal } of schemas) {
    const chart = await chartOf({ 'values.yaml': VALUES, 'values.schema.json': text, 'templates/a.yaml': TEMPLATE })
    const { rendered, cpuMs } = await child.judge(chart)
    verdicts[rendered === 'rendered' ? 'rendered' : 'refused'] += 1
    if (refusal !== undefined) expect(rendered, title).toMatch(refusal)
    expect(rendered, title).not.toMatch(/stopped|does not finish|needs more memory|panic|runtime error/)
    expect(rendered, title).not.toContain(FETCHED)
    expect(cpuMs, title).toBeLessThan(MAX_CPU_MS)
  }
  await child.end()
  expect(await socketsIn(trace)).toEqual([])
  expect(asked).toEqual([])
  // Both must happen, or the corpus is too tame or too wild to prove anything.
  expect(Math.min(verdicts.rendered, verdicts.refused)).toBeGreaterThan(SCHEMAS / 20)
})

test('S-06 a socket that a thread opens would be seen', async () => {
  const trace = join(await temporaryFolder(), 'trace.json')
  const asking = `require('node:net').connect(9, '127.0.0.1').on('error', () => process.exit(0))`
  const script = `new (require('node:worker_threads').Worker)(${JSON.stringify(asking)}, { eval: true, env: {}, execArgv: [] })`
  await promisify(execFile)(process.execPath, [...traceTo(trace), '--eval', script])
  expect(await socketsIn(trace)).toContain('TCPWRAP')
})
