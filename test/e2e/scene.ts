import { join } from 'node:path'
import { dump } from 'js-yaml'
import { expect } from 'vitest'
import { type GithubDouble, startGithubDouble } from '../../src/tools/local/github/github-double.ts'
import { type ActionResult, type ActionRun, runAction } from '../../src/tools/local/runner/run-action.ts'
import { test as clusterTest } from '../cluster/fixture.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { objectFindings } from '../oracle/object-findings.ts'
import { recordFindings, storedRevisions } from '../oracle/record-findings.ts'
import { storyFindings } from '../oracle/story-findings.ts'

export type Chart = 'staged' | 'trouble' | 'plain'

/** Inputs beside `release: app`, the namespace and the kubeconfig of the test. `values`: as an object. */
export interface Asked {
  readonly chart: Chart
  readonly values?: { readonly [key: string]: unknown }
  readonly inputs?: { readonly [name: string]: string }
  readonly run?: Omit<ActionRun, 'inputs'>
}

/** Runs the action in the test's namespace. */
export interface Action {
  readonly deploy: (asked: Asked) => Promise<ActionResult>
  readonly plan: (asked: Asked) => Promise<ActionResult>
}

/**
 * A test with a namespace, the action and a double of GitHub; the logs of all runs are printed when it fails. The oracle is
 * asked what each run tells, and what is lost where the last one was a deploy that succeeded.
 */
export const test = clusterTest.extend<{ readonly action: Action; readonly github: GithubDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern that the fixture needs no other.
  github: async ({}, use) => {
    const github = await startGithubDouble()
    await use(github)
    await github.close()
  },
  action: async ({ namespace, onTestFailed }, use) => {
    const logs: string[] = []
    const stories: string[] = []
    let isWell = false
    onTestFailed(() => {
      process.stderr.write(logs.join('\n'))
    })
    const runWith = async (command: string, { chart, values, inputs, run }: Asked) => {
      const result = await runAction({
        ...run,
        inputs: {
          command,
          release: 'app',
          chart: chartPath(chart),
          namespace: namespace.name,
          kubeconfig: namespace.kubeconfig,
          ...(values === undefined ? {} : { values: dump(values) }),
          ...inputs,
        },
      })
      const lines = result.log.split('\n').map((line) => `    ${line}`)
      logs.push(`--- ${command} ${chart}: exit ${result.exitCode} ---\n${lines.join('\n')}`)
      stories.push(...storyFindings(result))
      isWell = command === 'deploy' && result.exitCode === 0 && inputs?.release === undefined
      return result
    }
    await use({ deploy: (asked) => runWith('deploy', asked), plan: (asked) => runWith('plan', asked) })
    expect(stories).toEqual([])
    // A test may have uninstalled it by `helm`.
    if (isWell && (await storedRevisions(namespace, 'app')) > 0) expect(await lostFindings(namespace)).toEqual([])
  },
})

async function lostFindings(namespace: Namespace): Promise<readonly string[]> {
  const { findings, view } = await recordFindings(namespace, 'app', { isSettled: true })
  return [...findings, ...(await objectFindings(namespace, 'app', view?.manifest ?? []))]
}

/** Relative to the workspace, which is the repository. */
export function chartPath(chart: Chart): string {
  return join('test', 'e2e', 'charts', chart)
}
