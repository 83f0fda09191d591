import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { Tracking } from '../../src/model/directives.ts'
import type {
  ApplyOperation,
  AwaitOperation,
  ChangeKind,
  DeleteOperation,
  Group,
  Operation,
  Plan,
  Reason,
  Stage,
} from '../../src/model/plan.ts'
import { formatRef, type Ref } from '../../src/model/ref.ts'
import type { StageName } from '../../src/model/verb.ts'

const noReleases = { before: releaseObjects([]), after: releaseObjects([]) }

/** Builders of plans for the tests of the printers: an upgrade of the release `web` in namespace `shop`. */
export function plan(parts: Partial<Plan>): Plan {
  return {
    verb: 'upgrade',
    release: 'web',
    namespace: 'shop',
    revision: 13,
    comparedBy: 'dry-run',
    writesRevision: true,
    stages: [],
    untouched: [],
    problems: [],
    ...parts,
  }
}

export function stage(name: StageName, groups: readonly Group[]): Stage {
  return { name, groups }
}

export function group(weight: number, ranks: readonly (readonly Operation[])[]): Group {
  return { weight, ranks }
}

export function ref(apiVersion: string, kind: string, name: string, namespace: string | undefined = 'shop'): Ref {
  return namespace === '' ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name }
}

export function apply(
  to: Ref,
  change: ChangeKind,
  reason: Reason,
  parts: Partial<ApplyOperation> = {},
): ApplyOperation {
  const { after, before = parts.renamedFrom?.object } = parts
  const real = { ...(before && { before }), ...(after && { after }) }
  const isDrifted = reason.code === 'drift' || reason.code === 'both'
  const impact =
    change === 'none'
      ? {}
      : { impact: impactOf({ ref: to, change, real, shown: real, isDrifted, releases: noReleases }) }
  return { kind: 'apply', id: `apply/${formatRef(to)}`, ref: to, change, reason, ...impact, ...parts }
}

export function awaits(of: Ref, until: AwaitOperation['until'], parts: Partial<AwaitOperation> = {}): AwaitOperation {
  return { kind: 'await', id: `await/${formatRef(of)}`, ref: of, until, failure: 'stop', tracking, ...parts }
}

export function deletes(of: Ref, reason: Reason, parts: Partial<DeleteOperation> = {}): DeleteOperation {
  return { kind: 'delete', id: `delete/${formatRef(of)}`, ref: of, reason, propagation: 'Background', ...parts }
}

export const tracking: Tracking = {
  logs: { skip: false, skipContainers: [], onlyContainers: [], keep: [], drop: [] },
}
