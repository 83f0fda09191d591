import { basename } from 'node:path'
import { isPath } from './path-forms.ts'
import { isInside, programOnPath } from './workspace-rule.ts'

/**
 * Credential plugins of clouds and of identity providers, by the names under which they are installed. A kubeconfig names
 * the program that is started with the rights of the job, so that any other one has to be named by the workflow.
 */
export const KNOWN_PLUGINS: readonly string[] = [
  'aws',
  'aws-iam-authenticator',
  'doctl',
  'gke-gcloud-auth-plugin',
  'ibmcloud',
  'kubectl-oidc_login',
  'kubelogin',
  'oci',
  'pinniped',
  'rancher',
  'tanzu',
  'tbot',
  'tsh',
  'yc',
]

/** What is wrong with starting this plugin, as the end of a sentence; undefined where it may be started. */
export function pluginFault(
  plugin: { readonly command: string; readonly args: readonly string[]; readonly path: string | undefined },
  allowed: { readonly plugins: readonly string[]; readonly workspace: string; readonly fromWorkspace: boolean },
): 'unknown' | 'in-workspace' | undefined {
  const { command, args, path } = plugin
  const isKnown =
    KNOWN_PLUGINS.includes(basename(command)) ||
    allowed.plugins.includes(command) ||
    allowed.plugins.includes(basename(command)) ||
    // The kubeconfig that kubelogin writes goes through kubectl.
    (basename(command) === 'kubectl' && args[0] === 'oidc-login')
  if (!isKnown) return 'unknown'
  const program = isPath(command) ? command : programOnPath(command, path)
  const liesInside = program !== undefined && isInside(program, allowed.workspace)
  return liesInside && !allowed.fromWorkspace ? 'in-workspace' : undefined
}
