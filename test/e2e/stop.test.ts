import { describe, expect, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { type ActionRun, runAction } from '../../src/tools/local/runner/run-action.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { helmIn } from './helm.ts'
import { chartPath, test } from './scene.ts'

/** After the first signal, before the next one; in ms. */
const RUNNER_GIVES_MS = 7_500
/** Waits for a Deployment that is never ready: a good moment to be stopped. */
const STUCK = { chart: 'trouble', values: { deployment: { scenario: 'never-ready' } } } as const
const FINE = { chart: 'trouble', values: { deployment: { logs: 'fine' } } } as const

/** Signals and times: docs/sources.md#github-workflow-cancellation; the lock: docs/decisions/0017. */
describe.skipIf(inject('cluster').local === undefined).concurrent('a run', () => {
  test('that is cancelled leaves the truth everywhere within the time a runner gives', async ({
    namespace,
    action,
    github,
  }) => {
    const onPullRequest = { event: PULL_REQUEST, apiUrl: github.url }
    await action.plan({ ...STUCK, run: onPullRequest })
    const stop = signalWhenWaiting('SIGINT')
    const result = await action.deploy({ ...STUCK, run: { ...stop.run, ...onPullRequest } })

    expect(Date.now() - stop.signalledAt()).toBeLessThan(RUNNER_GIVES_MS)
    expect(result.exitCode).toBe(1)
    expect(result.outputs).toMatchObject({
      status: 'cancelled',
      'failure-reason': 'cancelled',
      'failed-stage': 'main/0',
    })
    expect(result.summary).toMatch(/cancelled/i)
    expect(github.comments()[0]?.body).toContain('**Status:** cancelled')
    expect(result.log).toContain('it continues from here')
    expect(await lockHolder(namespace)).toBe('')
    expect(await history(namespace)).toEqual(['1 failed'])

    const next = await action.deploy(FINE)
    expect(next.outputs).toMatchObject({ status: 'deployed', revision: '2' })
  })

  test('that was killed is taken over by the next one, once its lock has fallen silent', async ({
    namespace,
    action,
  }) => {
    const killed = await action.deploy({ ...STUCK, run: signalWhenWaiting('SIGKILL').run })
    expect(killed.exitCode).toBe(-1)
    expect(await history(namespace)).toEqual(['1 pending-install'])

    const next = await action.deploy(FINE)
    expect(next.exitCode).toBe(0)
    expect(next.log).toContain('taken-over')
    expect(next.outputs).toMatchObject({ status: 'deployed', revision: '2' })
    expect(await history(namespace)).toEqual(['1 failed', '2 deployed'])
  })

  test('that was killed is cleared up by its own post step, so that the next one need not wait', async ({
    namespace,
    action,
  }) => {
    const killed = await action.deploy({ ...STUCK, run: signalWhenWaiting('SIGKILL').run })
    const post = await runAction({ inputs: inputsOf(namespace), state: killed.state })
    expect(post.exitCode).toBe(0)
    expect(post.log).toContain('::warning')
    expect(post.summary).toMatch(/ended early: revision 1 is marked failed, and its lock is released/)
    expect(await lockHolder(namespace)).toBe('')

    const next = await action.deploy(FINE)
    expect(next.log).not.toContain('taken-over')
    expect(next.outputs).toMatchObject({ status: 'deployed', revision: '2' })
  })

  test('that came to its end leaves its post step nothing to do', async ({ namespace, action }) => {
    const run = await action.deploy({ chart: 'plain' })
    const post = await runAction({ inputs: inputsOf(namespace), state: run.state })
    expect({ exitCode: post.exitCode, log: withoutMasks(post.log) }).toEqual({ exitCode: 0, log: '' })
  })

  test('beside another one is refused, naming the other', async ({ namespace, action }) => {
    const stop = stopper()
    const first = action.deploy({ ...STUCK, run: stop.run })
    await Promise.race([stop.isWaiting, first])
    const other = { GITHUB_RUN_ID: '882' }
    const second = await action.deploy({ ...FINE, run: { env: other } })
    stop.signal('SIGINT')
    await first

    expect(second.exitCode).toBe(1)
    expect(second.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'locked' })
    for (const text of [second.log, second.summary]) expect(text).toContain('/actions/runs/881')
    expect(await history(namespace)).toEqual(['1 failed'])
  })
})

type RunPart = Pick<ActionRun, 'onStart' | 'onOutput'>

/** Sends the signal as soon as the log says that the Deployment is waited for. */
function signalWhenWaiting(signal: NodeJS.Signals): { readonly run: RunPart; readonly signalledAt: () => number } {
  const stop = stopper()
  let signalledAt = 0
  const sent = stop.isWaiting.then(() => {
    signalledAt = Date.now()
    stop.signal(signal)
  })
  sent.catch(() => undefined)
  return { run: stop.run, signalledAt: () => signalledAt }
}

function stopper(): {
  readonly run: RunPart
  readonly isWaiting: Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
} {
  let kill: (signal: NodeJS.Signals) => void = () => undefined
  const waiting = Promise.withResolvers<void>()
  let log = ''
  return {
    isWaiting: waiting.promise,
    signal: (signal) => kill(signal),
    run: {
      onStart: (started) => {
        kill = started
      },
      onOutput: (text) => {
        log += text
        if (/Deployment\/\S+ waits: /.test(log)) waiting.resolve()
      },
    },
  }
}

function inputsOf(namespace: Namespace): { readonly [name: string]: string } {
  return {
    command: 'deploy',
    release: 'app',
    chart: chartPath('trouble'),
    namespace: namespace.name,
    kubeconfig: namespace.kubeconfig,
  }
}

async function lockHolder(namespace: Namespace): Promise<unknown> {
  const path = `${namespace.in('coordination.k8s.io/v1')}/leases/staged-helm-deploy.app`
  return at(await namespace.api.get(path), 'spec', 'holderIdentity')
}

async function history(namespace: Namespace): Promise<readonly string[]> {
  const helm = await helmIn(namespace, 'helm4')
  const found = JSON.parse(await helm('history', 'app', '--output', 'json')) as readonly {
    readonly revision: number
    readonly status: string
  }[]
  return found.map(({ revision, status }) => `${revision} ${status}`)
}

function withoutMasks(log: string): string {
  return log.replace(/^::add-mask::.*\n/gm, '')
}
