import { expect, test } from 'vitest'
import type { PassResult } from '../../../src/model/pass.ts'
import { nextStep } from '../../../src/report/markdown/next-step.ts'
import { info } from '../runs.ts'
import { changedPlan, unapproved } from '../shapes.ts'

test.each([
  ['deploy', 'plan'],
  ['rollback', 'plan-rollback'],
  ['uninstall', 'plan-uninstall'],
] as const)('a %s whose plan is not the approved one asks for command: %s', (command, planCommand) => {
  for (const shape of [changedPlan, unapproved]) {
    const stopped: PassResult = { ...shape, command }
    expect(nextStep([stopped], info)).toContain(`run \`command: ${planCommand}\` on the pull request`)
  }
})
