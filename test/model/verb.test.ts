import { expect, test } from 'vitest'
import { hookEvents } from '../../src/directives/hook-events.ts'
import { type Command, commands, planCommandOf } from '../../src/model/command.ts'
import { isRevisionVerb, rowOf, verbNames } from '../../src/model/verb.ts'

test('hook events are those of Helm, by the verbs and their stages', () => {
  expect([...hookEvents].map(([event, { stage, verb }]) => `${event}: ${verb} ${stage}`)).toEqual([
    'pre-install: install pre',
    'post-install: install post',
    'pre-upgrade: upgrade pre',
    'post-upgrade: upgrade post',
    'pre-rollback: rollback pre',
    'post-rollback: rollback post',
    'pre-delete: uninstall pre',
    'post-delete: uninstall post',
    'test: test test',
  ])
})

test('an event names one verb: hooks of an event run with that verb and no other', () => {
  const events = verbNames.flatMap((verb) => rowOf(verb).event ?? [])
  expect(events).toEqual([...new Set(events)])
})

test('a verb that makes a revision prunes what the one before had, and no other does', () => {
  expect(verbNames.filter((verb) => rowOf(verb).stages.includes('prune'))).toEqual(verbNames.filter(isRevisionVerb))
})

test('a plan is its command without the writes', () => {
  const pairs: readonly (readonly [Command, Command])[] = [
    ['plan', 'deploy'],
    ['plan-rollback', 'rollback'],
    ['plan-uninstall', 'uninstall'],
  ]
  for (const [plan, command] of pairs) {
    const { mayBeOffline: _alone, ...row } = commands[plan]
    expect(row).toEqual({ ...commands[command], writes: false })
    expect([planCommandOf(command), planCommandOf(plan)]).toEqual([plan, plan])
  }
  const plans: readonly Command[] = pairs.map(([plan]) => plan)
  const names = Object.keys(commands) as readonly Command[]
  expect(names.filter((name) => !commands[name].writes)).toEqual(plans)
  expect(planCommandOf('test')).toBeUndefined()
})
