import { execFile } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import { builtBinary } from './builds/binaries.ts'
import { startCluster } from './local/cluster/start-cluster.ts'
import { type GithubDouble, startGithubDouble } from './local/github/github-double.ts'
import { type PreviewPart, previewPage } from './local/github/preview.ts'
import { PULL_REQUEST } from './local/github/pull-request-event.ts'
import { type ActionResult, type ActionRun, runAction } from './local/runner/run-action.ts'
import { createRunnerLog } from './local/runner/runner-log.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const OUT = join(ROOT, 'out', 'demo')
const RELEASE = { chart: 'examples/shop', release: 'shop', namespace: 'shop', 'create-namespace': 'true' }
const CHANGED = { ...RELEASE, 'values-files': 'examples/shop/values-upgrade.yaml' }

interface Step {
  readonly folder: string
  readonly title: string
  /** On two cores. */
  readonly usually: string
  readonly inputs: { readonly [name: string]: string }
  readonly event?: ActionRun['event']
}

const steps: readonly Step[] = [
  {
    folder: '1-install',
    title: 'Deploy examples/shop for the first time (push to main)',
    usually: '15 s',
    inputs: { ...RELEASE, command: 'deploy' },
  },
  {
    folder: '2-plan',
    title: 'Plan its upgrade (pull request #57); the plan becomes a comment',
    usually: '3 s',
    inputs: { ...CHANGED, command: 'plan' },
    event: PULL_REQUEST,
  },
  {
    folder: '3-upgrade',
    title: 'Deploy the upgrade (push to main)',
    usually: '15 s',
    inputs: { ...CHANGED, command: 'deploy' },
  },
]

/** What is running, for Ctrl-C. */
interface Stop {
  isAsked: boolean
  kill: ((signal: NodeJS.Signals) => void) | undefined
}

const stop: Stop = { isAsked: false, kill: undefined }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // What was started so far ends with this process.
    if (stop.isAsked || stop.kill === undefined) process.exit(1)
    stop.isAsked = true
    stop.kill('SIGINT')
  })
}

/** Where the demo runs. */
interface Target {
  readonly title: string
  readonly kubeconfig: string
  stop(): Promise<void>
}

/**
 * `npm run demo`: the built action on a real API server, as a runner starts it. With `-- --kubeconfig FILE` on a cluster
 * that is there already, such as one of kind.
 */
try {
  const { values } = parseArgs({ options: { kubeconfig: { type: 'string' } } })
  process.exitCode = await demo(values.kubeconfig)
} catch (error) {
  say(`The demo failed: ${messageOf(error)}`)
  process.exitCode = 1
}

async function demo(kubeconfig: string | undefined): Promise<number> {
  await rm(OUT, { recursive: true, force: true })
  const startedAtMs = Date.now()
  const cluster = kubeconfig === undefined ? await startLocal() : await useGiven(kubeconfig)
  const github = await startGithubDouble()
  const times = [`${seconds(Date.now() - startedAtMs)}  control plane`]
  try {
    say(`${cluster.title}, GitHub's double ${github.url}`)
    const results: ActionResult[] = []
    for (const step of steps) {
      const result = await runStep(step, cluster, github)
      results.push(result)
      times.push(`${seconds(result.elapsedMs)}  ${step.folder}: ${result.outputs.status ?? 'no status'}`)
      if (result.exitCode !== 0 || stop.isAsked) break
    }
    await writePage(results, github)
    await showHistory(cluster)
    if (kubeconfig !== undefined) say(`\nThe release stays: helm uninstall shop --namespace shop removes it.`)
    return conclude(results, times)
  } finally {
    await github.close()
    await cluster.stop()
  }
}

async function startLocal(): Promise<Target> {
  heading('Kubernetes control plane with simulated nodes', '5 s, and the first time 5 min more to build it')
  const { server, kubeconfig, stop } = await startCluster()
  return { title: `API server ${server}`, kubeconfig, stop }
}

async function useGiven(file: string): Promise<Target> {
  heading(`The cluster of ${file}`, 'no time')
  await access(file)
  return { title: `kubeconfig ${file}`, kubeconfig: resolve(file), stop: async () => undefined }
}

async function runStep(step: Step, cluster: Target, github: GithubDouble): Promise<ActionResult> {
  heading(step.title, step.usually)
  const lines: string[] = []
  const log = createRunnerLog((line) => {
    lines.push(line)
    say(line)
  })
  const result = await runAction({
    inputs: { ...step.inputs, kubeconfig: cluster.kubeconfig },
    apiUrl: github.url,
    ...defined({ event: step.event }),
    onOutput: (text) => log.write(text),
    onStart: (kill) => {
      stop.kill = kill
    },
  })
  log.end()

  const folder = join(OUT, step.folder)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'log.txt'), `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'summary.md'), result.summary)
  const comment = commentOf(step, github)
  if (comment !== undefined) await writeFile(join(folder, 'comment.md'), comment)
  return result
}

function commentOf(step: Step, github: GithubDouble): string | undefined {
  return step.event === undefined ? undefined : github.comments().at(-1)?.body
}

/** Summaries, comment and outputs on one page. */
async function writePage(results: readonly ActionResult[], github: GithubDouble): Promise<void> {
  const parts = steps.slice(0, results.length).flatMap((step, index): readonly PreviewPart[] => {
    const comment = commentOf(step, github)
    const summary = { title: `${step.title}: job summary`, markdown: results[index]?.summary ?? '' }
    return comment === undefined ? [summary] : [{ title: `${step.title}: comment`, markdown: comment }, summary]
  })
  await mkdir(OUT, { recursive: true })
  await writeFile(join(OUT, 'index.html'), previewPage(parts, { title: 'Staged Helm Deploy: demo' }))
}

/** Helm's own view, where the PATH has that Helm or the tests have built it: building one only for this takes a while. */
async function showHistory(cluster: Target): Promise<void> {
  const helm = await builtBinary('helm4')
  if (helm === undefined) {
    say('\nhelm history is not shown: no helm was built yet (npm test builds one)')
    return
  }
  const args = ['history', 'shop', '--namespace', 'shop', '--kubeconfig', cluster.kubeconfig]
  const { stdout } = await promisify(execFile)(helm, args).catch((error: unknown) => ({ stdout: messageOf(error) }))
  say(`\nhelm history shop\n${stdout.trimEnd()}`)
}

function conclude(results: readonly ActionResult[], times: readonly string[]): number {
  say(`\nTime taken\n${times.map((time) => `  ${time}`).join('\n')}`)
  say(
    `\nOpen ${relative(process.cwd(), join(OUT, 'index.html'))} in a browser; logs, summaries and the comment lie beside it.`,
  )
  const failed = results.findIndex(({ exitCode }) => exitCode !== 0)
  if (stop.isAsked) say('Stopped.')
  else if (failed !== -1)
    say(`Failed: ${steps[failed]?.folder ?? ''}, ${results[failed]?.outputs['failure-reason'] ?? ''}`)
  return failed === -1 && !stop.isAsked ? 0 : 1
}

function heading(title: string, usually: string): void {
  say(`\n=== ${title}\n    usually ${usually}\n`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`
}
