/** Position in a followed log, so that it continues after a break without losing or repeating a line. */
export interface LogPosition {
  /** Time of the last line seen, as the server wrote it. */
  readonly time?: string
  /** How many lines of exactly that time were seen. */
  readonly linesAtTime: number
}

export const LOG_START: LogPosition = { linesAtTime: 0 }

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s

/** Splits `2026-01-01T00:00:00.5Z text`; a line without a time is all text. */
export function splitStamp(line: string): { readonly time?: string; readonly text: string } {
  const match = STAMPED.exec(line)
  const [, time, text] = match ?? []
  return time === undefined || text === undefined ? { text: line } : { time, text }
}

export function advance(position: LogPosition, time: string | undefined): LogPosition {
  if (time === undefined) return position
  return { time, linesAtTime: time === position.time ? position.linesAtTime + 1 : 1 }
}

/**
 * Drops what was seen before the break: `sinceTime` counts in whole seconds, so the server sends some lines again.
 * Call with each line in order; true where it is new.
 */
export function skipSeen(seen: LogPosition): (time: string | undefined) => boolean {
  let left = seen.linesAtTime
  return (time) => {
    if (seen.time === undefined || time === undefined) return true
    const order = compareTimes(time, seen.time)
    if (order !== 0) return order > 0
    left -= 1
    return left < 0
  }
}

/** The fraction has as many digits as it needs, so the texts as such do not compare. */
function compareTimes(a: string, b: string): number {
  const difference = Math.floor(Date.parse(a) / 1000) - Math.floor(Date.parse(b) / 1000)
  return difference !== 0 ? difference : nanoseconds(a) - nanoseconds(b)
}

/** Nanoseconds within the second. */
function nanoseconds(time: string): number {
  const digits = /\.(\d+)/.exec(time)?.[1] ?? ''
  return Number(digits.slice(0, 9).padEnd(9, '0'))
}
