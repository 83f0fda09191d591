import { builtInKind } from '../manifest/built-in-kinds.ts'
import { podTemplateOf } from '../manifest/pod-places.ts'
import { defined } from '../model/defined.ts'
import { harmlessSteering, type SteeringChange } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { Sides } from './network-policies.ts'
import { authenticationChanges, type KeyEffect, redirectChanges, type Texts } from './steering-ingress.ts'
import { type SteeringRule, steeringRules } from './steering-rules.ts'

/**
 * What labels and annotations switch that others read: load balancers, controllers of Ingresses, clouds, meshes, Helm.
 * Source: docs/sources.md#labels-and-annotations-that-steer.
 */
export function steeringChanges(ref: Ref, { after, before }: Sides): readonly SteeringChange[] {
  if (after === undefined) return []
  const kind = builtInKind(ref)?.kind
  const rules = steeringRules.filter(({ kinds }) => kinds === undefined || (kind !== undefined && kinds.includes(kind)))
  const changes = rules.flatMap((rule) => {
    const [old, now] = [before, after].map((object) => textsOf(object, rule.on, rule.map))
    return ruleChanges(rule, { old: old ?? new Map(), now: now ?? new Map(), isNew: before === undefined })
  })
  const all = kind === 'Ingress' && before !== undefined ? [...changes, ...ingressChanges(before, after)] : changes
  // What says more of a key than that it is set.
  const told = new Set(all.flatMap(({ effect, key }) => (effect === 'setting' ? [] : [key])))
  const settings = all.filter(({ effect, key }) => effect === 'setting' && !told.has(key))
  return [...all.filter(({ effect }) => effect !== 'setting'), ...settings]
}

/** What is switched that somebody should look at. */
export function isRiskySteering({ effect }: SteeringChange): boolean {
  return !harmlessSteering.has(effect)
}

interface Both {
  readonly old: Texts
  readonly now: Texts
  readonly isNew: boolean
}

function ruleChanges(rule: SteeringRule, { isNew, now, old }: Both): readonly SteeringChange[] {
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter((key) => rule.key.test(key)).sort()
  return keys.flatMap((key) => {
    const [before, after] = [old.get(key), now.get(key)]
    const effect = isNew ? rule.ofNew?.(after ?? '') : rule.judge({ before, after })
    return effect === undefined || before === after ? [] : [changeOf({ effect, key }, rule.map, { old, now })]
  })
}

function ingressChanges(before: JsonObject, after: JsonObject): readonly SteeringChange[] {
  const [old, now] = [textsOf(before, 'object', 'annotations'), textsOf(after, 'object', 'annotations')]
  const hasTls = { before: arrayAt(before, 'spec', 'tls').length > 0, after: arrayAt(after, 'spec', 'tls').length > 0 }
  return [...authenticationChanges(old, now), ...redirectChanges(old, now, hasTls)].map((one) =>
    changeOf(one, 'annotations', { old, now }),
  )
}

/** Longer values are read in the object itself. */
const MAX_VALUE_CHARS = 60

function changeOf(
  { effect, key }: KeyEffect,
  map: SteeringChange['map'],
  { now, old }: Pick<Both, 'now' | 'old'>,
): SteeringChange {
  const values = [old.get(key), now.get(key)] as const
  const isShort = values.every((one) => one === undefined || (one.length <= MAX_VALUE_CHARS && !one.includes('\n')))
  const kind = values[0] === undefined ? 'added' : values[1] === undefined ? 'removed' : 'changed'
  return { effect, map, key, kind, ...(isShort ? defined({ before: values[0], after: values[1] }) : {}) }
}

function textsOf(object: JsonObject | undefined, on: SteeringRule['on'], map: SteeringRule['map']): Texts {
  const texts = at(on === 'object' ? object : podTemplateOf(object), 'metadata', map)
  if (!isJsonObject(texts)) return new Map()
  return new Map(Object.entries(texts).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
}
