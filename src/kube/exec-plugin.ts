import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { startDeadline } from '../concurrency/deadline.ts'
import { defined } from '../model/defined.ts'
import { ApiError } from '../model/errors.ts'
import { type JsonValue, stringAt } from '../model/object.ts'
import type { Clock } from '../ports.ts'
import type { ExecPlugin } from './connection.ts'

const RUN_TIMEOUT_MS = 60_000
const OUTPUT_LIMIT_CHARS = 1_000_000
const ERROR_OUTPUT_LIMIT_CHARS = 400

/** What a plugin gave. `expiresAtMs`: ms since the epoch. */
export interface ExecCredential {
  readonly token?: string
  readonly certificate?: string
  readonly key?: string
  readonly expiresAtMs?: number
}

/** Runs a credential plugin once, without a shell. Throws ApiError `Unauthorized` that says what to do. */
export async function runExecPlugin(plugin: ExecPlugin, clock: Clock): Promise<ExecCredential> {
  const { code, out, errorOutput } = await runProcess(plugin, clock)
  if (code !== 0) throw pluginError(plugin, `ended with ${code}${errorOutput === '' ? '' : `: ${errorOutput}`}`)
  let answer: JsonValue
  try {
    answer = JSON.parse(out)
  } catch {
    // The output may hold a token: it is not quoted.
    throw pluginError(plugin, 'did not answer with JSON')
  }
  const token = stringAt(answer, 'status', 'token')
  const certificate = stringAt(answer, 'status', 'clientCertificateData')
  const key = stringAt(answer, 'status', 'clientKeyData')
  const expiresAtMs = Date.parse(stringAt(answer, 'status', 'expirationTimestamp') ?? '')
  if (token === undefined && (certificate === undefined || key === undefined)) {
    throw pluginError(plugin, 'gave neither a token nor a client certificate')
  }
  return {
    ...defined({ token }),
    ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
    ...(Number.isNaN(expiresAtMs) ? {} : { expiresAtMs }),
  }
}

interface RunResult {
  /** Exit code, or the signal that ended the process. */
  readonly code: number | string
  readonly out: string
  readonly errorOutput: string
}

async function runProcess(plugin: ExecPlugin, clock: Clock): Promise<RunResult> {
  const child = spawn(plugin.command, plugin.args, {
    env: plugin.env,
    shell: false,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const deadline = startDeadline(clock, RUN_TIMEOUT_MS)
  deadline.signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
  let out = ''
  let errorOutput = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (out.length < OUTPUT_LIMIT_CHARS) out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errorOutput = (errorOutput + chunk).slice(-ERROR_OUTPUT_LIMIT_CHARS)
  })
  try {
    return await new Promise<RunResult>((resolve, reject) => {
      child.on('error', (error) => reject(startError(plugin, error)))
      child.on('close', (code, signal) =>
        resolve({ code: code ?? signal ?? 'no exit code', out, errorOutput: errorOutput.trim() }),
      )
    })
  } finally {
    await deadline.close()
  }
}

function startError(plugin: ExecPlugin, error: Error): ApiError {
  const isAbsent = 'code' in error && error.code === 'ENOENT'
  const advice = plugin.installHint?.trim() ?? 'install it in an earlier step of the job'
  return pluginError(plugin, isAbsent ? `is not on PATH; ${advice}` : `cannot be started: ${error.message}`, error)
}

function pluginError(plugin: ExecPlugin, what: string, cause?: Error): ApiError {
  return new ApiError(
    {
      doing: 'get credentials for the cluster',
      status: 401,
      reason: 'Unauthorized',
      message: `the credential plugin \`${basename(plugin.command)}\` ${what}`,
      causes: [],
    },
    cause === undefined ? undefined : { cause },
  )
}
