import { createDecipheriv, createHash, type Hash } from 'node:crypto'
import { CORE_SCHEMA, load, realMapTag } from 'js-yaml'
import { stringifyJson } from '../model/json.ts'

/** Deeper or larger than this is no values file. */
const MAX_DEPTH = 200
const MAX_NODES = 1_000_000
const TAG_BYTES = 16
const ENCRYPTED = /^ENC\[AES256_GCM,data:([^,\]]*),iv:([^,\]]*),tag:([^,\]]*),type:([a-z]+)\]$/

/** What keeps a file from being decrypted, as one clause without a value of it. */
export class SopsFault extends Error {
  override readonly name = 'SopsFault'
}

/**
 * The values of a file of SOPS as JSON, which is YAML. Its MAC covers every value, so that one that is read otherwise than SOPS reads
 * it is refused and never taken. Source: docs/sources.md#sops. Throws SopsFault.
 */
export function decryptTree(text: string, dataKey: Uint8Array): string {
  const document: unknown = parsed(text)
  if (!(document instanceof Map)) throw new SopsFault('is no map of values')
  const metadata: unknown = document.get('sops')
  if (!(metadata instanceof Map)) throw new SopsFault('has no metadata of SOPS')
  // Values in the clear are not covered by the MAC then: whether SOPS reads them likewise cannot be checked.
  if (metadata.get('mac_only_encrypted') === true) throw new SopsFault('has a MAC of its encrypted values only')
  document.delete('sops')
  const walk: Walk = { dataKey, hash: createHash('sha512'), left: MAX_NODES }
  const values = plainOf(document, { keys: [], depth: 0 }, walk)
  const lastModified = String(metadata.get('lastmodified'))
  const mac = plainText(encrypted(String(metadata.get('mac'))), dataKey, lastModified)
  if (mac !== walk.hash.digest('hex').toUpperCase()) throw new SopsFault('does not fit its MAC')
  return stringifyJson(values)
}

interface Walk {
  readonly dataKey: Uint8Array
  readonly hash: Hash
  left: number
}

/** `keys`: those of the maps above; lists count in the depth alone. */
interface Place {
  readonly keys: readonly string[]
  readonly depth: number
}

function parsed(text: string): unknown {
  try {
    // Objects of JavaScript would put keys that are numbers first, and the MAC counts the order.
    return load(text, { schema: CORE_SCHEMA.withTags(realMapTag) })
  } catch {
    throw new SopsFault('is no single YAML document')
  }
}

function plainOf(value: unknown, { keys, depth }: Place, walk: Walk): unknown {
  walk.left -= 1
  if (walk.left < 0 || depth > MAX_DEPTH) throw new SopsFault('is too large')
  if (value === null) return null
  if (Array.isArray(value)) {
    return value.filter((item) => !isComment(item)).map((item) => plainOf(item, { keys, depth: depth + 1 }, walk))
  }
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([key, member]) => {
        if (typeof key !== 'string') throw new SopsFault('has a key that is no text')
        return [key, plainOf(member, { keys: [...keys, key], depth: depth + 1 }, walk)]
      }),
    )
  }
  if (typeof value === 'string' && value.startsWith('ENC[')) return decryptedValue(value, keys, walk)
  walk.hash.update(clearText(value))
  return value
}

/** SOPS writes a comment between the items of a list as an item; no MAC covers it. */
function isComment(item: unknown): boolean {
  return typeof item === 'string' && item.startsWith('ENC[') && encrypted(item).type === 'comment'
}

/** As Go prints it, where that can be told. */
function clearText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number' && Number.isFinite(value) && !/e/.test(String(value))) return String(value)
  throw new SopsFault('has a value in the clear that only SOPS can read')
}

function decryptedValue(text: string, keys: readonly string[], walk: Walk): unknown {
  const found = encrypted(text)
  const plain = plainText(found, walk.dataKey, `${keys.join(':')}:`)
  walk.hash.update(found.type === 'bool' ? (isTrue(plain) ? 'True' : 'False') : plain)
  switch (found.type) {
    case 'str':
      return plain
    case 'int':
      if (!/^-?\d{1,19}$/.test(plain)) break
      return BigInt(plain)
    case 'float':
      if (!/^-?\d{1,400}(\.\d{1,400})?$/.test(plain)) break
      return Number(plain)
    case 'bool':
      return isTrue(plain)
  }
  throw new SopsFault(`has a value of the type ${found.type}, which only SOPS can read`)
}

function isTrue(plain: string): boolean {
  return plain.toLowerCase() === 'true'
}

interface Encrypted {
  readonly data: Buffer
  readonly iv: Buffer
  readonly tag: Buffer
  readonly type: string
}

function encrypted(text: string): Encrypted {
  const [, data = '', iv = '', tag = '', type = ''] = ENCRYPTED.exec(text) ?? []
  const bytes = { data: Buffer.from(data, 'base64'), iv: Buffer.from(iv, 'base64'), tag: Buffer.from(tag, 'base64') }
  if (type === '' || bytes.iv.length === 0 || bytes.tag.length !== TAG_BYTES) {
    throw new SopsFault('has an encrypted value in another form')
  }
  return { ...bytes, type }
}

function plainText({ data, iv, tag }: Encrypted, dataKey: Uint8Array, additional: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', dataKey, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(additional)).setAuthTag(tag)
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
  } catch {
    throw new SopsFault('has a value that does not fit its key or place')
  }
}
