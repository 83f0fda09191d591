import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import type { Failure } from '../../src/model/outcome.ts'
import type { Operation, Plan } from '../../src/model/plan.ts'
import type { Problem } from '../../src/model/problem.ts'
import type { AsIs } from '../../src/secrecy/as-is.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { eventAsIs, failureAsIs, passAsIs, planAsIs, problemAsIs } from '../../src/secrecy/printed-as-is.ts'
import { asName, eachOf, madeFrom, redacted } from '../../src/secrecy/redacted.ts'
import { apply, awaits, group, plan, stage } from '../report/plans.ts'
import { pass, upgradeFailed } from '../report/runs.ts'

/** A Secret whose value is the name of a Deployment, too. */
const secrets = createSecrets()
secrets.add('storefront')

const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'storefront', name: 'storefront' }

/** Refs, kinds, keys and images print as they are, all other text is redacted (docs/decisions/0010). */
describe('what a report is given', () => {
  test('names things and hides values', () => {
    const event: Event = { atMs: 1, type: 'warning', ref, message: 'storefront is not ready' }
    expect(redacted(event, eventAsIs, secrets).value).toEqual({ ...event, message: '*** is not ready' })
  })

  test('names files, operations, pods, containers and releases', () => {
    const failure: Failure = {
      reason: 'not-ready',
      doing: 'wait for storefront',
      ref,
      operationId: 'main/await/storefront',
      place: { file: 'storefront/templates/web.yaml' },
      message: 'storefront',
      hint: { kind: 'wait-for-helm', release: 'storefront' },
      readiness: { code: 'pod', pod: 'storefront-1', container: 'storefront', problem: 'storefront' },
      others: [{ ref, readiness: { code: 'field', path: '.storefront', value: 'storefront' } }],
    }
    expect(redacted(failure, failureAsIs, secrets).value).toEqual({
      ...failure,
      doing: 'wait for ***',
      message: '***',
      readiness: { code: 'pod', pod: 'storefront-1', container: 'storefront', problem: '***' },
      others: [{ ref, readiness: { code: 'field', path: '.***', value: '***' } }],
    })
  })

  test('names the pods and containers of evidence, and hides what they say', () => {
    const container = {
      name: 'storefront',
      state: 'waiting',
      restarts: 1,
      logTail: ['storefront'],
      isPreviousLog: false,
    }
    const pods = [{ name: 'storefront-1', phase: 'Pending', containers: [container] }]
    const event: Event = { atMs: 1, type: 'evidence', id: 'x', evidence: { ref, pods, events: [], missing: [] } }
    const named = { ...container, logTail: ['***'] }
    expect(redacted(event, eventAsIs, secrets).value).toEqual({
      ...event,
      evidence: { ref, pods: [{ ...pods[0], containers: [named] }], events: [], missing: [] },
    })
  })

  test('hides every text that is not named, whatever its key is called', () => {
    const unknown = { file: 'storefront', id: 'storefront', image: 'storefront', release: 'storefront', ref }
    const problem = { severity: 'error', reason: 'rejected', place: { file: 'storefront' }, what: 'x', detail: unknown }
    expect(redacted<Problem>(problem as Problem, problemAsIs, secrets).value).toEqual({
      ...problem,
      detail: { file: '***', id: '***', image: '***', release: '***', ref: { ...ref, namespace: '***', name: '***' } },
    })
    const lock = { atMs: 1, type: 'lock', state: 'lost', holder: 'run 1', file: 'storefront' } as Event
    expect(redacted(lock, eventAsIs, secrets).value).toEqual({ ...lock, file: '***' })
  })

  test('has the words of closed lists as they are, also where a secret is one of them', () => {
    const words = createSecrets()
    for (const word of WORDS) words.add(word)
    const hint = { kind: 'refused-operation', refusal: { kind: 'admission-denied' } } as const
    const problem: Problem = { severity: 'warning', reason: 'rejected', place: {}, what: 'it is', hint }
    const failed = pass({
      plan: closed,
      problems: [problem],
      events: upgradeFailed.filter(({ type }) => type === 'stage-finished' || type === 'group-finished'),
      outcome: { status: 'rolled-back', failure: { reason: 'not-ready', doing: 'wait', message: 'it is', hint } },
    })
    expect(redacted(failed, passAsIs, words).value).toEqual(failed)
    const text = { ...problem, what: 'rejected' }
    expect(redacted(text, problemAsIs, words).value.what).toBe('***')
  })

  test('keeps of an object what it is and its images, whatever its keys are called', () => {
    const [container, hidden] = ['storefront', '***'].map((value) => ({ name: value, args: [value] }))
    const metadata = { name: 'storefront', namespace: 'storefront' }
    const after = {
      kind: 'storefront',
      metadata: { ...metadata, labels: { storefront: 'storefront' } },
      data: { id: 'storefront', file: 'storefront', image: 'storefront', nested: { kind: 'storefront' } },
      spec: { containers: [{ ...container, image: 'storefront:1' }], image: 'storefront' },
    }
    const operation = apply(ref, 'create', { code: 'new' }, { after })
    const made = redacted(planOf(operation), planAsIs, secrets).value.stages[0]?.groups[0]?.ranks[0]?.[0]
    expect(made).toEqual({
      ...operation,
      after: {
        kind: 'storefront',
        metadata: { ...metadata, labels: { storefront: '***' } },
        data: { id: '***', file: '***', image: '***', nested: { kind: '***' } },
        spec: { containers: [{ ...hidden, image: 'storefront:1' }], image: '***' },
      },
    })
  })

  test('may be nothing', () => {
    expect(redacted<{ file?: string } | undefined>(undefined, {}, secrets).value).toBeUndefined()
  })
})

