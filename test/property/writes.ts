import type { Operation, Plan } from '../../src/model/plan.ts'
import type { Ref } from '../../src/model/ref.ts'
import { countPlan, hasChanges } from '../../src/report/rows/counts.ts'
import { type AuditEvent, isWrite } from '../cluster/audit.ts'

/** `patch apps/deployments shop/web` for each write that a plan announces when everything goes well, sorted. */
export function announcedWrites(plan: Plan): readonly string[] {
  return operationsOf(plan).flatMap(writesOf).sort()
}

/** The same of what the API server saw, but for the record, the lock, the namespace and questions about rights. */
export function seenWrites(events: readonly AuditEvent[]): readonly string[] {
  return events
    .filter(isWrite)
    .filter((event) => !isBookkeeping(event))
    .map(({ verb, ref }) => `${verb} ${ref.group}/${ref.resource} ${ref.namespace ?? ''}/${ref.name ?? ''}`)
    .sort()
}

/** A write of the release record. */
export function isRecordWrite(event: AuditEvent): boolean {
  const { ref } = event
  return isWrite(event) && ref.resource === 'secrets' && ref.name?.startsWith('sh.helm.release.v1.') === true
}

export function operationsOf(plan: Plan): readonly Operation[] {
  return plan.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
}

export function isChanging(plan: Plan): boolean {
  return hasChanges(countPlan(plan))
}

function writesOf(operation: Operation): readonly string[] {
  const target = targetOf(operation.ref)
  switch (operation.kind) {
    case 'await':
      return []
    case 'delete':
      return operation.onlyIf === 'failed' ? [] : [`delete ${target}`]
    case 'apply':
      if (operation.change === 'none') return []
      return operation.change === 'recreate' ? [`delete ${target}`, `patch ${target}`] : [`patch ${target}`]
  }
}

function targetOf({ apiVersion, kind, namespace, name }: Ref): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return `${group}/${pluralOf(kind)} ${namespace ?? ''}/${name}`
}

/** As the API server names the resource: all kinds that are deployed here follow the rule. */
function pluralOf(kind: string): string {
  const name = kind.toLowerCase()
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`
  return name.endsWith('s') ? `${name}es` : `${name}s`
}

function isBookkeeping(event: AuditEvent): boolean {
  const { group, resource } = event.ref
  if (group === 'authorization.k8s.io' || group === 'coordination.k8s.io' || resource === 'namespaces') return true
  return isRecordWrite(event)
}
