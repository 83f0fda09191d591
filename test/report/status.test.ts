import { describe, expect, test } from 'vitest'
import { mergeGroupStatus, withStatus } from '../../src/report/comment/status-line.ts'
import { posted } from './comment/posted.ts'
import { info } from './runs.ts'
import { blockedPlan, several, upgradePlan } from './shapes.ts'

const text = posted({ passes: [upgradePlan], info: { ...info, needsApproval: true } })

describe('the status, the last block of a comment', () => {
  test('is all that a merge queue changes', () => {
    const changed = withStatus(text, mergeGroupStatus([upgradePlan], { ...info, runNumber: 884, needsApproval: true }))

    expect(changed?.split('<!-- status -->')[0]).toBe(text.split('<!-- status -->')[0])
    expect(changed?.split('<!-- status -->')[1]).toBe(
      '\n**Status:** in the merge queue, planned again (2 to update, 1 to delete, 1 unchanged, 1 hook to run) in [run 884](https://github.com/acme/shop/actions/runs/881). A deploy runs only if the plan is still `9f3c2a7d5e1b`.\n',
    )
  })

  test('of a plan that is blocked in the merge queue, and of several releases', () => {
    expect(mergeGroupStatus([blockedPlan], info)).toContain('**Status:** in the merge queue, blocked (')
    expect(mergeGroupStatus(several(), info)).toContain('planned again (2 planned)')
  })

  test('is left alone where somebody took it out', () => {
    expect(withStatus(text.replace('<!-- status -->', ''), 'x')).toBeUndefined()
  })
})
