import type { JsonValue } from '../model/object.ts'

const FACTORS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 1024],
  ['Mi', 1024 ** 2],
  ['Gi', 1024 ** 3],
  ['Ti', 1024 ** 4],
  ['Pi', 1024 ** 5],
  ['Ei', 1024 ** 6],
])
/** Divisors, because dividing makes `300m` exactly the same number as `0.3`. */
const DIVISORS: ReadonlyMap<string, number> = new Map([
  ['m', 1e3],
  ['u', 1e6],
  ['n', 1e9],
])

/** A Kubernetes quantity as a number: `1Gi`, `1024Mi`, `500m`, `1e3`; undefined for any other text. */
export function quantityOf(text: string | undefined): number | undefined {
  const [, digits, exponent, unit = ''] =
    /^([+-]?\d{1,18}(?:\.\d{0,9})?)(?:([eE][+-]?\d{1,2})|([numkMGTPE]|[KMGTPE]i))?$/.exec(text ?? '') ?? []
  if (digits === undefined) return undefined
  if (exponent !== undefined) return Number(`${digits}${exponent}`)
  const divisor = DIVISORS.get(unit)
  const factor = FACTORS.get(unit)
  if (divisor !== undefined) return Number(digits) / divisor
  return factor === undefined ? undefined : Number(digits) * factor
}

/** Whether both are the same quantity; false where a number of this machine is not exact enough to tell. */
export function equalQuantities(a: JsonValue, b: JsonValue): boolean {
  const [one, other] = [a, b].map((value) => (isScalar(value) ? quantityOf(String(value)) : undefined))
  return one !== undefined && one === other && Math.abs(one) <= Number.MAX_SAFE_INTEGER
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}
