/** The code of an error or of what caused it: `ECONNREFUSED`. Empty where there is none. */
export function networkCode(error: unknown): string {
  for (let here: unknown = error, depth = 0; here instanceof Error && depth < 5; here = here.cause, depth += 1) {
    if ('code' in here && typeof here.code === 'string') return here.code
  }
  return ''
}
