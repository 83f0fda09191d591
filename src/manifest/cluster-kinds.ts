import { builtInKinds } from './built-in-kinds.ts'

/**
 * Kinds of Kubernetes itself that live outside of namespaces, as `group/Kind`. Used only where discovery is not at hand
 * (no cluster) or does not list the group; the built-in ones and the removed ones that charts still carry.
 */
export const clusterScopedKinds: ReadonlySet<string> = new Set([
  ...builtInKinds.filter(({ isNamespaced }) => !isNamespaced).map(({ group, kind }) => `${group}/${kind}`),
  'policy/PodSecurityPolicy',
  'extensions/PodSecurityPolicy',
])
