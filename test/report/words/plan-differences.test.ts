import { describe, expect, test } from 'vitest'
import { differenceLog } from '../../../src/report/log/difference-log.ts'
import { failureHint } from '../../../src/report/words/failure-sentence.ts'
import { differenceLines } from '../../../src/report/words/plan-differences.ts'
import { apply, deletes, plan, ref } from '../plans.ts'
import { changedPlan, weakPlan } from '../shapes.ts'

const web = ref('apps/v1', 'Deployment', 'web')

describe('how a plan differs from the approved one', () => {
  test('is told resource by resource', () => {
    const image = { code: 'chart-changed', paths: ['/spec/template/spec/containers/0/image'] } as const

    expect(
      differenceLines(
        [
          { kind: 'not-approved', id: 'main/apply/x', operation: apply(web, 'update', image) },
          {
            kind: 'otherwise',
            id: 'main/apply/y',
            operation: apply(web, 'recreate', { code: 'new' }, { hook: 'pre-upgrade' }),
          },
          { kind: 'not-approved', id: 'prune/delete/z', operation: deletes(web, { code: 'pruned' }) },
          { kind: 'gone', id: 'main/apply/apps/Deployment/shop/worker#2' },
          { kind: 'gone', id: 'crds/apply/rbac.authorization.k8s.io/ClusterRole//reader' },
          { kind: 'otherwise', id: 'post' },
        ],
        plan({}),
      ),
    ).toEqual([
      'not approved: update Deployment/shop/web (containers[0].image)',
      'changed since approval: recreate Deployment/shop/web [pre-upgrade]',
      'not approved: delete Deployment/shop/web',
      'no longer planned: apply Deployment/shop/worker in stage main',
      'no longer planned: apply ClusterRole/reader in stage crds',
      'changed since approval: stage post',
    ])
  })

  test.each([
    ['not-approved', 'record', 'not approved: what becomes of the release history (keep-history)'],
    ['otherwise', 'record', 'changed since approval: what becomes of the release history (keep-history)'],
    ['not-approved', 'hook/record/off', 'not approved: that hooks do not run (hooks: false)'],
    ['gone', 'hook/record/off', 'no longer planned: that hooks do not run (hooks: false)'],
    ['not-approved', 'input/take-ownership', 'not approved: input take-ownership'],
    ['not-approved', 'input/wait: false', 'not approved: input wait: false'],
    ['otherwise', 'hooks of other events', 'changed since approval: hooks of other events'],
  ] as const)('of what is no operation in words: %s %s', (kind, id, line) => {
    expect(differenceLines([{ kind, id }], plan({}))).toEqual([line])
  })

  test('where only the hash is known, the current plan is printed, and that is said', () => {
    const approved = { release: 'web', namespace: 'shop', hash: '1b2d', comparedBy: 'dry-run' } as const
    const lines = differenceLines(changedPlan.differences ?? [], weakPlan.plan, approved)

    expect(lines[0]).toBe('Only the hash of the approved plan is known. The plan as it is now:')
    expect(lines).toContain('      1 ~ update ConfigMap/shop/web: data.greeting hello → welcome; without dry run')
  })

  test('stands in the log, one line each, bounded', () => {
    const many = Array.from(
      { length: 300 },
      (_, index) => ({ kind: 'gone', id: `main/apply//Pod/shop/p${index}\n::error::` }) as const,
    )
    const log = differenceLog(many, undefined)

    expect(log).toHaveLength(102)
    expect(log.at(1)).toEqual({
      kind: 'line',
      text: 'no longer planned: apply Pod/shop/p0\\u{a}::error:: in stage main',
    })
    expect(log.at(-1)).toEqual({ kind: 'line', text: 'and 200 more' })
  })

  test('leads back to the pull request', () => {
    expect(failureHint({ reason: 'plan-changed', doing: '', message: '' })).toContain('plan again on the pull request')
    expect(failureHint({ reason: 'approval-missing', doing: '', message: '' })).toContain(
      'plan this command on the pull request',
    )
  })
})
