import { startCluster } from './local/cluster/start-cluster.ts'

/** `npm run cluster`: a Kubernetes API server to play with, until Ctrl-C. */
const stopRequested = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
  process.once('SIGHUP', () => resolve())
})

process.stderr.write(
  'Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and three simulated nodes.\n',
)
const started = Date.now()
const cluster = await Promise.race([startCluster(), stopRequested.then(() => undefined)]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
})
// Failed, or stopped while starting: what was started ends with this process.
if (cluster === undefined) process.exit(1)

process.stderr.write(
  `Ready after ${((Date.now() - started) / 1000).toFixed(1)} s; Ctrl-C stops it. Logs: ${cluster.folder}\n`,
)
process.stdout.write(`${cluster.kubeconfig}\n`)
const keepAlive = setInterval(() => undefined, 60_000)
await stopRequested
clearInterval(keepAlive)
await cluster.stop()
