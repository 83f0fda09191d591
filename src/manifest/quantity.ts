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

/** As the API server writes it: `1` for `1000m`, `1536Mi` for `1.5Gi`; undefined for what is no quantity, or has an exponent. */
export function canonicalQuantity(value: JsonValue): string | undefined {
  const text = isScalar(value) ? String(value) : ''
  const [, sign, whole, fraction = '', unit = ''] =
    /^([+-]?)(\d{1,18})(?:\.(\d{0,9}))?([numkMGTPE]|[KMGTPE]i)?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const binary = BINARY_UNITS.indexOf(unit)
  const factor = binary > 0 ? 1024n ** BigInt(binary) * 10n ** 9n : 10n ** BigInt(3 * DECIMAL_UNITS.indexOf(unit))
  const scaled = BigInt(whole + fraction) * factor
  const divisor = 10n ** BigInt(fraction.length)
  // Finer than one in 10⁹ is rounded up.
  const nano = (scaled + divisor - 1n) / divisor
  const isWhole = nano % 10n ** 9n === 0n && nano >= 1024n * 10n ** 9n
  const short =
    binary > 0 && isWhole ? shortest(nano / 10n ** 9n, 1024n, BINARY_UNITS) : shortest(nano, 1000n, DECIMAL_UNITS)
  return sign === '-' && nano > 0n ? `-${short}` : short
}

const BINARY_UNITS: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL_UNITS: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']

function shortest(value: bigint, step: bigint, [unit = '', ...larger]: readonly string[]): string {
  if (value === 0n) return '0'
  return value % step === 0n && larger.length > 0 ? shortest(value / step, step, larger) : `${value}${unit}`
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}
