import { defined } from '../model/defined.ts'
import { parseJson } from '../model/json.ts'
import { type JsonValue, stringAt } from '../model/object.ts'
import type { BodyMarks } from './cache.ts'

export interface KeptMarks {
  readonly digest: string
  readonly marks: BodyMarks
}

export const DIGEST = /^sha256:([0-9a-f]{64})$/

/** What a run before has kept of an address; undefined where somebody else has written it. */
export function readMarks(text: string): KeptMarks | undefined {
  let value: JsonValue
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  const digest = stringAt(value, 'digest') ?? ''
  if (!DIGEST.test(digest)) return undefined
  return {
    digest,
    marks: defined({ etag: headerText(value, 'etag'), lastModified: headerText(value, 'lastModified') }),
  }
}

/** They become headers again. */
function headerText(value: JsonValue, key: string): string | undefined {
  const text = stringAt(value, key)
  return text !== undefined && /^[\x20-\x7e]{1,1000}$/.test(text) ? text : undefined
}
