import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createRunner } from './github/runner.ts'
import { runFacts } from './github/workflow-event.ts'
import { systemClock } from './host/system-clock.ts'
import { withHelmArgs } from './inputs/helm-args.ts'
import { inputLines } from './inputs/input-lines.ts'
import { type InputName, withDefaults } from './inputs/input-names.ts'
import type { OpenCluster } from './kube/cluster-adapter.ts'
import { loadConnection } from './kube/kubeconfig.ts'
import { messageOf } from './model/errors.ts'
import type { StopReason } from './model/outcome.ts'
import type { SavedLock } from './pass/release-lock.ts'
import { startRenderer } from './render/renderer.ts'
import type { Machine } from './run/machine.ts'
import { freeAfterDeath, unfinishedOf } from './run/post-step.ts'
import { safeRunner } from './run/safe-runner.ts'
import { kubeconfigInput, openCluster, reviewAfterDeath, runStep, type SavedReview } from './run/step.ts'
import { createSecrets } from './secrecy/known-secrets.ts'
import { redactedText } from './secrecy/redacted.ts'

/** States between the two processes of a step. `unfinished`: the releases whose lock or record is not in order yet. */
const STATE = { isPost: 'is-post', unfinished: 'unfinished', review: 'review' } as const

const env = process.env
const payload = readPayload()
const secrets = createSecrets()
const runner = safeRunner(createRunner(env), secrets)
const input = withDefaults((name) => runner.input(name))
const machine: Machine = {
  env,
  runner,
  secrets,
  input,
  workspace: resolve(env.GITHUB_WORKSPACE ?? ''),
  payload,
  holder: runFacts(env, payload).runUrl ?? `process ${process.pid} of a machine without a run`,
}

// Node would print the line of the bundle that threw: megabytes.
process.on('uncaughtException', (error) => process.exit(internalError(error)))
try {
  process.exit(runner.state(STATE.isPost) === 'true' ? await postStep() : await mainStep())
} catch (error) {
  process.exit(internalError(error))
}

/** A defect of ours. Gives the exit code. */
function internalError(error: unknown): number {
  runner.annotate('error', `internal error, please report it: ${messageOf(error)}`)
  if (error instanceof Error) runner.debug(error.stack ?? '')
  return 1
}

async function mainStep(): Promise<number> {
  runner.saveState(STATE.isPost, 'true')
  // The engine takes longest to load: it starts first.
  const renderer = startRenderer({
    folder: dirname(process.argv[1] ?? ''),
    onRestart: (error) => runner.info(`${messageOf(error)}; it is tried once more`),
  })
  const stop = new AbortController()
  const stopWith = (reason: StopReason) => stop.abort(reason)
  const cancelled = new AbortController()
  const cancel = () => {
    stopWith('cancelled')
    cancelled.abort('cancelled' satisfies StopReason)
  }
  // The runner sends SIGINT, and SIGTERM 7.5 s later: a run that has not ended by then gets no more time.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (cancelled.signal.aborted ? process.exit(1) : cancel()))
  }
  const unfinished = new Map<string, SavedLock>()
  const saveUnfinished = () => runner.saveState(STATE.unfinished, JSON.stringify([...unfinished.values()]))
  try {
    return await runStep(machine, {
      renderer,
      stop: { signal: stop.signal, cancelled: cancelled.signal },
      onTimeout: () => stopWith('timeout'),
      onHeld: (held) => {
        unfinished.set(held.claim, held)
        saveUnfinished()
      },
      onFreed: ({ claim }) => {
        unfinished.delete(claim)
        saveUnfinished()
      },
      onReview: (review) => runner.saveState(STATE.review, JSON.stringify(review)),
    })
  } finally {
    await renderer.close()
  }
}

/** The second process: does nothing where the first one has left nothing behind. */
async function postStep(): Promise<number> {
  const unfinished = unfinishedOf(runner.state(STATE.unfinished))
  if (unfinished.length === 0) return 0
  const wanted = {
    kubeconfig: optionalInput('kubeconfig'),
    context: optionalInput('context'),
    workingDirectory: input('working-directory'),
    // The first process has read them, and stopped where they were wrong.
    allowWorkspaceKubeconfig: input('allow-workspace-kubeconfig').toLowerCase() === 'true',
    credentialPlugins: inputLines(input('credential-plugins')).map(({ text }) => text),
    credentialPluginEnv: inputLines(input('credential-plugin-env')).map(({ text }) => text),
  }
  const cluster = openCluster(machine, await loadConnection(kubeconfigInput(machine, wanted)))
  try {
    const texts: string[] = []
    for (const held of unfinished) {
      texts.push(await freeAfterDeath({ held, holder: machine.holder }, { cluster, clock: systemClock }))
    }
    for (const text of texts) runner.annotate('warning', text)
    await runner.summary(texts.join('\n\n'))
    await tellReviewers(texts.join(' '), cluster)
    return 0
  } finally {
    await cluster.close()
  }
}

/** The comment still says what was planned; that it cannot be changed is no failure. */
async function tellReviewers(text: string, cluster: OpenCluster): Promise<void> {
  const state = runner.state(STATE.review)
  if (state === undefined || state === '') return
  try {
    const saved = JSON.parse(state) as SavedReview
    const review = reviewAfterDeath(machine, { saved, githubToken: input('github-token'), cluster })
    await review?.endedEarly(redactedText(text, secrets))
  } catch (error) {
    runner.annotate('notice', `the comment could not be updated: ${messageOf(error)}`)
  }
}

function optionalInput(name: InputName): string | undefined {
  const text = withHelmArgs(input).raw(name)
  return text === '' ? undefined : text
}

/** The event's payload. Foreign JSON, checked field by field where it is used. */
function readPayload(): unknown {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'))
  } catch {
    // No event, or no JSON: a run without a pull request.
    return {}
  }
}
