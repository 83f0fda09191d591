import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import type { Readiness, ReadinessFacts, ReadinessReason } from '../../src/model/readiness.ts'
import { completion, readiness } from '../../src/readiness/judge-readiness.ts'

/** One document of test/readiness/kinds: what is given, and the verdict in one line. */
interface Case {
  /** The rule, and the source that states it. */
  readonly rule: string
  readonly object: KubeObject
  readonly relatives?: readonly KubeObject[]
  readonly facts?: Partial<ReadinessFacts> & { readonly now?: string; readonly waitingSince?: string }
  readonly ready?: string
  /** The verdict on the same object as a hook. */
  readonly complete?: string
}

const KINDS = join(import.meta.dirname, 'kinds')
const NOW = '2026-01-01T01:00:00Z'

describe.each(readdirSync(KINDS))('%s', (file) => {
  const cases = load(readFileSync(join(KINDS, file), 'utf8')) as readonly Case[]
  for (const { rule, object, relatives = [], facts, ...expected } of cases) {
    test(rule, () => {
      const known = factsOf(facts)
      const verdicts = {
        ...('ready' in expected ? { ready: text(readiness(object, relatives, known)) } : {}),
        ...('complete' in expected ? { complete: text(completion(object, relatives, known)) } : {}),
      }
      expect(verdicts).toEqual(expected)
    })
  }
})

test('an object that does not exist is waited for, a hook too', () => {
  const facts = { nowMs: Date.parse(NOW) }
  expect([readiness, completion].map((judge) => text(judge(undefined, [], facts)))).toEqual([
    'progressing absent',
    'progressing absent',
  ])
})

function factsOf({ now = NOW, waitingSince, ...facts }: Case['facts'] = {}): ReadinessFacts {
  const waiting = waitingSince === undefined ? {} : { waitingSinceMs: Date.parse(waitingSince) }
  return { ...facts, ...waiting, nowMs: Date.parse(now) }
}

function text(verdict: Readiness): string {
  const base = `${verdict.state} ${reasonText(verdict.reason)}`
  if (verdict.state !== 'progressing' || verdict.then === undefined) return base
  return `${base}, ${verdict.then.state} after ${verdict.afterSeconds} s`
}

function reasonText(reason: ReadinessReason): string {
  switch (reason.code) {
    case 'replicas':
      return `${reason.what} ${reason.have}/${reason.want}`
    case 'condition':
      return `${reason.type}=${reason.status}${reason.reason === undefined ? '' : ` ${reason.reason}`}`
    case 'field':
      return `${reason.path}=${reason.value}`
    case 'generation':
      return `generation ${reason.observed}/${reason.want}`
    case 'pod':
      return `${reason.pod}${reason.container === undefined ? '' : `/${reason.container}`} ${reason.problem}`
    case 'unbound':
      return `unbound ${reason.phase}`
    default:
      return reason.code
  }
}
