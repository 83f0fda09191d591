import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type BinaryName, HELM_3_VERSION, HELM_4_VERSION, KUBERNETES_VERSION, KWOK_VERSION } from './recipes.ts'

export const COMPONENTS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const
export type ComponentName = (typeof COMPONENTS)[number]

/** What the machine has of its own: the folder of KUBEBUILDER_ASSETS, or a program of the PATH. */
export interface Provided {
  readonly path?: string
  /** Why something that is there is not used. */
  readonly notice?: string
}

interface Wanted {
  readonly files: readonly string[]
  readonly args: readonly string[]
  readonly version: string
}

const WANTED: { readonly [name in BinaryName]?: Wanted } = {
  kwok: { files: ['kwok'], args: ['--version'], version: KWOK_VERSION },
  helm4: { files: ['helm', 'helm4'], args: ['version', '--template', '{{.Version}}'], version: HELM_4_VERSION },
  helm3: { files: ['helm', 'helm3'], args: ['version', '--template', '{{.Version}}'], version: HELM_3_VERSION },
}

/** Looks for a program of the very version that would be built. */
export async function findProvided(name: BinaryName, env: NodeJS.ProcessEnv): Promise<Provided> {
  if (name === 'control-plane') return findControlPlane(env.KUBEBUILDER_ASSETS ?? '')
  const wanted = WANTED[name]
  if (wanted === undefined) return {}
  const notices: string[] = []
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    for (const file of wanted.files) {
      const path = join(folder, file)
      if (!(await exists(path))) continue
      const found = await versionOf(path, wanted.args)
      if (isVersion(found, wanted.version)) return { path }
      notices.push(`${path} is not used: it is ${found}, not ${wanted.version}`)
    }
  }
  return notices[0] === undefined ? {} : { notice: notices[0] }
}

/** A folder with all four servers, as in the archives of a Kubernetes release with etcd laid beside them. */
async function findControlPlane(folder: string): Promise<Provided> {
  if (folder === '') return {}
  const unused = (why: string): Provided => ({ notice: `KUBEBUILDER_ASSETS (${folder}) is not used: ${why}` })
  const there = await Promise.all(COMPONENTS.map((name) => exists(join(folder, name))))
  const absent = COMPONENTS.filter((_, index) => there[index] !== true)
  if (absent.length > 0) return unused(`it has no ${absent.join(', ')}`)
  for (const name of COMPONENTS.filter((component) => component !== 'etcd')) {
    const found = await versionOf(join(folder, name), ['--version'])
    if (!isVersion(found, KUBERNETES_VERSION)) return unused(`its ${name} is ${found}, not ${KUBERNETES_VERSION}`)
  }
  return { path: folder }
}

/** `Kubernetes v1.37.1` and `kwok version 0.8.0` are versions, too. */
function isVersion(found: string, wanted: string): boolean {
  return found.split(/\s+/).some((word) => word.replace(/^v/, '') === wanted.replace(/^v/, ''))
}

async function versionOf(path: string, args: readonly string[]): Promise<string> {
  return promisify(execFile)(path, [...args], { timeout: 20_000 }).then(
    ({ stdout }) => stdout.trim().split('\n')[0] ?? '',
    () => 'of unknown version',
  )
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
