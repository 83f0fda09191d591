import { defined } from '../model/defined.ts'
import { arrayAt, at, type KubeObject, stringAt } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { conditionOf, conditionReason, conditionsOf, isFalse, isTrue } from './conditions.ts'
import { staleStatus } from './generic-readiness.ts'
import { failed, progressing, ready } from './verdict.ts'

/**
 * Established, names accepted, and served by discovery where that is known: only then can its custom resources be
 * applied. See docs/decisions/0013.
 */
export function customResourceDefinition(object: KubeObject, facts: ReadinessFacts): Readiness {
  const conditions = conditionsOf(object)
  const names = conditionOf(conditions, 'NamesAccepted')
  if (names !== undefined && isFalse(names)) {
    return failed({ code: 'names-not-accepted', ...defined({ message: names.message }) })
  }
  const established = conditionOf(conditions, 'Established')
  if (established === undefined) return progressing({ code: 'no-status' })
  if (!isTrue(established)) return progressing(conditionReason(established))
  if (names === undefined) return progressing({ code: 'no-status' })
  return facts.isServed === false ? progressing({ code: 'not-served' }) : ready(conditionReason(established))
}

/**
 * Bound. A claim whose class waits for the first consumer is bound when a pod uses it, often in a later group, so it is
 * not waited for. See docs/decisions/0020.
 */
export function persistentVolumeClaim(object: KubeObject, facts: ReadinessFacts): Readiness {
  const phase = stringAt(object, 'status', 'phase') ?? 'Pending'
  const reason = { code: 'field', path: '.status.phase', value: phase } as const
  if (phase === 'Bound') return ready(reason)
  if (phase === 'Lost') return failed(reason)
  if (facts.volumeBindingMode === 'WaitForFirstConsumer') return ready({ code: 'waits-for-first-consumer' })
  return progressing({ code: 'unbound', phase })
}

export function persistentVolume(object: KubeObject): Readiness {
  const phase = stringAt(object, 'status', 'phase') ?? 'Pending'
  const reason = { code: 'field', path: '.status.phase', value: phase } as const
  if (phase === 'Failed') return failed(reason)
  return phase === 'Pending' ? progressing(reason) : ready(reason)
}

/** Has the address that its type needs. Source: docs/sources.md#helm-3-readiness. */
export function service(object: KubeObject): Readiness {
  const spec = at(object, 'spec')
  if (stringAt(spec, 'type') === 'ExternalName') return ready()
  if (stringAt(spec, 'clusterIP') === '') return progressing({ code: 'address-missing' })
  if (stringAt(spec, 'type') !== 'LoadBalancer') return ready()
  const addresses = [...arrayAt(object, 'status', 'loadBalancer', 'ingress'), ...arrayAt(spec, 'externalIPs')]
  return addresses.length > 0 ? ready() : progressing({ code: 'address-missing' })
}

/** Its backend answers. `False` ends once the pods behind it are ready, so it is waited for. */
export function apiService(object: KubeObject): Readiness {
  const available = conditionOf(conditionsOf(object), 'Available')
  if (available === undefined) return progressing({ code: 'no-status' })
  return isTrue(available) ? ready(conditionReason(available)) : progressing(conditionReason(available))
}

export function namespace(object: KubeObject): Readiness {
  const phase = stringAt(object, 'status', 'phase') ?? 'Active'
  const reason = { code: 'field', path: '.status.phase', value: phase } as const
  return phase === 'Active' ? ready(reason) : progressing(reason)
}

/** Its controller has observed it. Whether a disruption is allowed right now does not matter for readiness. */
export function podDisruptionBudget(object: KubeObject): Readiness {
  return staleStatus(object) ?? ready()
}
