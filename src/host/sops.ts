import { arrayAt, isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { Decrypted, SopsFile } from '../ports.ts'
import { ageIdentities, dataKeyByAge } from './age-key.ts'
import { findSops, runSops } from './sops-program.ts'
import { decryptTree, SopsFault } from './sops-tree.ts'

/** Of metadata: key groups, kinds of keys, keys. */
const MAX_DEPTH = 10

export interface SopsMachine {
  readonly env: NodeJS.ProcessEnv
  /** Folder for files that live as long as one call. */
  readonly temp: string
}

/** By the program of the job, else by a key of age in its environment (docs/values.md). */
export async function decryptSops(file: SopsFile, { env, temp }: SopsMachine): Promise<Decrypted> {
  try {
    const program = await findSops(env)
    if (program !== undefined) {
      assertOwnVault(file.metadata, env)
      return { text: await runSops(program, file.text, { env, temp }) }
    }
    const identities = await ageIdentities(env)
    if (identities === undefined) {
      return { fault: 'is encrypted by SOPS, and the job has no sops program', hint: { kind: 'install-sops' } }
    }
    return { text: decryptTree(file.text, await dataKeyByAge(ageEntries(file.metadata), identities)) }
  } catch (error) {
    if (error instanceof SopsFault) return { fault: error.message, hint: { kind: 'give-sops-key' } }
    throw error
  }
}

/** Where parts of the key are needed, or it is in a service, there is no such entry for all of it. */
function ageEntries(metadata: JsonObject): readonly string[] {
  if (metadata.key_groups !== undefined) throw new SopsFault('has groups of keys, which only the sops program opens')
  const entries = arrayAt(metadata, 'age').flatMap((entry) => stringAt(entry, 'enc') ?? [])
  if (entries.length === 0) throw new SopsFault('is encrypted for no key of age, and the job has no sops program')
  return entries
}

/** The file names the Vault that sops sends the job's token to: whoever may write files of a pull request could name their own. */
function assertOwnVault(metadata: JsonObject, env: NodeJS.ProcessEnv): void {
  const isOwn = (address: string) => address.replace(/\/$/, '') === (env.VAULT_ADDR ?? '').replace(/\/$/, '')
  if (vaultAddresses(metadata).every(isOwn)) return
  throw new SopsFault('names a Vault that is not the one of VAULT_ADDR')
}

function vaultAddresses(value: JsonValue | undefined, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) throw new SopsFault('has metadata that SOPS does not write')
  const deeper = (member: JsonValue | undefined) => vaultAddresses(member, depth + 1)
  if (isJsonArray(value)) return value.flatMap(deeper)
  if (!isJsonObject(value)) return []
  const own = value.vault_address
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(value).flatMap(deeper)]
}
