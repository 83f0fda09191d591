import type { JsonValue } from '../model/object.ts'

/** An integer, also in quotes; 0 where it is not given, undefined for anything else. */
export function readWeight(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return 0
  const weight = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(weight) ? Number(weight) : undefined
}