test('what is made of redacted values is redacted', () => {
  const lines = redacted({ lines: ['storefront', 'is up'] }, {}, secrets)
  expect(eachOf(madeFrom(lines, (one) => one.lines)).map(({ value }) => value)).toEqual(['***', 'is up'])
  expect(asName('storefront').value).toBe('storefront')
})

test('the compiler asks about each word and each object, and about nothing that is not there', () => {
  interface Thing {
    readonly state: 'up' | 'down'
    readonly file: string
    readonly count: number
    readonly part?: { readonly kind: 'a' | 'b' }
  }
  const complete: AsIs<Thing> = { state: 'word', part: { kind: 'word' } }
  // @ts-expect-error: a closed list that is not named would be rewritten.
  const noState: AsIs<Thing> = { part: { kind: 'word' } }
  // @ts-expect-error: what stands in an object would be redacted whole.
  const noPart: AsIs<Thing> = { state: 'word' }
  // @ts-expect-error: any text is no word of ours.
  const noWord: AsIs<Thing> = { ...complete, file: 'word' }
  // @ts-expect-error: there is no such field.
  const stray: AsIs<Thing> = { state: 'word', part: { kind: 'word' }, image: 'name' }
  expect([complete, noState, noPart, noWord, stray]).toHaveLength(5)
})

const WORDS = [
  'warning',
  'rejected',
  'not-ready',
  'rolled-back',
  'refused-operation',
  'admission-denied',
  'rollback',
  'dry-run',
  'unknown-until-applied',
  'kind-not-served',
  'Background',
  'complete',
  'ignore',
  'non-blocking',
  'succeeded',
  'prune-disabled',
  'stage-finished',
  'group-finished',
]

const closed: Plan = {
  ...plan({
    stages: [
      stage('main', [
        group(0, [
          [
            apply(
              ref,
              'recreate',
              { code: 'unknown-until-applied', because: 'kind-not-served' },
              { propagation: 'Background' },
            ),
          ],
          [awaits(ref, 'complete', { failure: 'ignore', outputLogsOn: ['succeeded'] })],
        ]),
      ]),
    ],
  }),
  verb: 'rollback',
  untouched: [{ ref, reason: 'prune-disabled' }],
}

function planOf(operation: Operation): Plan {
  return plan({ stages: [stage('main', [group(0, [[operation]])])] })
}
