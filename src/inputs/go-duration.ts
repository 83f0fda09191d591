const UNIT_SECONDS = { h: 3600, m: 60, s: 1 } as const

/** Seconds in `90s`, `10m`, `1h30m` or a bare number of seconds; undefined for anything else, zero included. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return positive(Number(text))
  if (!/^(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)([hms])/gy)]
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit as 'h' | 'm' | 's'], 0)
  return positive(seconds)
}

function positive(seconds: number): number | undefined {
  return seconds > 0 ? seconds : undefined
}

const GO_UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
}

/** Seconds of a duration as Go writes it (`5m0s`, `1.5h`, `500ms`), rounded up; undefined for anything else. */
export function goDurationSeconds(text: string): number | undefined {
  const parts = [...text.slice(0, MAX_DURATION_CHARS).matchAll(/(\d{1,9}(?:\.\d{0,9})?)(h|ms|m|s|us|µs|ns)/gy)]
  const length = parts.reduce((sum, [part]) => sum + part.length, 0)
  if (parts.length === 0 || length !== text.length) return undefined
  return Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (GO_UNIT_SECONDS[unit ?? ''] ?? 0), 0))
}

/** Longer than any duration that somebody writes. */
const MAX_DURATION_CHARS = 60
