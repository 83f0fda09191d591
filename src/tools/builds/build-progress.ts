import { createMeter, duration, type Meter, readingText } from './meter.ts'

const LINE_EVERY_MS = 10_000
const REDRAW_EVERY_MS = 500

export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface BuildRun {
  /** What is built, as a list. */
  readonly what: string
  /** On two quiet cores, with empty caches. */
  readonly usualSeconds: number
  readonly output: Output
}

/**
 * Runs work with one progress line: what, how far in per cent, how long in all. On a terminal the line is rewritten in
 * place; elsewhere it is printed again every ten seconds.
 */
export async function withProgress<T>(
  { what, usualSeconds, output }: BuildRun,
  work: (meter: Meter) => Promise<T>,
): Promise<T> {
  const startedAtMs = Date.now()
  const meter = createMeter(startedAtMs, usualSeconds)
  const isTerminal = output.isTTY === true
  const show = () => {
    const line = `building: ${readingText(meter.reading(Date.now()))}`
    output.write(isTerminal ? `\r\x1b[2K${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`)
  }
  output.write(`building ${what} from source, once; later runs find them again\n`)
  const ticker = setInterval(show, isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)
  try {
    const result = await work(meter)
    if (isTerminal) output.write('\r\x1b[2K')
    output.write(`built ${what} in ${duration((Date.now() - startedAtMs) / 1000)}\n`)
    return result
  } finally {
    clearInterval(ticker)
  }
}
