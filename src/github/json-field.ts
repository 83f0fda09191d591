/** The value at a path of foreign JSON; undefined where a step is missing. Inherited members do not count. */
export function jsonField(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}

export function jsonText(value: unknown, ...path: readonly string[]): string | undefined {
  const found = jsonField(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** A number as GitHub counts pull requests, comments and runs: whole and above zero. */
export function jsonCount(value: unknown, ...path: readonly string[]): number | undefined {
  const found = jsonField(value, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : undefined
}

export function jsonList(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = jsonField(value, ...path)
  return Array.isArray(found) ? found : []
}
