import { ApiError, DeployError, FetchError, ProblemsError, RenderError } from '../../src/model/errors.ts'
import { NestingError, parseJson } from '../../src/model/json.ts'
import type { JsonValue } from '../../src/model/object.ts'

/** Gives what the text holds, where it is JSON. */
export function withJson(text: string, read: (value: JsonValue) => void | Promise<void>): void | Promise<void> {
  let value: JsonValue
  try {
    value = parseJson(text)
  } catch {
    return // Not JSON: the adapters say so.
  }
  return read(value)
}

type ErrorKind = new (...values: never[]) => Error
const REFUSALS: readonly ErrorKind[] = [ProblemsError, DeployError, ApiError, RenderError, FetchError, NestingError]
/** Mistakes of the program, whatever a reader may throw. */
const MISTAKES: readonly ErrorKind[] = [TypeError, RangeError, ReferenceError]

export function refusing(read: () => unknown, ...more: readonly ErrorKind[]): void {
  try {
    read()
  } catch (error) {
    requireRefusal(error, more)
  }
}

export async function refusingLater(read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    requireRefusal(error, [])
  }
}

function requireRefusal(error: unknown, more: readonly ErrorKind[]): void {
  const isRefusal = [...REFUSALS, ...more].some((kind) => error instanceof kind)
  if (!isRefusal || MISTAKES.some((kind) => error instanceof kind)) throw error
}
