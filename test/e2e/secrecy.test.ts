import { readFile } from 'node:fs/promises'
import { load } from 'js-yaml'
import { describe, expect, inject } from 'vitest'
import { at, type Json } from '../cluster/api.ts'
import type { ActionResult } from './action.ts'
import { GITHUB_TOKEN } from './default-inputs.ts'
import { PULL_REQUEST } from './pull-request-event.ts'
import { test } from './scene.ts'

const OLD = 'canary-old-5f1c9b7e3a'
const NEW = 'canary-new-8d2e6a4c01'
const LOGS = 'simulate.staged-helm-deploy.dev/logs'

/** Design decision 10: values of Secrets, and what opens the cluster, stand in no text that leaves the action. */
describe.skipIf(inject('cluster').local === undefined)('a password', () => {
  test('is in no log, summary, output or comment, whatever a pod or the chart says', async ({
    namespace,
    action,
    github,
  }) => {
    const run = { event: PULL_REQUEST, apiUrl: github.url }
    const leaking = { [LOGS]: `connecting as shop:${NEW}\n${base64(NEW)}` }
    const crash = { ...leaking, 'simulate.staged-helm-deploy.dev/scenario': 'crash-loop' }

    const runs = [
      await action.deploy({ chart: 'plain', values: { password: OLD }, run }),
      await action.plan({ chart: 'plain', values: { password: NEW, podAnnotations: leaking }, run }),
      await action.deploy({ chart: 'plain', values: { password: NEW, podAnnotations: crash }, run }),
    ]
    const bodies = github.comments().map(({ body }) => body)

    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1])
    // Without these the test would prove nothing: the Secret is in the plan, and the pod's log is shown.
    expect(bodies.join('\n')).toContain('Secret')
    expect(runs[2]?.log).toContain('connecting as shop:')
    const shown = [...runs.flatMap(textsOf), ...bodies].join('\n')
    const hidden = [OLD, NEW, ...[OLD, NEW].map(base64), await tokenOf(namespace.kubeconfig), GITHUB_TOKEN]
    expect(hidden.filter((secret) => shown.includes(secret))).toEqual([])
  })
})

/** Everything that a run gives but its masks, which the runner takes out of the log. */
function textsOf({ log, summary, outputs }: ActionResult): readonly string[] {
  return [log.replace(/^::add-mask::.*$/gm, ''), summary, JSON.stringify(outputs)]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '')
}

async function tokenOf(kubeconfig: string): Promise<string> {
  const token = at(load(await readFile(kubeconfig, 'utf8')) as Json, 'users', 0, 'user', 'token')
  if (typeof token !== 'string' || token === '') throw new Error(`no token in ${kubeconfig}`)
  return token
}
