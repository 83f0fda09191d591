import { expect, test } from 'vitest'
import type { UntouchedReason } from '../../../src/model/plan.ts'
import { keptLine } from '../../../src/report/markdown/bullet-lists.ts'
import { plan, ref } from '../plans.ts'
import { pass } from '../runs.ts'

const line = (reason: UntouchedReason, amount: number) => {
  const untouched = Array.from({ length: amount }, (_, index) => ({
    ref: ref('v1', 'PersistentVolumeClaim', `data-${index}`),
    reason,
  }))
  return keptLine(pass({ command: 'plan', plan: plan({ untouched }) }))
}

test.each<[string, UntouchedReason, number, string]>([
  [
    'what has left the chart and stays',
    'kept',
    1,
    '**Left in the cluster, no longer part of the release:** `PersistentVolumeClaim/shop/data-0`.',
  ],
  ['a hook of another event', 'other-hook', 1, ''],
  ['nothing', 'kept', 0, ''],
])('what is left in the cluster has a line of its own: %s', (_what, reason, amount, expected) => {
  expect(line(reason, amount)).toBe(expected)
})

test('beyond five they are counted', () => {
  expect(line('kept', 7)).toMatch(/`PersistentVolumeClaim\/shop\/data-4` and 2 more\.$/)
})
