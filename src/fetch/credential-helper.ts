import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { startDeadline } from '../concurrency/deadline.ts'
import { parseJson } from '../model/json.ts'
import { type JsonValue, stringAt } from '../model/object.ts'
import type { Environment } from '../network/proxy.ts'
import type { Clock } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { RegistryLogin } from './registry-login.ts'

const RUN_TIMEOUT_MS = 10_000
const OUTPUT_LIMIT_CHARS = 100_000
/** What Docker asks a helper for Docker Hub by. */
const DOCKER_HUB_SERVER = 'https://index.docker.io/v1/'

export interface HelperQuestion {
  /** Suffix of the program: `ecr-login` of `docker-credential-ecr-login`. */
  readonly helper: string
  /** By `registryName`. */
  readonly host: string
  /** The file that names the helper. */
  readonly file: string
}

export interface HelperTerms {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly clock: Clock
  readonly onSecret: (value: string) => void
}

/**
 * Asks a credential helper of Docker, without a shell; undefined where it knows no login. Throws FetchError, which quotes
 * nothing of what the helper says: any of it may be a secret. Source: docs/sources.md#files-with-logins.
 */
export async function askCredentialHelper(
  { helper, host, file }: HelperQuestion,
  { env, platform, clock, onSecret }: HelperTerms,
): Promise<RegistryLogin | undefined> {
  if (!/^[a-z0-9-]{1,60}$/.test(helper)) {
    throw fetchFailure(`${file} names a credential helper for ${host} that is no name of one`, CORRECT_FILE)
  }
  const program = `docker-credential-${helper}`
  const failed = (what: string, cause?: unknown) =>
    fetchFailure(`${program}, which ${file} names for ${host}, ${what}`, { kind: 'mend-credential-helper' }, cause)
  const path = await findProgram(program, env, platform)
  if (path === undefined) throw failed('is not on PATH')

  const server = host === 'docker.io' ? DOCKER_HUB_SERVER : host
  const { code, output } = await run({ path, env: helperEnvironment(env), server, clock }).catch((error: unknown) => {
    throw failed('cannot be started', error)
  })
  if (code === TIMEOUT) throw failed(`gives no answer within ${RUN_TIMEOUT_MS / 1000} s`)
  if (code !== 0 && /credentials not found/i.test(output)) return undefined
  if (code !== 0) throw failed(`ends with ${code}`)
  let answer: JsonValue
  try {
    answer = parseJson(output)
  } catch {
    throw failed('answers with something that is not JSON')
  }
  const username = stringAt(answer, 'Username') ?? ''
  const secret = stringAt(answer, 'Secret') ?? ''
  if (secret === '') return undefined
  onSecret(secret)
  return username === '<token>' ? { kind: 'identity', token: secret } : { kind: 'basic', username, password: secret }
}

const CORRECT_FILE = { kind: 'correct-login-file' } as const

/** Only folders with a full path: a program of the workspace must not be taken for one of the machine. */
async function findProgram(program: string, env: Environment, platform: NodeJS.Platform): Promise<string | undefined> {
  const path = platform === 'win32' ? win32 : posix
  const name = platform === 'win32' ? `${program}.exe` : program
  // Names of variables have no case on Windows.
  const key =
    Object.keys(env).find((known) => (platform === 'win32' ? known.toUpperCase() : known) === 'PATH') ?? 'PATH'
  for (const folder of (env[key] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue
    const found = path.join(folder, name)
    if (
      await stat(found).then(
        (file) => file.isFile(),
        () => false,
      )
    )
      return found
  }
  return undefined
}

/** The job's, but for the inputs of this action. */
function helperEnvironment(env: Environment): Readonly<Record<string, string>> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.toUpperCase().startsWith('INPUT_') ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}

const TIMEOUT = 'timeout'

interface HelperRun {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  readonly server: string
  readonly clock: Clock
}

async function run({
  path,
  env,
  server,
  clock,
}: HelperRun): Promise<{ readonly code: number | string; readonly output: string }> {
  const child = spawn(path, ['get'], { env, shell: false, windowsHide: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const deadline = startDeadline(clock, RUN_TIMEOUT_MS)
  deadline.signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.length < OUTPUT_LIMIT_CHARS) output += chunk
  })
  // One that ends without reading is judged by how it ends.
  child.stdin.on('error', () => undefined).end(server)
  try {
    const ended = await new Promise<number | string>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve(code ?? signal ?? 'no exit code'))
    })
    return { code: deadline.signal.aborted ? TIMEOUT : ended, output }
  } finally {
    await deadline.close()
  }
}
