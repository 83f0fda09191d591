import { isAbsolute, resolve } from 'node:path'
import type { Cluster, Context, User } from '@kubernetes/client-node'
import { newClusters, newContexts, newUsers } from '@kubernetes/client-node/dist/config_types.js'
import { load, YAMLException } from 'js-yaml'
import { defined } from '../model/defined.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import { kubeconfigProblem } from './kubeconfig-problem.ts'
import type { KubeconfigText } from './kubeconfig-text.ts'
import { staysInside } from './workspace-rule.ts'

/** Entries of one kubeconfig or of several merged ones. `User` of the library lacks what is added here. */
export interface KubeconfigDocument {
  readonly currentContext?: string
  readonly contexts: readonly Context[]
  readonly clusters: readonly Cluster[]
  readonly users: readonly KubeconfigUser[]
}

export interface KubeconfigUser extends User {
  readonly tokenFile?: string
  readonly impersonateGroups: readonly string[]
  /** Where relative paths of the entry start; absent for inline kubeconfigs. */
  readonly directory?: string
  /** Of a kubeconfig that lies in the workspace and may start nothing. */
  readonly isForeign?: boolean
}

/**
 * Reads one kubeconfig. Of the library only the reader of the entries is imported: its `KubeConfig` would add the whole
 * client to the bundle (docs/decisions/0032). The reader looks for `token-file` where kubectl writes `tokenFile`, so that
 * key is read here.
 */
export function parseKubeconfig(source: KubeconfigText): KubeconfigDocument {
  const root = parseYaml(source.text)
  const entries = (key: string) => arrayAt(root, key)
  try {
    const currentContext = stringAt(root, 'current-context')
    const clusters = newClusters(entries('clusters')).map((cluster) => {
      const file = absolute(cluster.caFile, 'certificate-authority', source)
      return file === undefined ? cluster : { ...cluster, caFile: file }
    })
    const users = newUsers(entries('users')).map((user, index) =>
      withAbsolutePaths(user, entries('users')[index], source),
    )
    const contexts = newContexts(entries('contexts'))
    return currentContext ? { currentContext, clusters, users, contexts } : { clusters, users, contexts }
  } catch (error) {
    // The library's messages name an index and a key: `clusters[0].cluster.server is missing`.
    const missing = error instanceof Error ? /^\w+\[\d+\][\w.]* is missing$/.exec(error.message) : null
    if (missing !== null) throw kubeconfigProblem(missing[0])
    if (error instanceof TypeError)
      throw kubeconfigProblem('an entry of `clusters`, `users` or `contexts` is malformed')
    throw error
  }
}

/** As kubectl merges the files of KUBECONFIG: the first to define a name, or the current context, wins. */
export function mergeKubeconfigs(documents: readonly KubeconfigDocument[]): KubeconfigDocument {
  const currentContext = documents.find((document) => document.currentContext !== undefined)?.currentContext
  const merged = {
    clusters: firstOfEachName(documents.flatMap((document) => document.clusters)),
    users: firstOfEachName(documents.flatMap((document) => document.users)),
    contexts: firstOfEachName(documents.flatMap((document) => document.contexts)),
  }
  return currentContext === undefined ? merged : { ...merged, currentContext }
}

function parseYaml(text: string): JsonObject {
  let parsed: unknown
  try {
    parsed = load(text)
  } catch (error) {
    const line = error instanceof YAMLException && error.mark !== undefined ? error.mark.line + 1 : undefined
    throw kubeconfigProblem('the kubeconfig is not valid YAML', line === undefined ? {} : { line })
  }
  const root = parsed as JsonValue | undefined
  if (!isJsonObject(root)) throw kubeconfigProblem('the kubeconfig is not a mapping with `clusters` and `contexts`')
  return root
}

function withAbsolutePaths(user: User, entry: JsonValue | undefined, source: KubeconfigText): KubeconfigUser {
  const certFile = absolute(user.certFile, 'client-certificate', source)
  const keyFile = absolute(user.keyFile, 'client-key', source)
  const tokenFile = absolute(stringAt(entry, 'user', 'tokenFile'), 'tokenFile', source)
  return {
    ...user,
    ...defined({ certFile, keyFile, tokenFile, directory: source.directory, isForeign: source.isForeign }),
    impersonateGroups: arrayAt(at(entry, 'user'), 'as-groups').filter((group) => typeof group === 'string'),
  }
}

function absolute(path: unknown, key: string, source: KubeconfigText): string | undefined {
  if (path === undefined || path === null || path === '') return undefined
  if (typeof path !== 'string') throw kubeconfigProblem(`\`${key}\` is not text`)
  const { directory, isForeign } = source
  const file = isAbsolute(path) ? path : directory === undefined ? undefined : resolve(directory, path)
  if (file !== undefined && directory !== undefined && isForeign === true && !staysInside(file, directory)) {
    throw kubeconfigProblem(`it lies in the workspace, and \`${key}\` names a file outside of its folder`, {
      hint: { kind: 'allow-workspace-kubeconfig' },
    })
  }
  if (file !== undefined) return file
  throw kubeconfigProblem(`\`${key}\` is a relative path, but the kubeconfig was given as content`, {
    hint: { kind: 'embed-files' },
  })
}

function firstOfEachName<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  const byName = new Map<string, T>()
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry)
  return [...byName.values()]
}
