import { expect, test } from 'vitest'
import type { Event } from '../../../src/model/event.ts'
import { createLog, problemLog } from '../../../src/report/log/log.ts'
import { at, evidence, hookLogs, upgrade, upgradeDone, upgradeFailed } from '../runs.ts'

test('a deploy is told by weight group, with a verdict line after each', () => {
  expect(logText(upgradeDone)).toMatchInlineSnapshot(`
    "lock acquired, holder run 881
    release web: revision 13 is pending-upgrade
    > pre weight -5: 1 hook to run
    [pre weight -5] Job/shop/migrate recreated in 1.2 s: delete policy
    [pre weight -5] Job/shop/migrate waits: 0 of 1 completed (0.5 s)
    [pre weight -5] Job/shop/migrate waits: 0 of 1 completed (32 s)
    [pre weight -5] migrate-x2x1/migrate | \\::set-output name=x::done ##\\[group]gotcha
    [pre weight -5] Job/shop/migrate complete after 34 s (condition Complete is True)
    <
    = pre weight -5 done in 35 s (1 of 1)
    > main weight 0: 1 to update, 1 unchanged
    [main weight 0] ConfigMap/shop/web updated: data.greeting hello → welcome
    [main weight 0] 1 unchanged
    <
    = main weight 0 ready in 0.4 s (2 of 2)
    > main weight 10: 1 to update
    [main weight 10] Deployment/shop/web updated: containers[app].image 4.2.0 → 4.3.1
    [main weight 10] Deployment/shop/web waits: its controller has observed generation 7 of 8 (0.1 s)
    [main weight 10] Deployment/shop/web waits: 1 of 3 updated (5.4 s)
    [main weight 10] Deployment/shop/web ready after 41 s (3 of 3 ready)
    <
    = main weight 10 ready in 41 s (1 of 1)
    = main ready in 41 s
    > prune weight 0: 1 to delete
    [prune weight 0] PersistentVolumeClaim/shop/old deleted in 2.6 s: no longer in the chart
    <
    = prune weight 0 done in 2.6 s (1 of 1)
    release web: revision 13 is deployed
    web in shop: deployed, revision 13, after 1 min 19 s"
  `)
})

test('helm.sh/hook-output-log-policy: the log of the hook stands there as a whole', () => {
  expect(logText([hookLogs])).toMatchInlineSnapshot(`
    "[pre weight -5] log of Job/shop/migrate:
    [pre weight -5]   pod migrate-x2x1, phase Succeeded
    [pre weight -5]     container migrate: terminated, exit 0
    [pre weight -5]     last 2 lines of the log:
    [pre weight -5]       | ##\\[group]gotcha
    [pre weight -5]       | </details>done"
  `)
})

test('helm.sh/hook-output-log-policy: a log that stands there as evidence is not told again', () => {
  const [id] = 'id' in hookLogs ? [hookLogs.id] : []
  const known = at(34, { type: 'evidence', id: id ?? '', evidence } as const)
  expect(logText([known, hookLogs])).toBe(logText([known]))
})

test('what holds writes up is told with the time since when, on one line whatever the server says', () => {
  const doing = 'apply Issuer/shop/ca'
  const cause = 'failed calling webhook "x":\n::error::no endpoints'
  const heldUp = { type: 'held-up', doing, cause, sinceMs: at(3, hookLogs).atMs } as const
  expect(
    logText([at(15, { ...heldUp, state: 'waiting' }), at(40, { ...heldUp, state: 'over' })]),
  ).toMatchInlineSnapshot(`
    "apply Issuer/shop/ca is tried again since 14:02:03 UTC (12 s): failed calling webhook "x":\\u{a}::error::no endpoints
    apply Issuer/shop/ca goes on after 37 s: failed calling webhook "x":\\u{a}::error::no endpoints"
  `)
})

