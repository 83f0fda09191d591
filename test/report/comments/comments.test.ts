import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { comment } from '../../../src/report/comment/comment.ts'
import { planTextFile } from '../../../src/report/outputs/plan-file.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { info } from '../runs.ts'
import { parseCase, plannedPass } from './comment-case.ts'
import { largeUpgrade } from './large-upgrade.ts'

/** As the pull request takes it. */
const LIMIT_BYTES = 60_000

const folder = new URL('./', import.meta.url)
const written = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    ...parseCase(readFileSync(new URL(file, folder), 'utf8')),
  }))

const cases = [...written, { name: 'large-upgrade', ...largeUpgrade }]

describe('golden comments, each beside the objects that it is about', () => {
  test.each(cases)('$name: $title', async ({ name, ...one }) => {
    const text = comment({ passes: [plannedPass(one)], info, limitBytes: LIMIT_BYTES })

    await expect(text).toMatchFileSnapshot(new URL(`${name}.md`, folder).pathname)
  })

  test.each(cases.filter(({ hasOtherReports }) => hasOtherReports))(
    '$name: the same facts in the job summary and in the plan as text',
    async ({ name, ...one }) => {
      const passes = [plannedPass(one)]

      await expect(summary({ passes, info })).toMatchFileSnapshot(new URL(`${name}.summary.md`, folder).pathname)
      await expect(planTextFile(passes)).toMatchFileSnapshot(new URL(`${name}.plan.txt`, folder).pathname)
    },
  )
})
