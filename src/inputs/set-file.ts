/** An assignment of `key=path,key=path`; a comma after a backslash belongs to the path. */
const ASSIGNMENT = /(^|(?<!\\),)([^=,]+)=((?:\\.|[^,\\])+)/g

/** Keys and paths of one entry of `set-file`. */
export function filesOfEntry(entry: string): readonly { readonly key: string; readonly path: string }[] {
  return [...entry.matchAll(ASSIGNMENT)].map(([, , key = '', path = '']) => ({ key, path: unescapedPath(path) }))
}

/** The entry with each path replaced. */
export function withFilePaths(entry: string, located: (path: string) => string): string {
  return entry.replace(ASSIGNMENT, (_all, before: string, key: string, path: string) => {
    return `${before}${key}=${located(unescapedPath(path)).replace(/[\\,]/g, '\\$&')}`
  })
}

function unescapedPath(path: string): string {
  return path.replace(/\\(.)/g, '$1')
}
