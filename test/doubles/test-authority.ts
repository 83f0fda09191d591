import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MadeCertificate, makeAuthority } from './certificates.ts'

/** An authority that nobody but a test knows, and one certificate of it for all servers of that test. */
export interface TestAuthority extends MadeCertificate {
  /** With `certificate.pem` and `key.pem`. */
  readonly folder: string
  readonly authorityFile: string
  readonly authority: string
  close(): Promise<void>
}

/** As files, for programs: for these names, `localhost` and the loopback address. */
export async function createTestAuthority(hosts: readonly string[] = []): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'))
  const { ca, issue } = makeAuthority()
  const { cert, key } = issue(['localhost', '127.0.0.1', ...hosts])
  const files = { 'ca.pem': ca, 'certificate.pem': cert, 'key.pem': key }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o600 })))
  return {
    folder,
    authorityFile: join(folder, 'ca.pem'),
    authority: ca,
    cert,
    key,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
