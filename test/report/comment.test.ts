import { expect, test } from 'vitest'
import { comment, commentKey } from '../../src/report/comment.ts'
import { failure, info, pass, upgradeDone, upgradeFailed } from './runs.ts'

const key = commentKey([pass()], info, 'https://github.com/acme/shop/pull/57')
const fingerprint = { hash: '9f3c2a7d5e1b44c0a7f1', comparedBy: 'dry-run' as const, digests: {} }

test('a plan: counts first, warning, table by stage, diffs', async () => {
  const planned = pass({ command: 'plan', fingerprint })

  await expect(comment({ key, passes: [planned], info })).toMatchFileSnapshot('golden/comment-plan.md.txt')
})

test('after a deploy on the same pull request: the same comment with result and status', async () => {
  const done = pass({ events: upgradeDone, outcome: { status: 'deployed' }, fingerprint })

  await expect(comment({ key, passes: [done], info })).toMatchFileSnapshot('golden/comment-deployed.md.txt')
})

test('a failed deploy: the same comment with the sentence and the evidence', async () => {
  const failed = pass({ events: upgradeFailed, outcome: { status: 'failed', failure }, fingerprint })

  await expect(comment({ key, passes: [failed], info })).toMatchFileSnapshot('golden/comment-failed.md.txt')
})
