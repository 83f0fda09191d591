import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Decrypter } from '../ports.ts'
import type { ValuesFile, ValuesFileFault } from './values-file.ts'

/** Before it a text is not parsed: most values files are not encrypted. */
const MAY_BE_SOPS = /^["']?sops["']?[ \t]*:|"sops"[ \t]*:/m

/** The file as it is, or decrypted where SOPS has encrypted it; then all of its values are secret before anything is said of them. */
export async function decryptedFile(
  file: ValuesFile,
  { mustBeEncrypted, decrypter }: { readonly mustBeEncrypted: boolean; readonly decrypter: Decrypter | undefined },
): Promise<ValuesFile | ValuesFileFault> {
  const { label, text } = file
  const refused = (what: string, hint: ValuesFileFault['hint']): ValuesFileFault => ({
    fault: `"${label}" ${what}`,
    hint,
    reason: 'invalid-input',
  })
  const metadata = sopsMetadata(text)
  if (metadata === undefined) {
    return mustBeEncrypted ? refused('is not encrypted by SOPS', { kind: 'write-without-secrets' }) : file
  }
  if (decrypter === undefined) return refused('is encrypted by SOPS', { kind: 'install-sops' })
  const found = await decrypter.decrypt({ text, metadata })
  if ('fault' in found) return refused(found.fault, found.hint)
  const values = parsed(found.text)
  if (!isJsonObject(values)) return refused('holds no map of values once it is decrypted', { kind: 'give-sops-key' })
  for (const scalar of scalarsOf(values)) decrypter.hide(scalar)
  return { label, text: found.text }
}

/** What stands under `sops`, with the members that SOPS always writes. */
function sopsMetadata(text: string): JsonObject | undefined {
  if (!MAY_BE_SOPS.test(text)) return undefined
  const document = parsed(text)
  const metadata = isJsonObject(document) ? document.sops : undefined
  if (!isJsonObject(metadata)) return undefined
  return typeof metadata.mac === 'string' && typeof metadata.version === 'string' ? metadata : undefined
}

/** Every scalar as the text that is written. */
function parsed(text: string): JsonValue | undefined {
  try {
    return load(text, { schema: FAILSAFE_SCHEMA }) as JsonValue
  } catch {
    // What is no YAML at all is told by the engine.
    return undefined
  }
}

/** An alias gives the same object again: it is looked at once. */
function scalarsOf(root: JsonValue): readonly string[] {
  const found: string[] = []
  const seen = new Set<JsonValue>()
  const open: JsonValue[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (seen.has(value)) continue
    seen.add(value)
    if (typeof value === 'string') found.push(value)
    const members = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
    for (const member of members) if (member !== undefined) open.push(member)
  }
  return found
}
