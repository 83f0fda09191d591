import { expect, test } from 'vitest'
import { runFacts } from '../../src/github/event.ts'

const environment = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_SHA: 'merge',
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '881',
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ATTEMPT: '2',
}

test('on a pull request the commit is its head, not the merge commit; the link names the attempt', () => {
  const payload = { pull_request: { number: 57, html_url: 'https://x.test', head: { sha: 'head', repo: null } } }

  expect(runFacts(environment, payload)).toEqual({
    commitSha: 'head',
    runUrl: 'https://git.example.com/acme/shop/actions/runs/881/attempts/2',
    runId: 881,
    runNumber: 12,
    runAttempt: 2,
  })
})

test('outside of a runner nothing is known', () => {
  expect(runFacts({}, undefined)).toEqual({})
})
