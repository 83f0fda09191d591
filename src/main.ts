import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createRunner } from './github/runner.ts'
import { runFacts } from './github/workflow-event.ts'
import { systemClock } from './host/system-clock.ts'
import type { InputName } from './inputs/input-names.ts'
import { loadConnection } from './kube/kubeconfig.ts'
import { messageOf } from './model/errors.ts'
import type { StopReason } from './model/outcome.ts'
import { startRenderer } from './render/renderer.ts'
import { freeAfterDeath } from './run/post-step.ts'
import { safeRunner } from './run/safe-runner.ts'
import { kubeconfigInput, type Machine, openCluster, runStep } from './run/step.ts'
import { createSecrets } from './secrecy/known-secrets.ts'

/** States between the two processes of a step. */
const STATE = { isPost: 'is-post', held: 'held', isDone: 'is-done' } as const

const env = process.env
const payload = readPayload()
const secrets = createSecrets()
const runner = safeRunner(createRunner(env), secrets)
const machine: Machine = {
  env,
  runner,
  secrets,
  input,
  workspace: env.GITHUB_WORKSPACE ?? process.cwd(),
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stopWith('cancelled')))
  }
  try {
    return await runStep(machine, {
      renderer,
      signal: stop.signal,
      onTimeout: () => stopWith('timeout'),
      onHeld: (held) => runner.saveState(STATE.held, JSON.stringify(held)),
    })
  } finally {
    runner.saveState(STATE.isDone, 'true')
    await renderer.close()
  }
}

/** The second process: does nothing where the first one has finished. */
async function postStep(): Promise<number> {
  const held = runner.state(STATE.held)
  if (runner.state(STATE.isDone) === 'true' || held === undefined || held === '') return 0
  const wanted = { kubeconfig: optionalInput('kubeconfig'), context: optionalInput('context') }
  const cluster = openCluster(machine, await loadConnection(kubeconfigInput(machine, wanted)))
  try {
    runner.annotate('warning', await freeAfterDeath({ held, holder: machine.holder }, { cluster, clock: systemClock }))
    return 0
  } finally {
    await cluster.close()
  }
}

function input(name: InputName): string {
  return runner.input(name).trim() === '' ? '' : runner.input(name)
}

function optionalInput(name: InputName): string | undefined {
  return input(name) === '' ? undefined : input(name)
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
