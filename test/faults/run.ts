import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mapLimited } from '../../src/concurrency/map-limited.ts'
import { messageOf } from '../../src/model/errors.ts'
import { ensureBinaries } from '../../src/tools/builds/binaries.ts'
import { CLUSTER_BINARIES, startCluster } from '../../src/tools/local/cluster/start-cluster.ts'
import { HELM_VERSIONS } from '../oracle/helm-view.ts'
import { type Cell, cellName, playCell } from './cell.ts'
import { knownFailures } from './known-failures.ts'
import { type CellOutcome, cellsNamed, matrices, matrixTable } from './matrix.ts'

/**
 * `npm run test:faults`: every cell of all matrices, as tables. `-- lost-replies @record` takes the cells whose names hold one of
 * the words; `--seeds 10` plays each ten times, `--from-seed 11` with other seeds than the first ten; `--minute 6` makes faults
 * last a tenth of their time.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'at-once': { type: 'string', default: '2' },
    seeds: { type: 'string', default: '1' },
    'from-seed': { type: 'string', default: '1' },
    minute: { type: 'string', default: '60' },
  },
})
const LOGS = join(import.meta.dirname, '..', '..', 'reports', 'faults')
const FULL_MINUTE_MS = 60_000
const minuteMs = Number(values.minute) * 1000
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values['from-seed']) + index)
const cells = cellsNamed(positionals)

await ensureBinaries([...CLUSTER_BINARIES, ...HELM_VERSIONS])
await mkdir(LOGS, { recursive: true })
const cluster = await startCluster()
try {
  const rounds = seeds.flatMap((seed) => cells.map((cell) => ({ cell, seed })))
  const outcomes = await mapLimited(rounds, Number(values['at-once']), ({ cell, seed }) => play(cell, seed))
  for (const matrix of matrices) {
    const own = outcomes.filter(({ cell }) => matrix.cells.includes(cell))
    if (own.length > 0) process.stdout.write(`\n${matrixTable(matrix, own)}\n`)
  }
  process.stdout.write(`\n${verdict(outcomes)}\n`)
} finally {
  await cluster.stop()
}

async function play(cell: Cell, seed: number): Promise<CellOutcome> {
  const name = cellName(cell)
  const { findings, ends, log, seconds } = await playCell(cell, {
    kubeconfig: cluster.kubeconfig,
    seed,
    minuteMs,
  }).catch((error: unknown) => ({ findings: [`the cell broke: ${messageOf(error)}`], ends: [], log: '', seconds: 0 }))
  if (findings.length > 0) await writeFile(join(LOGS, `${name}-${seed}.log`), log)
  const told =
    findings.length === 0 ? `ok (${ends.join(', ')})` : findings.map((finding) => `\n    ${finding}`).join('')
  process.stderr.write(`${name}, seed ${seed}, ${seconds.toFixed(0)} s: ${told}\n`)
  return { cell, seed, findings }
}

function verdict(outcomes: readonly CellOutcome[]): string {
  const failed = outcomes.filter(({ findings }) => findings.length > 0)
  const failing = new Set(failed.map(({ cell }) => cellName(cell)))
  const unexpected = [...failing].filter((name) => !knownFailures.has(name))
  // Shorter faults may be ridden through where true ones are not.
  const isInFull = minuteMs >= FULL_MINUTE_MS
  const mustFail = (name: string) => knownFailures.has(name) && knownFailures.get(name)?.isRare !== true
  const mended = cells.map(cellName).filter((name) => isInFull && mustFail(name) && !failing.has(name))
  if (unexpected.length > 0 || mended.length > 0) process.exitCode = 1
  return [
    `${cells.length} cells x ${seeds.length} seeds: ${outcomes.length - failed.length} passed, ${failed.length} failed`,
    ...[...failing].flatMap((name) => {
      const known = knownFailures.get(name)
      return known === undefined ? [] : [`failed, as is known: ${name}: ${known.why}`]
    }),
    ...unexpected.map((name) => `failed: ${name}`),
    ...mended.map((name) => `passes now, and is to be taken from the known failures: ${name}`),
  ].join('\n')
}