test('a failure says what is wrong, shows the evidence and what to do next', () => {
  expect(logText(upgradeFailed).split('\n').slice(-22).join('\n')).toMatchInlineSnapshot(`
    "> main weight 10: 1 to update
    [main weight 10] Deployment/shop/web updated: containers[app].image 4.2.0 → 4.3.1
    [main weight 10] Deployment/shop/web waits: its controller has observed generation 7 of 8 (0.1 s)
    [main weight 10] Deployment/shop/web waits: 1 of 3 updated (5.4 s)
    [main weight 10] Deployment/shop/web waits: pod web-7d9f-x2x1 is crashing (container app, CrashLoopBackOff, exit 1, 4 restarts) (1 min 05 s)
    [main weight 10] diagnostics of Deployment/shop/web:
    [main weight 10]   pod web-7d9f-x2x1, phase Running
    [main weight 10]     container app: waiting, CrashLoopBackOff, exit 1, 4 restarts
    [main weight 10]     last 2 lines of the previous container:
    [main weight 10]       | starting
    [main weight 10]       | Error: config key PAYMENT_URL missing
    [main weight 10]   pod web-5c8b-aaaa, phase Running
    [main weight 10]     container app: running
    [main weight 10]   Warning BackOff Pod/web-7d9f-x2x1: Back-off restarting failed container (4 times)
    [main weight 10] FAILED: Deployment/shop/web did not become ready: 1 of 2 pods is crashing (container app, CrashLoopBackOff, exit 1, 4 restarts) (after 1 min 09 s)
    <
    = main weight 10 FAILED after 1 min 10 s (0 of 1)
    = main FAILED after 1 min 10 s
    release web: revision 13 is failed
    web in shop: failed at stage main, weight 10, after 1 min 45 s
    Deployment/shop/web did not become ready: 1 of 2 pods is crashing (container app, CrashLoopBackOff, exit 1, 4 restarts)
    next: correct what keeps it from being ready and run again: the deploy continues from here"
  `)
})

test('the same reason is repeated after 30 s, not before', () => {
  const id = 'await/Deployment/shop/web'
  const reason = { code: 'replicas', what: 'updated', have: 1, want: 3 } as const
  const events: readonly Event[] = [0, 10, 29.9, 30, 59, 61].map((second) =>
    at(second, { type: 'progress', id, reason }),
  )

  expect(logText(events)).toBe(`[main weight 10] Deployment/shop/web waits: 1 of 3 updated (0.0 s)
[main weight 10] Deployment/shop/web waits: 1 of 3 updated (30 s)
[main weight 10] Deployment/shop/web waits: 1 of 3 updated (1 min 01 s)`)
})

test('a log that ends inside a group closes it', () => {
  const events: readonly Event[] = [
    at(0, { type: 'group-started', stage: 'main', group: 1 }),
    at(3, { type: 'finished', outcome: { status: 'cancelled' } }),
  ]

  expect(logText(events)).toBe(`> main weight 10: 1 to update
<
web in shop: cancelled, after 3.0 s`)
})

test('the last line counts from the start of the pass, which is before its first event', () => {
  const log = createLog(upgrade, at(-10, { type: 'group-started', stage: 'main', group: 1 }).atMs)
  expect(log(at(3, { type: 'finished', outcome: { status: 'planned' } }))).toEqual([
    { kind: 'line', text: 'web in shop: planned, after 13 s' },
  ])
})

test('every problem of the inputs is a line, however many there are', () => {
  const problem = { severity: 'error', reason: 'invalid-input', place: { input: 'set', line: 2 } } as const
  const problems = Array.from({ length: 12 }, (_, index) => ({ ...problem, what: `mistake ${index + 1}` }))
  const lines = problemLog(problems)
  expect(lines).toHaveLength(12)
  expect(lines.at(-1)).toEqual({ kind: 'line', text: 'error: input set line 2: mistake 12' })
})

function logText(events: readonly Event[]): string {
  const log = createLog(upgrade)
  const actions = events.flatMap((event) => log(event))
  return actions
    .map((action) => {
      if (action.kind === 'line') return action.text
      return action.kind === 'group-start' ? `> ${action.text}` : '<'
    })
    .join('\n')
}
