/**
 * An address as it may be printed: without a login in it, and without its query, which at stores of objects holds a
 * signature that gives access.
 */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
