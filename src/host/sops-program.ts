import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { SopsFault } from './sops-tree.ts'

const RUN_TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024
const MAX_MESSAGE_CHARS = 400

const run = promisify(execFile)

/** Absolute path of the `sops` on PATH. Relative folders of it do not count: they would lie in the workspace. */
export async function findSops(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute)
  const names = process.platform === 'win32' ? ['sops.exe'] : ['sops']
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    if (await isProgram(path)) return path
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** What `sops --decrypt` makes of the text, without a shell. Throws SopsFault with the end of what it complains about. */
export async function runSops(
  program: string,
  text: string,
  { env, temp }: { readonly env: NodeJS.ProcessEnv; readonly temp: string },
): Promise<string> {
  const folder = await mkdtemp(join(temp, 'sops-'))
  try {
    // Of its own: what was read is what is decrypted, be it of the base or of an address.
    const file = join(folder, 'values.yaml')
    await writeFile(file, text, { mode: 0o600 })
    const type = text.trimStart().startsWith('{') ? 'json' : 'yaml'
    const { stdout } = await run(program, ['--decrypt', '--input-type', type, '--output-type', type, file], {
      cwd: folder,
      env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('INPUT_'))),
      timeout: RUN_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
      shell: false,
    })
    return stdout
  } catch (error) {
    throw new SopsFault(`cannot be decrypted by sops: ${complaint(error)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Never its standard output, which holds values. */
function complaint(error: unknown): string {
  const { stderr, killed, code } = Object(error) as { stderr?: unknown; killed?: unknown; code?: unknown }
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'it gives more than 20 MiB'
  if (killed === true) return `it does not end within ${RUN_TIMEOUT_MS / 1000} s`
  const said = typeof stderr === 'string' ? stderr.replaceAll(/\s+/g, ' ').trim() : ''
  return said === '' ? `it ended with ${String(code)}` : said.slice(-MAX_MESSAGE_CHARS)
}
