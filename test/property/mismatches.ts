import type { AuditEvent } from '../cluster/audit.ts'
import type { Pair } from './pairs.ts'
import { type Passed, type Phase, userAgent } from './passes.ts'
import {
  carriedOut,
  differences,
  driftOf,
  isBlocked,
  samePlans,
  secondDeploy,
  without,
  withoutHandOver,
} from './plan-and-deed.ts'
import type { Place } from './things.ts'
import { operationsOf, seenWrites } from './writes.ts'

/** What happened to one pair. */
export interface Story extends Readonly<Record<Phase, Passed>> {
  readonly index: number
  readonly pair: Pair
  readonly place: Place
}

/** Where the plan and the deploy differ, a line each. */
export function mismatches(story: Story, audit: readonly AuditEvent[]): readonly string[] {
  const seen = (phase: Phase) => seenWrites(audit.filter((event) => event.userAgent === userAgent(phase)))
  const { install, plan, deploy, again, pair } = story
  // The hand-over from client-side to server-side apply is a patch of its own, before the one that is announced.
  const wasHelm3 = pair.drift.some(({ how }) => how === 'was Helm 3')
  return [
    ...without('plan', seen('plan')),
    ...carriedOut('install', install, seen('install')),
    ...samePlans(plan, deploy),
    ...(pair.drift.length === 0 ? driftOf(plan) : []),
    ...carriedOut('deploy', deploy, wasHelm3 ? withoutHandOver(deploy, seen('deploy')) : seen('deploy')),
    ...carriedOut('again', again, seen('again')),
    ...(isBlocked(deploy)
      ? []
      : [
          ...secondDeploy(
            again,
            audit.filter(({ userAgent: agent }) => agent === userAgent('again')),
          ),
          ...notReached(again),
        ]),
  ]
}

/** Where nothing is to be done, the cluster holds what was rendered; replicas may be somebody else's. */
function notReached({ plan, rendered, read }: Passed): readonly string[] {
  if (plan === undefined) return []
  return operationsOf(plan).flatMap((one) => {
    const name = `${one.ref.kind}/${one.ref.name}`
    const wanted = rendered.get(name)
    if (one.kind !== 'apply' || one.change !== 'none' || wanted === undefined) return []
    const place = { path: '', isWhole: false, chosen: new Set(['/spec/replicas']) }
    return differences(wanted, read.get(name), place).map((path) => `again: ${one.id} is none, but ${path}`)
  })
}
