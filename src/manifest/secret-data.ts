import { isJsonObject, type KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { isBuiltIn } from './built-in-kinds.ts'

/**
 * Fields of a Secret that hold its values: `data` in base64, and `stringData`, which the API server turns into `data`.
 */
export const secretFields: ReadonlySet<string> = new Set(['data', 'stringData'])

/** The object as the API server stores it: a Secret without `stringData`, whose texts are in `data`. */
export function withSecretData(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object
  if (!isBuiltIn(object, 'Secret') || !isJsonObject(stringData)) return object
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(String(text ?? ''), 'utf8').toString('base64')] as const,
  )
  const data = { ...(isJsonObject(object.data) ? object.data : {}), ...Object.fromEntries(encoded) }
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata, data }
}

/** The places where the value at this JSON pointer of a manifest may be stored: the pointer itself, or below `data`. */
export function keptAt(pointer: string, ref: Ref): readonly string[] {
  const isMoved = isBuiltIn(ref, 'Secret') && pointer.startsWith('/stringData/')
  return isMoved ? [pointer, pointer.replace('/stringData/', '/data/')] : [pointer]
}

/** What a value of a Secret stands for; undefined where that is no text. */
export function decodedText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const bytes = Buffer.from(value, 'base64')
  const text = bytes.toString('utf8')
  return bytes.toString('base64') === value && Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

/** Every value of a Secret, decoded. */
export function secretTexts({ data, stringData }: KubeObject): readonly string[] {
  return [...textLeaves(data).map((value) => Buffer.from(value, 'base64').toString('utf8')), ...textLeaves(stringData)]
}

function textLeaves(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).filter((leaf) => typeof leaf === 'string')
    : []
}
