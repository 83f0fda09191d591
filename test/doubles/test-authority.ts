import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'

/** An authority that nobody but a test knows, and one certificate of it for all servers of that test. */
export interface TestAuthority {
  /** With `certificate.pem` and `key.pem`. */
  readonly folder: string
  readonly authorityFile: string
  readonly authority: string
  readonly cert: string
  readonly key: string
  close(): Promise<void>
}

/** For these names, `localhost` and the loopback address. */
export async function createTestAuthority(hosts: readonly string[] = []): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'))
  await promisify(execFile)(await ensureBinary('registry'), ['authority', folder, ...hosts])
  const pem = (name: string) => readFile(join(folder, `${name}.pem`), 'utf8')
  const [authority, cert, key] = await Promise.all([pem('ca'), pem('certificate'), pem('key')])
  return {
    folder,
    authorityFile: join(folder, 'ca.pem'),
    authority,
    cert,
    key,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
