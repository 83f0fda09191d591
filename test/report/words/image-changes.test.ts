import { expect, test } from 'vitest'
import type { Impact } from '../../../src/model/impact.ts'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import type { StageName } from '../../../src/model/verb.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { imagePhrase, releaseImagesPhrase } from '../../../src/report/words/image-changes.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

const pods = (image: string): JsonObject => ({ spec: { containers: [{ name: 'a', image }] } })

/** A workload whose image changes. */
function changed(kind: string, name: string, [before, after]: readonly [string, string] = ['1.0', '1.1']): Operation {
  const apiVersion = kind.endsWith('Job') ? 'batch/v1' : 'apps/v1'
  const body = (tag: string): JsonObject =>
    kind === 'CronJob'
      ? { spec: { jobTemplate: { spec: { template: pods(`${name}:${tag}`) } } } }
      : { spec: { template: pods(`${name}:${tag}`) } }
  const reason = { code: 'chart-changed', paths: [] } as const
  return apply(ref(apiVersion, kind, name), 'update', reason, { before: body(before), after: body(after) })
}

function images(...stages: readonly (readonly [StageName, readonly Operation[]])[]): string {
  const groups = stages.map(([name, operations]) => stage(name, [group(0, [operations])]))
  return plainText(imagePhrase(rowsOf(plan({ stages: groups }), [])))
}

test('major versions stand first, then what holds data, what keeps running, what ends, and hooks', () => {
  const hook = { ...changed('Job', 'migrate'), hook: 'pre-upgrade' }
  const main = [
    changed('Job', 'index'),
    changed('CronJob', 'backup'),
    changed('Deployment', 'web'),
    changed('StatefulSet', 'db'),
    changed('DaemonSet', 'agent', ['1.0', '2.0']),
  ]

  expect(images(['pre', [hook]], ['main', main])).toBe(
    'agent 1.0 → 2.0 (⚠️ major), db 1.0 → 1.1, web 1.0 → 1.1, index 1.0 → 1.1, backup 1.0 → 1.1, migrate 1.0 → 1.1',
  )
})

test('an image of a hook that a workload runs as well stands with the workload', () => {
  const hook = { ...changed('Job', 'web'), hook: 'pre-upgrade' }

  expect(images(['pre', [hook]], ['main', [changed('CronJob', 'backup'), changed('Deployment', 'web')]])).toBe(
    'web 1.0 → 1.1, backup 1.0 → 1.1',
  )
})

test('seven are named, of more the last are counted', () => {
  const many = (amount: number) => Array.from({ length: amount }, (_, index) => changed('Deployment', `web-${index}`))

  expect(images(['main', many(7)])).toMatch(/web-6 1\.0 → 1\.1$/)
  expect(images(['main', many(8)])).toMatch(/web-5 1\.0 → 1\.1 and 2 more$/)
})

/** With what the planner has found about the rest of the release. */
function withFacts(operation: Operation, facts: Partial<Impact>): Operation {
  if (operation.kind === 'await' || operation.impact === undefined) throw new Error('no impact')
  return { ...operation, impact: { ...operation.impact, ...facts } }
}

const web = (name: string, stillIn?: number) =>
  withFacts(changed('Deployment', name), {
    images: [{ before: 'web:1.0', after: 'web:1.1', ...(stillIn && { stillIn }) }],
  })

test.each<[string, readonly Operation[], string]>([
  ['all that ran it change', [web('a'), web('b')], 'web 1.0 → 1.1'],
  ['one of several', [web('a', 1)], 'web 1.0 → 1.1 (in 1 workload, 1 other uses the old image)'],
  [
    'some of many',
    [web('a', 8), web('b', 8), web('c', 8)],
    'web 1.0 → 1.1 (in 3 workloads, 8 others use the old image)',
  ],
  [
    'images that come and go',
    [
      web('a'),
      withFacts(changed('Deployment', 'b'), { images: [], newImages: ['queue:3', 'log:1'], goneImages: ['cache:7'] }),
      withFacts(changed('Deployment', 'c'), { images: [], newImages: ['queue:3'], goneImages: ['cache:7'] }),
    ],
    'web 1.0 → 1.1; new: queue:3, log:1; no longer run: cache:7',
  ],
  [
    'what a change tells is not told again',
    [web('a'), withFacts(changed('Deployment', 'b'), { images: [], newImages: ['web:1.1'], goneImages: ['web:1.0'] })],
    'web 1.0 → 1.1',
  ],
  [
    'of an uninstall nothing is told',
    [
      {
        ...deletes(ref('apps/v1', 'Deployment', 'b'), { code: 'uninstalled' }),
        impact: { risk: 'stopped', fields: [], goneImages: ['web:1.0'] },
      },
    ],
    '',
  ],
])('the images of a release: %s', (_what, operations, expected) => {
  const rows = rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), [])

  expect(plainText(releaseImagesPhrase(rows))).toBe(expected)
})
