/** A moment as Go's RFC3339Nano writes it in UTC: no trailing zeros in the fraction. Source: Helm's records. */
export function goTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z')
}

/** A moment as Kubernetes' MicroTime wants it: always six digits of fraction. `micros`: 0 to 999, beside the ms. */
export function microTime(ms: number, micros = 0): string {
  return new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`)
}
