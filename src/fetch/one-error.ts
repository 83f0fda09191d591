import { FetchError } from '../model/errors.ts'

/** The first of several errors, which holds the others. */
export function oneError(errors: readonly FetchError[]): FetchError | undefined {
  const [first, ...others] = errors
  return first === undefined || others.length === 0
    ? first
    : new FetchError({ ...first.details, others }, { cause: first })
}
