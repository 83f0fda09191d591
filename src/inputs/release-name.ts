import type { Hint } from '../model/hint.ts'

/** Source of the name's form and length: docs/sources.md#helm-install. */
const RELEASE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const RELEASE_NAME_MAX_CHARS = 53
const NAMESPACE_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const NAMESPACE_NAME_MAX_CHARS = 63

export const RELEASE_NAME_HINT: Hint = { kind: 'write-release-name', maxChars: RELEASE_NAME_MAX_CHARS }
export const NAMESPACE_NAME_HINT: Hint = { kind: 'write-namespace-name', maxChars: NAMESPACE_NAME_MAX_CHARS }

export function isReleaseName(name: string): boolean {
  return RELEASE_NAME.test(name) && name.length <= RELEASE_NAME_MAX_CHARS
}

export function isNamespaceName(name: string): boolean {
  return NAMESPACE_NAME.test(name)
}
