import { readFile } from 'node:fs/promises'
import type { Decrypter } from 'age-encryption'
import { messageOf } from '../model/errors.ts'
import { SopsFault } from './sops-tree.ts'

const DATA_KEY_BYTES = 32
const MAX_KEYS = 100

/** The identities of `SOPS_AGE_KEY` and `SOPS_AGE_KEY_FILE`, as SOPS reads them; undefined where neither is set. */
export async function ageIdentities(env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const { SOPS_AGE_KEY: key, SOPS_AGE_KEY_FILE: file } = env
  if (!key && !file) return undefined
  const texts = [key ?? '', file ? await keyFile(file) : '']
  return texts
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'))
    .slice(0, MAX_KEYS)
}

async function keyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new SopsFault(`needs the file of SOPS_AGE_KEY_FILE, which cannot be read: ${messageOf(error)}`)
  }
}

/** The key of a file's values, from the first of its `age` entries that one of the identities opens. Throws SopsFault. */
export async function dataKeyByAge(entries: readonly string[], identities: readonly string[]): Promise<Uint8Array> {
  // Its curves are set up when it is loaded: only for those who need it, and in the same file.
  const age = await import(/* webpackMode: "eager" */ 'age-encryption')
  const decrypter = new age.Decrypter()
  for (const identity of identities) addIdentity(decrypter, identity)
  for (const entry of entries) {
    try {
      const dataKey = await decrypter.decrypt(age.armor.decode(entry))
      if (dataKey.length === DATA_KEY_BYTES) return dataKey
    } catch {
      // For another recipient.
    }
  }
  throw new SopsFault('is encrypted for none of the keys in SOPS_AGE_KEY and SOPS_AGE_KEY_FILE')
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch {
    // The library may repeat the key.
    throw new SopsFault('cannot be decrypted: a line of SOPS_AGE_KEY is no key of age')
  }
}
