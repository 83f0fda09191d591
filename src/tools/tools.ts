import { type BinaryName, missingBinaries } from './builds/binaries.ts'
import { ensureBuilt } from './builds/builder.ts'
import { buildEngine, engineTwin, engineWasm } from './builds/engine-build.ts'
import { PROGRAMS } from './builds/recipes.ts'
import { CLUSTER_BINARIES } from './local/cluster/start-cluster.ts'

/** `npm run tools`: builds everything that tests need and this machine does not have, in one go. */
const isClusterGiven = (process.env.TEST_KUBECONFIG ?? '') !== ''
const names = Object.keys(PROGRAMS) as BinaryName[]
const binaries = names.filter((name) => !isClusterGiven || !CLUSTER_BINARIES.includes(name))
try {
  await ensureBuilt([engineWasm, engineTwin, ...(await missingBinaries(binaries))])
  await buildEngine()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
