import { readFile, stat } from 'node:fs/promises'
import { fetchFailure } from './fetch-failure.ts'

const MAX_BYTES = 1024 * 1024
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

/**
 * Text of a file with logins or authorities, outside of the workspace; undefined where there is none. Errors name the
 * file, and nothing of what is in it.
 */
export async function readMachineFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    // A pipe would be waited for without end.
    if (!found.isFile()) throw machineFileError(path, 'is not a file')
    if (found.size > MAX_BYTES) throw machineFileError(path, 'is larger than 1 MiB')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (ABSENT.has(error.code)) return undefined
    throw machineFileError(path, `cannot be read (${error.code})`, error)
  }
}

export function machineFileError(path: string, what: string, cause?: unknown): Error {
  return fetchFailure(`${path} ${what}`, { kind: 'correct-login-file' }, cause)
}
