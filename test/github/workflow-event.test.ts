import { describe, expect, test } from 'vitest'
import { eventFacts, runFacts } from '../../src/github/workflow-event.ts'

const environment = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_SHA: 'merge',
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '881',
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ATTEMPT: '2',
}
const head = 'def5678def5678def5678def5678def5678def56'

describe('facts of the run', () => {
  test('on a pull request the commit is its head, not the merge commit; the link names the attempt', () => {
    expect(runFacts(environment, { pull_request: { head: { sha: head } } })).toEqual({
      commitSha: head,
      runUrl: 'https://git.example.com/acme/shop/actions/runs/881/attempts/2',
      runId: 881,
      runNumber: 12,
      runAttempt: 2,
    })
  })

  test('behind another run it is the head of that run, not the default branch', () => {
    const facts = runFacts({ ...environment, GITHUB_EVENT_NAME: 'workflow_run' }, { workflow_run: { head_sha: head } })
    expect(facts.commitSha).toBe(head)
  })

  test.for(['push', 'issue_comment', 'merge_group'])('on %s it is the commit of the event', (name) => {
    const payload = { pull_request: { head: { sha: head } }, workflow_run: { head_sha: head } }
    expect(runFacts({ ...environment, GITHUB_EVENT_NAME: name }, payload).commitSha).toBe('merge')
  })

  test.for([undefined, 'text', { pull_request: [] }, { pull_request: { head: { sha: 'main' } } }])(
    'a payload of another form tells nothing: %j',
    (payload) => {
      expect(runFacts(environment, payload).commitSha).toBe('merge')
    },
  )

  test('outside of a runner nothing is known', () => {
    expect(runFacts({}, undefined)).toEqual({})
  })
})

describe('facts of the event', () => {
  test.for([
    ['pull_request', 'isPullRequest'],
    ['pull_request_target', 'isPullRequest isPrivileged'],
    ['issue_comment', 'isPrivileged'],
    ['workflow_run', 'isPrivileged isFromFork'],
    ['merge_group', 'isMergeGroup'],
    ['push', ''],
    ['workflow_dispatch', ''],
    ['schedule', ''],
  ] as const)('%s: %s', ([name, expected]) => {
    const { name: known, ...facts } = eventFacts({ GITHUB_EVENT_NAME: name }, {})
    const true_ = Object.entries(facts).filter(([, value]) => value === true)
    expect([known, true_.map(([fact]) => fact).join(' ')]).toEqual([name, expected])
  })

  const payload = { comment: { user: { login: 'ann' } } }

  test.each([
    ['acme/shop', false],
    ['eve/shop', true],
    [undefined, true],
  ])('a workflow_run after one of %s is from a fork: %s', (head, isFromFork) => {
    const payload = { workflow_run: { head_repository: { full_name: head } }, repository: { full_name: 'acme/shop' } }
    expect(eventFacts({ GITHUB_EVENT_NAME: 'workflow_run' }, payload).isFromFork).toBe(isFromFork)
  })

  test('whoever wrote the comment is known on issue_comment', () => {
    expect(eventFacts({ GITHUB_EVENT_NAME: 'issue_comment' }, payload).commenter).toBe('ann')
  })

  test.each([
    ['discussion_comment', payload],
    ['pull_request_review_comment', payload],
    ['pull_request_review', { review: { user: { login: 'ann' } }, sender: { login: 'eve' } }],
    ['issues', { sender: { login: 'ann' } }],
    ['discussion', { sender: { login: 'ann' } }],
    ['watch', { sender: { login: 'ann' } }],
  ])('so is who causes %s', (name, caused) => {
    expect(eventFacts({ GITHUB_EVENT_NAME: name }, caused).commenter).toBe('ann')
  })

  test('and on no other event, nor from a payload of another form', () => {
    expect(eventFacts({ GITHUB_EVENT_NAME: 'push' }, payload).commenter).toBeUndefined()
    const odd = { comment: { user: { login: ['ann'] } } }
    expect(eventFacts({ GITHUB_EVENT_NAME: 'issue_comment' }, odd).commenter).toBeUndefined()
  })
})
