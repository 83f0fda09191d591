import { ensureBuilt } from '../../src/tools/builds/builder.ts'
import { buildEngine, engineTwin, engineWasm } from '../../src/tools/builds/engine.ts'
import { CLUSTER_BINARIES } from '../cluster/cluster.ts'
import { missingBinaries } from './binaries.ts'

/** `npm run tools`: builds everything that tests need and this machine does not have, in one go. */
const isClusterGiven = (process.env.TEST_KUBECONFIG ?? '') !== ''
const binaries = [...(isClusterGiven ? [] : CLUSTER_BINARIES), 'helm4', 'helm3', 'act', 'actionlint'] as const
try {
  await ensureBuilt([engineWasm, engineTwin, ...(await missingBinaries(binaries))])
  await buildEngine()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
