import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/model/outcome.ts'
import type { ReadinessReason } from '../../../src/model/readiness.ts'
import { failureSentence } from '../../../src/report/words/failure-sentence.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { readinessPhrase } from '../../../src/report/words/readiness-text.ts'
import { ref } from '../plans.ts'
import { crashing, evidence, failure } from '../runs.ts'

describe('the one sentence of a failure', () => {
  test('counts the pods that are alike, where the evidence lists them', () => {
    expect(plainText(failureSentence(failure, evidence))).toBe(
      'Deployment/shop/web did not become ready: 1 of 2 pods is crashing (container app, CrashLoopBackOff, exit 1, 4 restarts)',
    )
  })

  const web = ref('apps/v1', 'Deployment', 'web')
  const cases: readonly (readonly [Partial<Failure>, string])[] = [
    [
      { reason: 'timeout', readiness: { code: 'replicas', what: 'updated', have: 1, want: 3 } },
      'Deployment/shop/web was not ready before the timeout: 1 of 3 updated',
    ],
    [
      { reason: 'hook-failed', readiness: crashing },
      'hook Deployment/shop/web failed: pod web-7d9f-x2x1 is crashing (container app, CrashLoopBackOff, exit 1, 4 restarts)',
    ],
    [
      { reason: 'conflict', doing: 'apply', message: 'conflict with "kubectl":\n  .spec.replicas.' },
      'could not apply Deployment/shop/web: conflict with "kubectl": .spec.replicas',
    ],
    [
      { reason: 'forbidden', doing: 'patch Deployment/shop/web', message: 'user "ci" cannot patch deployments' },
      'could not patch Deployment/shop/web: user "ci" cannot patch deployments',
    ],
  ]
  test.each(cases)('%j', (parts, sentence) => {
    expect(plainText(failureSentence({ reason: 'not-ready', doing: 'wait', ref: web, message: '', ...parts }))).toBe(
      sentence,
    )
  })

  test('without a resource it names what was being done', () => {
    const locked: Failure = {
      reason: 'cluster-unreachable',
      doing: 'read the release record',
      message: 'connect ECONNREFUSED',
    }

    expect(plainText(failureSentence(locked))).toBe('could not read the release record: connect ECONNREFUSED')
  })
})

describe('why something is not ready', () => {
  const cases: readonly (readonly [ReadinessReason, string])[] = [
    [{ code: 'replicas', what: 'old', have: 1, want: 0 }, '1 old pod pending termination'],
    [
      { code: 'condition', type: 'Ready', status: 'False', reason: 'Pending', message: 'waits for DNS.' },
      'condition Ready is False (Pending): waits for DNS',
    ],
    [{ code: 'generation', observed: 7, want: 8 }, 'its controller has observed generation 7 of 8'],
    [
      { code: 'pod', pod: 'web-1', problem: 'Unschedulable', message: '0/3 nodes are available: insufficient cpu.' },
      'pod web-1 cannot be scheduled (Unschedulable): 0/3 nodes are available: insufficient cpu',
    ],
    [
      { code: 'pod', pod: 'web-1', container: 'app', problem: 'ImagePullBackOff' },
      'pod web-1 cannot pull an image (container app, ImagePullBackOff)',
    ],
    [{ code: 'deleting', finalizers: ['example.com/hold'] }, 'it is being deleted, blocked by example.com/hold'],
    [{ code: 'property', path: '.status.phase', have: null, want: 'Running' }, '.status.phase is not set, not Running'],
  ]
  test.each(cases)('%j', (reason, text) => {
    expect(plainText(readinessPhrase(reason))).toBe(text)
  })
})
