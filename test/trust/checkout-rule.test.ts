import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { checkoutProblem } from '../../src/trust/checkout-rule.ts'
import { openPullRequest } from '../doubles/fake-pull-request.ts'

const HEAD = 'a'.repeat(40)
const BASE = 'b'.repeat(40)
const MERGE = 'c'.repeat(40)

const own: FoundPullRequest = {
  ...openPullRequest,
  number: 7,
  headSha: HEAD,
  baseSha: BASE,
  mergeSha: MERGE,
}

/** What the user reads to do. */
function hintOf(problem: Problem | undefined): string | undefined {
  return problem?.hint && hintText(problem.hint)
}

function checkout(name: string, more: Partial<Parameters<typeof checkoutProblem>[0]> = {}) {
  return checkoutProblem({ event: { name }, command: 'plan', pullRequest: own, head: HEAD, ...more })
}

describe.each(['pull_request_target', 'issue_comment'])('the workspace on %s', (name) => {
  test.each([
    ['the head', { head: HEAD }],
    ['the merge commit that GitHub names', { head: MERGE }],
    ['a merge of the head into the base', { head: 'd'.repeat(40), parents: [BASE, HEAD] }],
  ])('may be %s', (_, more) => {
    expect(checkout(name, more)).toBeUndefined()
  })

  test.each([
    ['the base', { head: BASE }],
    ['a child of the head', { head: 'd'.repeat(40), parents: [HEAD] }],
    ['a merge into the head', { head: 'd'.repeat(40), parents: [HEAD, BASE] }],
    ['a merge of more than two', { head: 'd'.repeat(40), parents: [BASE, HEAD, MERGE] }],
  ])('may not be %s', (_, more) => {
    expect(checkout(name, more)?.what).toMatch(
      /^the workspace holds commit \w{12}, and pull request 7 is at aaaaaaaaaaaa$/,
    )
  })

  test('may not be unknown', () => {
    const { head: _head, ...unknown } = {
      event: { name },
      command: 'deploy' as const,
      pullRequest: own,
      head: HEAD,
    }
    expect(checkoutProblem(unknown)).toMatchObject({
      reason: 'invalid-input',
      what: 'git knows no commit in the workspace',
    })
  })

  test('may not be of no pull request', () => {
    expect(hintOf(checkoutProblem({ event: { name }, command: 'plan', head: HEAD }))).toBe(
      'run the job only if github.event.issue.pull_request is set, and set github-token',
    )
  })

  test('does not matter to what works from the records alone', () => {
    expect(checkout(name, { head: BASE, command: 'rollback' })).toBeUndefined()
  })
})

describe('a wrong checkout', () => {
  test.each([
    ['pull_request_target', `\${{ github.event.pull_request.head.sha }}`],
    ['issue_comment', 'refs/pull/7/head'],
  ])('on %s is mended with ref: %s', (name, ref) => {
    expect(hintOf(checkout(name, { head: BASE }))).toBe(
      `set ref: ${ref} and persist-credentials: false for actions/checkout`,
    )
  })

  test.each(['pull_request', 'push', 'merge_group', 'workflow_dispatch', 'workflow_run', 'schedule', ''])(
    'is not looked for on %s',
    (name) => {
      expect(checkout(name, { head: BASE })).toBeUndefined()
    },
  )
})
