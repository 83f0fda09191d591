import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../model/errors.ts'
import type { PackedIdentity } from './chart-archive.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { FetchParts } from './fetch-parts.ts'

export interface Signed {
  readonly bytes: Uint8Array
  readonly identity: PackedIdentity
  readonly source: string
  /** Asked for only where it is checked. Undefined: the source has none. */
  readonly provenance: () => Promise<string | undefined>
}

/**
 * Names of the key that signed the archive; undefined where that is not checked, or with `if-present` where nothing is
 * signed. A signature that is wrong is refused by `if-present` too: it was put there, and for another archive.
 */
export async function verifiedSigner(signed: Signed, { rules, settings }: FetchParts): Promise<string | undefined> {
  if (settings.verify === 'never') return undefined
  const { identity, source } = signed
  const provenance = await signed.provenance()
  if (provenance === undefined) {
    if (settings.verify === 'if-present') return undefined
    throw fetchFailure(`${source} is not signed, and verify is always`, { kind: 'sign-chart' })
  }
  if (settings.keyring === undefined) {
    throw fetchFailure(`${source} is signed, and there is no keyring`, { kind: 'write-keyring' })
  }
  // A provenance names the archive by the file that `helm package` writes, whatever it is called where it lies.
  const folder = await mkdtemp(join(tmpdir(), 'chart-to-verify-'))
  const archivePath = join(folder, `${identity.name}-${identity.version}.tgz`)
  try {
    await writeFile(archivePath, signed.bytes)
    return (await rules.verify({ archivePath, provenance, keyringPath: settings.keyring })).signedBy
  } catch (error) {
    throw fetchFailure(
      `the signature of ${source} is not good: ${messageOf(error)}`,
      { kind: 'ask-chart-owner' },
      error,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
