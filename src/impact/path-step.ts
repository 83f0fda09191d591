/** The path with one more key, as people write it: `spec.replicas`, `data["app.json"]`. */
export function withKey(path: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${path}${path === '' ? '' : '.'}${key}` : `${path}[${JSON.stringify(key)}]`
}
