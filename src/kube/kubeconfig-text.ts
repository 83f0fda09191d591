import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Environment } from '../network/proxy.ts'
import { kubeconfigProblem } from './kubeconfig-problem.ts'
import { isInside } from './workspace-rule.ts'

export interface KubeconfigInput {
  /** Input `kubeconfig`: a path, or the content as YAML or as base64 of it. Absent or blank: as kubectl finds it. */
  readonly kubeconfig?: string
  /** Input `context`. Absent or blank: the kubeconfig's current context. */
  readonly context?: string
  readonly env: Environment
  /** The user's home directory. */
  readonly home: string
  /** The workspace. */
  readonly directory: string
  /** What a relative path of the input starts from; absent: the workspace. */
  readonly start?: string
  /** Input `allow-workspace-kubeconfig`: a kubeconfig of the workspace may start programs and name files anywhere. */
  readonly allowWorkspace?: boolean
  /** Input `credential-plugins`: programs that may be started beside the known ones. */
  readonly plugins?: readonly string[]
  /** Input `credential-plugin-env`: variables of the job that a plugin sees beside the usual ones. */
  readonly pluginVariables?: readonly string[]
}

/** One kubeconfig. `directory` is what its relative paths start from; absent where it did not come from a file. */
export interface KubeconfigText {
  readonly text: string
  readonly directory?: string
  /** It lies in the workspace, and nobody allowed it more than data. */
  readonly isForeign?: boolean
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const SIZE_LIMIT_CHARS = 4_000_000

/**
 * The kubeconfigs to use, most important first; empty where there is none. Without the input, kubectl's order:
 * each file that `KUBECONFIG` lists and that exists, else `~/.kube/config`.
 */
export async function kubeconfigTexts(input: KubeconfigInput): Promise<readonly KubeconfigText[]> {
  const given = input.kubeconfig?.trim() ?? ''
  if (given !== '') return [await fromInput(given, input)]

  const listed = (input.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '')
  const paths = listed.length > 0 ? listed : [join(input.home, '.kube', 'config')]
  const texts = await Promise.all(paths.map((path) => fromFile(resolve(input.directory, path), input)))
  const found = texts.filter((text) => text !== undefined)
  if (listed.length > 0 && found.length === 0) {
    throw kubeconfigProblem('none of the files that KUBECONFIG lists can be read', {
      hint: { kind: 'correct-kubeconfig-variable' },
    })
  }
  return found
}

async function fromInput(given: string, input: KubeconfigInput): Promise<KubeconfigText> {
  if (given.length > SIZE_LIMIT_CHARS) throw kubeconfigProblem('the kubeconfig is larger than 4 MB')
  const decoded = fromBase64(given)
  if (decoded !== undefined) return { text: decoded }
  if (isContent(given)) return { text: given }

  const path = given.startsWith('~/')
    ? join(input.home, given.slice(2))
    : resolve(input.start ?? input.directory, given)
  const text = await fromFile(path, input)
  if (text === undefined) {
    throw kubeconfigProblem('the input is neither a readable file, nor YAML, nor base64 of it', {
      hint: { kind: 'path-or-content' },
    })
  }
  return text
}

function isContent(given: string): boolean {
  return given.includes('\n') || given.startsWith('{') || /^[A-Za-z-]+:(\s|$)/.test(given)
}

/** base64 is often wrapped into lines. A path such as `config` is valid base64 as well, so the decoded text is checked. */
function fromBase64(given: string): string | undefined {
  const packed = given.replaceAll(/\s+/g, '')
  if (!BASE64.test(packed)) return undefined
  const decoded = Buffer.from(packed, 'base64').toString('utf8')
  return /(^|[\s{,"'])clusters["']?\s*:/.test(decoded) ? decoded : undefined
}

async function fromFile(path: string, input: KubeconfigInput): Promise<KubeconfigText | undefined> {
  try {
    const isForeign = input.allowWorkspace !== true && isInside(path, input.directory)
    return { text: await readFile(path, 'utf8'), directory: dirname(path), isForeign }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw kubeconfigProblem(`a kubeconfig file cannot be read (${String(code)})`)
  }
}
