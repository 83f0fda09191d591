/** How far a number of builds is. Units are seconds of usual work on two quiet cores. */
export interface Meter {
  /** Something that takes time and is not counted, because nobody knows beforehand how much there is of it. */
  note(what: string): void
  /** Adds to all that is to be done. */
  expect(units: number): void
  /** All is known that is to be done, and the work starts. */
  begin(nowMs: number): void
  done(units: number, what: string): void
  reading(nowMs: number): Reading
}

export interface Reading {
  /** 0 to 99: it is 100 only when the work has ended, and then nobody asks. */
  readonly percent: number
  readonly elapsedSeconds: number
  /** In all, by what is usual at first, then by the speed so far. */
  readonly totalSeconds: number
  /** What was done last. */
  readonly what: string
}

/** Below this share of the work the speed so far says nothing yet. */
const TELLING_SHARE = 0.1

/** `usualSeconds`: of everything, from nothing. */
export function createMeter(startedAtMs: number, usualSeconds: number): Meter {
  let expected = 0
  let finished = 0
  let begunAtMs: number | undefined
  let last = ''
  return {
    note: (what) => {
      last = what
    },
    expect: (units) => {
      expected += units
    },
    begin: (nowMs) => {
      begunAtMs = nowMs
    },
    done: (units, what) => {
      finished = Math.min(finished + units, expected)
      last = what
    },
    reading: (nowMs) => {
      const elapsedSeconds = (nowMs - startedAtMs) / 1000
      if (begunAtMs === undefined || expected === 0) {
        return { percent: 0, elapsedSeconds, totalSeconds: Math.max(usualSeconds, elapsedSeconds), what: last }
      }
      const share = finished / expected
      const beforeSeconds = (begunAtMs - startedAtMs) / 1000
      const workSeconds = share < TELLING_SHARE ? expected : (elapsedSeconds - beforeSeconds) / share
      const totalSeconds = Math.max(beforeSeconds + workSeconds, elapsedSeconds)
      return { percent: Math.min(Math.floor(share * 100), 99), elapsedSeconds, totalSeconds, what: last }
    },
  }
}

/** `42 %, 1 min 40 s of about 4 min (k8s.io/apiserver/pkg/server)` */
export function readingText({ percent, elapsedSeconds, totalSeconds, what }: Reading): string {
  const last = what === '' ? '' : ` (${what})`
  return `${percent} %, ${duration(elapsedSeconds)} of about ${duration(totalSeconds)}${last}`
}

/** `50 s`, `4 min`, `1 min 40 s` */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
