/** A JSON pointer as people write paths: `/spec/ports/0/port` is `spec.ports[0].port`. */
export function formatPath(pointer: string): string {
  return joinKeys(keysOf(pointer))
}

/** The end of a path, for tables: `containers[0].image`. */
export function shortPath(pointer: string): string {
  const keys = keysOf(pointer)
  const names = keys.flatMap((key, index) => (isIndex(key) ? [] : [index]))
  return joinKeys(keys.slice(names.at(-2) ?? 0))
}

function keysOf(pointer: string): readonly string[] {
  if (pointer === '' || pointer === '/') return ['(whole object)']
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function joinKeys(keys: readonly string[]): string {
  if (keys[0] === '(whole object)') return keys[0]
  return keys.map(formatKey).join('').replace(/^\./, '')
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key)
}

function formatKey(key: string): string {
  if (isIndex(key)) return `[${key}]`
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
