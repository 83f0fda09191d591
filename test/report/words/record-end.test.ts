import { describe, expect, test } from 'vitest'
import { isWorthPosting } from '../../../src/report/comment/comment.ts'
import { planVerdict } from '../../../src/report/words/counts-text.ts'
import { headline } from '../../../src/report/words/headline.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { planText } from '../../../src/report/words/plan-text.ts'
import { deletes, group, plan, ref, stage } from '../plans.ts'
import { info, pass } from '../runs.ts'
import { planned } from '../shapes.ts'

const deletion = stage('delete', [group(0, [[deletes(ref('v1', 'Service', 'web'), { code: 'uninstalled' })]])])
const uninstall = { verb: 'uninstall', writesRevision: false } as const
const removing = plan({ ...uninstall, recordEnd: 'removed', stages: [deletion] })
const keeping = plan({ ...uninstall, recordEnd: 'uninstalled', stages: [deletion] })
const allKept = plan({ ...uninstall, recordEnd: 'removed' })

describe('what becomes of the release history', () => {
  test('is a part of the verdict of an uninstall', () => {
    expect(planVerdict(removing)).toBe('1 to delete, release history to remove')
    expect(planVerdict(keeping)).toBe('1 to delete, release history to keep')
    expect(planVerdict(allKept)).toBe('release history to remove')
    expect(planVerdict(plan(uninstall))).toBe('no changes')
  })

  test('is in the first line of the plan, as text and in the comment', () => {
    expect(planText(allKept).split('\n')[0]).toBe('uninstall web in shop, no new revision: release history to remove')
    expect(plainText(headline(pass({ ...planned, plan: keeping }), info))).toBe(
      'Plan: uninstall web in shop: 1 to delete, release history to keep',
    )
  })

  test.each([
    [removing, 'removed'],
    [keeping, 'kept'],
  ])('is told when it is done', (shown, word) => {
    const done = pass({ command: 'uninstall', plan: shown, outcome: { status: 'uninstalled' } })
    expect(plainText(headline(done, info))).toMatch(`Uninstalled web in shop: release history ${word} in`)
  })

  test('is worth a comment, though all objects are kept', () => {
    expect(isWorthPosting([pass({ ...planned, plan: allKept })])).toBe(true)
    expect(isWorthPosting([pass({ ...planned, plan: plan(uninstall) })])).toBe(false)
  })
})
