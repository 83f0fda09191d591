import { readFile } from 'node:fs/promises'
import type { Cluster } from '@kubernetes/client-node'
import { defined } from '../model/defined.ts'
import { proxyFromEnvironment } from '../network/proxy.ts'
import type { Authentication, ClientCertificate, Connection, ExecPlugin } from './connection.ts'
import { execPlugin } from './exec-settings.ts'
import { inClusterConnection, type ServiceAccountPlace } from './in-cluster.ts'
import {
  type KubeconfigDocument,
  type KubeconfigUser,
  mergeKubeconfigs,
  parseKubeconfig,
} from './kubeconfig-document.ts'
import { kubeconfigProblem } from './kubeconfig-problem.ts'
import { type KubeconfigInput, kubeconfigTexts } from './kubeconfig-text.ts'
import { KNOWN_PLUGINS, pluginFault } from './plugin-rule.ts'
import { secretsOf } from './secret-values.ts'

export type { KubeconfigInput } from './kubeconfig-text.ts'

/** How to reach the cluster. Throws ProblemsError, also where there is no kubeconfig. The error quotes nothing of it. */
export async function loadConnection(input: KubeconfigInput, place?: ServiceAccountPlace): Promise<Connection> {
  const found = await findConnection(input, place)
  if (found !== undefined) return found
  throw kubeconfigProblem(
    'there is no kubeconfig: the input is empty, and neither KUBECONFIG nor ~/.kube/config exists',
    {
      hint: { kind: 'give-kubeconfig', orPlanWithout: false },
    },
  )
}

/**
 * How to reach the cluster: from the input, else KUBECONFIG, else `~/.kube/config`, else the pod's service account;
 * undefined where there is none of them. Throws ProblemsError.
 */
export async function findConnection(
  input: KubeconfigInput,
  place?: ServiceAccountPlace,
): Promise<Connection | undefined> {
  const texts = await kubeconfigTexts(input)
  if (texts.length > 0) return connectionOf(mergeKubeconfigs(texts.map(parseKubeconfig)), input)
  return inClusterConnection(input.env, place)
}

async function connectionOf(document: KubeconfigDocument, input: KubeconfigInput): Promise<Connection> {
  const { cluster, user, namespace } = selectContext(document, input.context?.trim() ?? '')
  const url = parseServer(cluster.server)
  const authority = await pem(cluster.caData, cluster.caFile, 'certificate-authority')
  const certificate = user === undefined ? undefined : await clientCertificate(user)
  const authentication = user === undefined ? ({ kind: 'none' } as const) : authenticationOf(user, cluster, input)
  const proxy = optionalText(cluster.proxyUrl, 'proxy-url') ?? proxyFromEnvironment(url, input.env)
  const serverName = optionalText(cluster.tlsServerName, 'tls-server-name')
  const connection = {
    server: url.href.replace(/\/$/, ''),
    defaultNamespace: namespace ?? 'default',
    tls: {
      isUnverified: cluster.skipTLSVerify,
      // As kubectl: an authority beside insecure-skip-tls-verify is ignored.
      ...(authority === undefined || cluster.skipTLSVerify ? {} : { authority }),
      ...defined({ certificate, serverName }),
    },
    ...(proxy === undefined ? {} : { proxy: checkedProxy(proxy) }),
    authentication,
    headers: impersonationHeaders(user),
    warnings: connectionWarnings(url, cluster, authentication),
  }
  return { ...connection, secrets: secretsOf(connection) }
}

function selectContext(document: KubeconfigDocument, wanted: string) {
  const name = wanted === '' ? document.currentContext : wanted
  if (name === undefined) {
    throw kubeconfigProblem('the kubeconfig has no current context', { hint: { kind: 'set-context' } })
  }
  const context = document.contexts.find((candidate) => candidate.name === name)
  if (context === undefined) {
    const what = wanted === '' ? 'the current context is not defined' : 'the kubeconfig has no context of this name'
    throw kubeconfigProblem(what, wanted === '' ? { hint: { kind: 'set-context' } } : { input: 'context' })
  }
  const cluster = document.clusters.find((candidate) => candidate.name === context.cluster)
  if (cluster === undefined) throw kubeconfigProblem('the cluster of the context is not defined')
  const user = document.users.find((candidate) => candidate.name === context.user)
  if (context.user !== undefined && user === undefined)
    throw kubeconfigProblem('the user of the context is not defined')
  return { cluster, user, namespace: optionalText(context.namespace, 'namespace') }
}

function parseServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw kubeconfigProblem('`server` is not an http or https URL')
  }
  if (url.username !== '' || url.password !== '') throw kubeconfigProblem('`server` contains credentials')
  return url
}

function authenticationOf(user: KubeconfigUser, cluster: Cluster, input: KubeconfigInput): Authentication {
  if (user.authProvider !== undefined && user.authProvider !== null) {
    throw kubeconfigProblem('the user of the context has an `auth-provider`, which Kubernetes no longer supports', {
      hint: { kind: 'use-exec-or-token' },
    })
  }
  if (user.tokenFile !== undefined) return { kind: 'token-file', path: user.tokenFile }
  const token = optionalText(user.token, 'token')
  if (token !== undefined) return { kind: 'token', token }
  const username = optionalText(user.username, 'username')
  if (username !== undefined) {
    return { kind: 'basic', username, password: optionalText(user.password, 'password') ?? '' }
  }
  if (user.exec === undefined || user.exec === null) return { kind: 'none' }
  if (user.isForeign === true) {
    throw kubeconfigProblem('it lies in the workspace, and the user of the context starts a program (`exec`)', {
      hint: { kind: 'allow-workspace-kubeconfig' },
    })
  }
  const plugin = execPlugin(user.exec, {
    cluster,
    directory: user.directory,
    env: input.env,
    variables: input.pluginVariables ?? [],
  })
  requirePlugin(plugin, input)
  return { kind: 'exec', plugin }
}

function requirePlugin({ command, args }: ExecPlugin, input: KubeconfigInput): void {
  const { plugins = [], directory, allowWorkspace = false, env } = input
  const fault = pluginFault(
    { command, args, path: env.PATH },
    { plugins, workspace: directory, fromWorkspace: allowWorkspace },
  )
  if (fault === 'unknown') {
    throw kubeconfigProblem('the program of `exec` is no known credential plugin', {
      hint: { kind: 'name-credential-plugin', known: KNOWN_PLUGINS },
    })
  }
  if (fault === 'in-workspace') {
    throw kubeconfigProblem('the program of `exec` lies in the workspace', {
      hint: { kind: 'allow-workspace-kubeconfig' },
    })
  }
}

async function clientCertificate(user: KubeconfigUser): Promise<ClientCertificate | undefined> {
  const certificate = await pem(user.certData, user.certFile, 'client-certificate')
  const key = await pem(user.keyData, user.keyFile, 'client-key')
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw kubeconfigProblem('`client-key` is set without `client-certificate`')
  if (key === undefined) throw kubeconfigProblem('`client-certificate` is set without `client-key`')
  return { certificate, key }
}

/** As kubectl: the data wins where both are given. */
async function pem(data: unknown, file: string | undefined, key: string): Promise<string | undefined> {
  const inline = optionalText(data, `${key}-data`)
  if (inline === undefined && file === undefined) return undefined
  const text = inline === undefined ? await readPem(file ?? '', key) : Buffer.from(inline, 'base64').toString('utf8')
  if (!text.includes('-----BEGIN ')) {
    throw kubeconfigProblem(
      inline === undefined ? `the file of \`${key}\` holds no PEM` : `\`${key}-data\` is not base64 of PEM`,
    )
  }
  return text
}

async function readPem(file: string, key: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw kubeconfigProblem(`the file of \`${key}\` cannot be read`)
  }
}

function checkedProxy(proxy: string): string {
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : ''
  if (['http:', 'https:', 'socks5:'].includes(protocol)) return proxy
  throw kubeconfigProblem('the proxy is not an http, https or socks5 URL', {
    hint: { kind: 'correct-proxy' },
  })
}

function impersonationHeaders(user: KubeconfigUser | undefined): Connection['headers'] {
  const name = optionalText(user?.impersonateUser, 'as')
  if (name === undefined) return {}
  const groups = user?.impersonateGroups ?? []
  return { 'Impersonate-User': name, ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }) }
}

function connectionWarnings(url: URL, cluster: Cluster, authentication: Authentication): readonly string[] {
  const isPlain = url.protocol === 'http:'
  return [
    ...(cluster.skipTLSVerify && !isPlain
      ? ['the kubeconfig sets insecure-skip-tls-verify: the identity of the API server is not checked']
      : []),
    ...(isPlain && authentication.kind !== 'none' ? ['credentials are sent to the API server without encryption'] : []),
  ]
}

function optionalText(value: unknown, key: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw kubeconfigProblem(`\`${key}\` is not text`, { hint: { kind: 'quote-text' } })
  return value
}
