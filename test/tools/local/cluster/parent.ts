import { startCluster } from '../../../../src/tools/local/cluster/start-cluster.ts'

/** A process that starts a cluster and never stops it, for the test that kills it. */
const { folder } = await startCluster()
process.stdout.write(`${folder}\n`)
setInterval(() => undefined, 60_000)
