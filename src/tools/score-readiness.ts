import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { arrayAt, isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { Readiness } from '../model/readiness.ts'
import { readiness } from '../readiness/judge-readiness.ts'

/** One line of `cases.jsonl`; the format is described in the README beside it. */
export interface ReadinessCase {
  readonly kind: string
  readonly group: string
  readonly file: string
  readonly expected: 'ready' | 'progressing' | 'failed'
  readonly why: string
  readonly contested?: boolean
}

export interface ScoredCase extends ReadinessCase {
  readonly verdict: Readiness
  readonly agrees: boolean
  /** Our verdict is ready and the expected one is not. */
  readonly isFalseReady: boolean
}

/** A case with the object that it is about. */
export interface GivenCase extends ReadinessCase {
  readonly object: KubeObject | undefined
}

/** Every case of a folder. */
export async function readCases(folder: string): Promise<readonly GivenCase[]> {
  const lines = (await readFile(join(folder, 'cases.jsonl'), 'utf8')).split('\n').filter((line) => line !== '')
  const cases = lines.map((line) => JSON.parse(line) as ReadinessCase)
  return Promise.all(
    cases.map(async (one) => ({ ...one, object: objectsOf(await readFile(join(folder, one.file), 'utf8'))[0] })),
  )
}

/** The verdict on an object alone, as if nothing had changed for a long time. */
export function scoreCase({ object, ...given }: GivenCase, nowMs: number): ScoredCase {
  const verdict = readiness(object, [], { nowMs })
  const agrees = verdict.state === given.expected
  return { ...given, verdict, agrees, isFalseReady: verdict.state === 'ready' && !agrees }
}

/** All objects of a text of YAML or JSON documents; Lists are taken apart. */
export function objectsOf(text: string): readonly KubeObject[] {
  return (loadAll(text) as readonly JsonValue[]).flatMap((document) => {
    const isList = stringAt(document, 'kind')?.endsWith('List') === true
    return (isList ? arrayAt(document, 'items') : [document]).flatMap(toObject)
  })
}

/** Some cases are cut to what matters and have no metadata. */
function toObject(value: JsonValue): readonly KubeObject[] {
  const apiVersion = stringAt(value, 'apiVersion')
  const kind = stringAt(value, 'kind')
  if (!isJsonObject(value) || apiVersion === undefined || kind === undefined) return []
  const { metadata } = value
  return [{ ...value, apiVersion, kind, metadata: isJsonObject(metadata) ? metadata : {} }]
}
