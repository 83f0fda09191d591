/** A JSON pointer as people write paths: `/spec/ports/0/port` is `spec.ports[0].port`. */
export function formatPath(pointer: string): string {
  if (pointer === '' || pointer === '/') return '(whole object)'
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.map(formatKey).join('').replace(/^\./, '')
}

function formatKey(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
