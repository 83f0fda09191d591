import { isAbsolute, resolve } from 'node:path'
import type { Cluster } from '@kubernetes/client-node'
import { defined } from '../model/defined.ts'
import { arrayAt, at, type JsonValue, stringAt } from '../model/object.ts'
import type { Environment } from '../network/proxy.ts'
import type { ExecPlugin } from './connection.ts'
import { kubeconfigProblem } from './kubeconfig-problem.ts'
import { isPath } from './path-forms.ts'
import { pluginEnvironment } from './plugin-environment.ts'
import { programOnPath } from './workspace-rule.ts'

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/**
 * The plugin that a user's `exec` block names, as it is to be started. A kubeconfig is code: whoever wrote it chooses the
 * plugin. Source: docs/sources.md#kubernetes-credential-plugins.
 */
export function execPlugin(
  block: JsonValue,
  from: {
    readonly cluster: Cluster
    readonly directory: string | undefined
    readonly env: Environment
    /** Variables of the job that plugins see beside the usual ones. */
    readonly variables: readonly string[]
  },
): ExecPlugin {
  const command = stringAt(block, 'command')
  if (command === undefined || command === '') throw kubeconfigProblem('`exec` names no `command`')
  const apiVersion = stringAt(block, 'apiVersion') ?? ''
  if (!API_VERSIONS.includes(apiVersion)) {
    throw kubeconfigProblem('`exec` has an `apiVersion` that is not supported', {
      hint: { kind: 'supported-exec-versions', versions: API_VERSIONS },
    })
  }
  if (stringAt(block, 'interactiveMode') === 'Always') {
    throw kubeconfigProblem('`exec` needs a terminal (`interactiveMode: Always`), and a workflow has none')
  }
  const installHint = stringAt(block, 'installHint')
  const program = resolveCommand(command, from)
  // A program is looked up in the environment that it gets: what the job's PATH does not have, no other PATH gives.
  const isFound = program !== command || isAbsolute(command)
  return {
    command: program,
    args: arrayAt(block, 'args').map((arg) => String(arg)),
    env: {
      ...pluginEnvironment(from.env, from.variables),
      ...ownVariables(block),
      ...(isFound ? {} : defined({ PATH: from.env.PATH })),
      KUBERNETES_EXEC_INFO: execInfo(block, apiVersion, from.cluster),
    },
    apiVersion,
    ...defined({ installHint }),
  }
}

/** As kubectl: a bare name is looked up on the job's PATH, a path with a separator starts at the kubeconfig's directory. */
function resolveCommand(
  command: string,
  { directory, env }: { readonly directory: string | undefined; readonly env: Environment },
): string {
  if (!isPath(command)) return programOnPath(command, env.PATH) ?? command
  if (isAbsolute(command)) return command
  if (directory !== undefined) return resolve(directory, command)
  throw kubeconfigProblem('the `command` of `exec` is a relative path, but the kubeconfig was given as content')
}

function ownVariables(block: JsonValue): Readonly<Record<string, string>> {
  const entries = arrayAt(block, 'env').flatMap((entry) => {
    const name = stringAt(entry, 'name')
    return name === undefined ? [] : [[name, stringAt(entry, 'value') ?? ''] as const]
  })
  return Object.fromEntries(entries)
}

function execInfo(block: JsonValue, apiVersion: string, cluster: Cluster): string {
  const wantsCluster = at(block, 'provideClusterInfo') === true
  const info = {
    server: cluster.server,
    'insecure-skip-tls-verify': cluster.skipTLSVerify,
    'tls-server-name': cluster.tlsServerName,
    'certificate-authority-data': cluster.caData,
    'proxy-url': cluster.proxyUrl,
  }
  const spec = { interactive: false, ...(wantsCluster ? { cluster: info } : {}) }
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
}
