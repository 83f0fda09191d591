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
