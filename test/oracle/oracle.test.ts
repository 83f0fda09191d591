import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../cluster/audit.ts'
import type { Exchange } from '../doubles/proxy-fault.ts'
import { storyFindings } from './story-findings.ts'
import { lastHolder, lockFindings, onceFindings, onceInJournal, unneededWrites } from './write-findings.ts'

const DEPLOYED = {
  exitCode: 0,
  outputs: { status: 'deployed', 'failure-reason': '', 'failed-stage': '', 'failed-resource': '' },
  summary: '### Deployed `app` in `shop`: revision 2 in 3 s\n',
  log: 'app in shop: deployed, revision 2, after 3 s\n',
  state: {},
  elapsedMs: 3000,
}
const FAILED = {
  ...DEPLOYED,
  exitCode: 1,
  outputs: {
    status: 'failed',
    'failure-reason': 'not-ready',
    'failed-stage': 'main/10',
    'failed-resource': 'Deployment/shop/web',
  },
  summary: '### Failed: `app` in `shop` at stage main, weight 10, after 3 s\n`Deployment/shop/web` is not ready\n',
  log: '::error title=app in shop failed::Deployment/shop/web is not ready\n',
}

describe('what a run tells', () => {
  test('is the same everywhere', () => {
    expect([storyFindings(DEPLOYED), storyFindings(FAILED)]).toEqual([[], []])
  })

  test.each([
    [
      'a success with exit code 1',
      { ...DEPLOYED, ...failure(), log: '::error ::' },
      'exit code 1 with the output status: deployed',
    ],
    [
      'a success with a reason for its failure',
      { ...DEPLOYED, outputs: { ...DEPLOYED.outputs, 'failure-reason': 'timeout' } },
      'exit code 0 with the output failure-reason: timeout',
    ],
    [
      'a summary of another outcome',
      { ...FAILED, summary: `### Deployed at stage main\nweb` },
      'the summary does not say failed: ### Deployed at stage main',
    ],
    ['a log without the failure', { ...FAILED, log: 'web' }, 'the log shows no error'],
    [
      'a failed resource that the log does not name',
      { ...FAILED, log: '::error ::it failed' },
      'the log does not name the failed resource web',
    ],
  ])('differs by %s', (_, result, finding) => {
    expect(storyFindings(result)).toEqual([finding])
  })

  test('is the same where a step fails because a plan has changes', () => {
    const outputs = { ...DEPLOYED.outputs, status: 'planned', changed: 'true' }
    const log = '::error::the plan has changes, and fail-on-changes is true\n'
    expect(storyFindings({ ...DEPLOYED, exitCode: 1, outputs, log, summary: '### Plan: upgrade' })).toEqual([])
  })

  test('is nothing where it was killed', () => {
    expect(storyFindings({ ...FAILED, exitCode: -1, summary: '', log: '' })).toEqual([])
  })
})

function failure() {
  return { exitCode: 1, outputs: { ...DEPLOYED.outputs, 'failure-reason': 'timeout' } }
}

describe('the lock', () => {
  const lease = (holder: string, atMs: number) =>
    exchange('PUT', '/leases/staged-helm-deploy.app', atMs, `{"holderIdentity":"${holder}"}`)
  const write = (atMs: number, status = 200) => exchange('PATCH', '/configmaps/a', atMs, '', status)

  test('is held while a run writes', () => {
    const requests = [lease('a', 1), write(2), lease('', 3)]
    expect(lockFindings([{ name: 'a', requests }])).toEqual([])
  })

  test('is missed by a write before it, after it, and after a takeover', () => {
    const first = { name: 'first', requests: [write(1), lease('a', 2), write(6)] }
    const second = { name: 'second', requests: [lease('b', 4), lease('', 8), write(9)] }
    expect(lockFindings([first, second])).toEqual([
      'first: PATCH /configmaps/a while the lock was free',
      'first: PATCH /configmaps/a while the lock was that of second',
      'second: PATCH /configmaps/a while the lock was free',
    ])
  })

  test('was held last by the run that took it last, even where that has freed it', () => {
    const first = { name: 'first', requests: [lease('a', 2), lease('a', 3)] }
    const second = { name: 'second', requests: [lease('b', 4), lease('', 8)] }
    expect([lastHolder([first, second]), lastHolder([first]), lastHolder([])]).toEqual(['second', 'first', undefined])
  })

  test('is not asked for by reads, questions, dry runs and writes that were refused', () => {
    const requests = [
      exchange('GET', '/configmaps/a', 1),
      exchange('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 2),
      exchange('PATCH', '/configmaps/a?dryRun=All', 3),
      write(4, 403),
    ]
    expect(lockFindings([{ name: 'a', requests }])).toEqual([])
  })
})

test('the journal of a run tells a hook that the run created twice, not one that was tried or changed', () => {
  const sent = (path: string, status: number) => exchange('PATCH', `/jobs/${path}`, 1, '', status)
  const once = [sent('migrate?dryRun=All', 201), sent('migrate?force=true', 201), sent('migrate', 200)]
  expect(onceInJournal({ name: 'a', requests: once }, ['jobs/migrate'])).toEqual([])
  expect(onceInJournal({ name: 'a', requests: [...once, ...once] }, ['jobs/migrate'])).toEqual([
    'a: jobs/migrate was created 2 times in one run',
  ])
})

describe('the audit log', () => {
  test('tells a hook that was created twice', () => {
    const events = [event('delete', 'jobs/migrate', 200), event('patch', 'jobs/migrate', 201)]
    expect(onceFindings(events, ['jobs/migrate'])).toEqual([])
    expect(onceFindings([...events, ...events], ['jobs/migrate'])).toEqual([
      'jobs/migrate was created 2 times in one run',
    ])
  })

  test('tells a write that nothing asked for; hooks, records and the lock are no such', () => {
    const own = ['jobs/migrate', 'secrets/sh.helm.release.v1.app.v2', 'leases/staged-helm-deploy.app']
    const events = [...own, 'deployments/web'].map((name) => event('patch', name, 200))
    expect(unneededWrites(events, ['jobs/migrate'])).toEqual(['patch deployments/web, though nothing had changed'])
  })
})

function exchange(method: string, path: string, atMs: number, body = '', status = 200): Exchange {
  return { method, path, body, authorization: '', connection: 0, arrivedAtMs: atMs, answer: { status, atMs } }
}

function event(verb: string, name: string, code: number): AuditEvent {
  const [resource = '', objectName = ''] = name.split('/')
  return {
    verb,
    user: 'admin',
    userAgent: 'staged-helm-deploy',
    ref: { group: '', version: 'v1', resource, namespace: 'shop', name: objectName },
    isDryRun: false,
    code,
    startedAt: 1,
    endedAt: 2,
    uri: '',
  }
}
