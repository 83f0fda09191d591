import { parseArgs } from 'node:util'
import { mapLimited } from '../../src/concurrency/map-limited.ts'
import { messageOf } from '../../src/model/errors.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { ensureBinaries } from '../../src/tools/builds/binaries.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { CLUSTER_BINARIES, startCluster } from '../../src/tools/local/cluster/start-cluster.ts'
import { readAudit } from '../cluster/audit.ts'
import { HELMS } from './helm-templates.ts'
import { readPairs } from './pair-file.ts'
import { findingsIn, tableOf } from './table.ts'
import { type Story, tell } from './tell.ts'
import { verdictOn } from './verdict.ts'

/**
 * `npm run pairs`: every pair of charts with Helm 3 and 4, as a table. `npm run pairs -- secret crd` takes those whose
 * names hold one of the words; `--at-once 2` is for a machine with other work.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '4' } },
})
const pairs = (await readPairs()).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
await ensureBinaries([...CLUSTER_BINARIES, ...HELMS])
const renderer = startRenderer({ folder: await buildEngine() })
const clusters = await Promise.all([startCluster(), startCluster()])
try {
  const [ours, helms] = clusters
  const bench = { renderer, ours: ours.kubeconfig, helms: helms.kubeconfig }
  const stories = await mapLimited(pairs, Number(values['at-once']), async (pair) => {
    const told: Story[] = []
    // One after the other: what has no namespace has the same name in both.
    for (const helm of HELMS) {
      try {
        told.push(await tell(pair, helm, bench))
        process.stderr.write(`${pair.name}, ${helm}\n`)
      } catch (error) {
        process.exitCode = 1
        process.stderr.write(`${pair.name}, ${helm}: ${messageOf(error)}\n`)
      }
    }
    return told
  })
  const audit = await readAudit(ours.auditLog)
  const verdicts = stories.flat().map((story) => verdictOn(story, audit))
  process.stdout.write(`${tableOf(verdicts)}\n`)
  if (verdicts.some((verdict) => findingsIn(verdict).length > 0)) process.exitCode = 1
} finally {
  await renderer.close()
  await Promise.all(clusters.map(({ stop }) => stop()))
}
