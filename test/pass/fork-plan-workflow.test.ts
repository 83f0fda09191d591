import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { INPUT_NAMES } from '../../src/inputs/input-names.ts'

const text = readFileSync(resolve(import.meta.dirname, '../../examples/workflows/fork-plan.yml'), 'utf8')
const workflow = load(text) as {
  readonly on: object
  readonly permissions: object
  readonly jobs: {
    readonly plan: { readonly permissions: object; readonly 'runs-on': string; readonly steps: readonly Step[] }
  }
}
interface Step {
  readonly uses?: string
  readonly with: Readonly<Record<string, unknown>>
}
const { plan } = workflow.jobs
const [checkout, action] = plan.steps

/** See docs/decisions/0026. */
describe('the example for pull requests from forks', () => {
  test('runs as the base branch has it, with no right but to read the code and to comment', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request_target'])
    expect([workflow.permissions, Object.keys(workflow.jobs)]).toEqual([{}, ['plan']])
    expect(plan.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
  })

  test('checks out the head of the pull request, and leaves no token in it', () => {
    const ref = `\${{ github.event.pull_request.head.sha }}`
    expect(checkout).toEqual({
      uses: expect.stringMatching(/^actions\/checkout@/),
      with: { ref, 'persist-credentials': false },
    })
  })

  test('runs nothing but the checkout and the released action', () => {
    expect(plan.steps.map(({ uses }) => uses?.replace(/@.*/, ''))).toEqual([
      'actions/checkout',
      'staged-helm-deploy/staged-helm-deploy',
    ])
    expect(text).not.toMatch(/^\s*(-\s+)?run:/m)
    expect(plan['runs-on']).toBe('ubuntu-latest')
  })

  test('plans without a cluster and without a secret', () => {
    expect(action?.with).toMatchObject({ command: 'plan', cluster: 'none' })
    expect(Object.keys(action?.with ?? {}).filter((name) => !INPUT_NAMES.some((known) => known === name))).toEqual([])
    expect(text).not.toMatch(/secrets\.|kubeconfig:/)
  })
})
