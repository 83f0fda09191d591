import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadAll } from 'js-yaml'
import { messageOf } from '../model/errors.ts'
import { arrayAt, isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { Readiness } from '../model/readiness.ts'
import { formatRef, refOfObject } from '../model/ref.ts'
import { completion, readiness } from '../readiness/judge-readiness.ts'
import { plainText } from '../report/words/phrase.ts'
import { readinessPhrase } from '../report/words/readiness-text.ts'

const USAGE = `usage: npm run -s readiness -- [--hook] FILE...
       npm run -s readiness -- --cases DIR

FILE   YAML or JSON of live objects, as \`kubectl get -o yaml\` prints them; \`-\` reads standard input. Put the pods and
       ReplicaSets of a workload into the same call: they say why it is not ready.
--hook verdict on hooks: has it finished?
--cases score on a folder of cases with a cases.jsonl`

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

/** Prints the verdict on every object, and why. */
async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { cases: { type: 'string' }, hook: { type: 'boolean', default: false } },
  })
  if (values.cases !== undefined) {
    const cases = await readCases(values.cases)
    return printScore(cases.map((one) => scoreCase(one, Date.now())))
  }
  if (positionals.length === 0) throw new Error(`no FILE given\n${USAGE}`)
  const texts = await Promise.all(positionals.map((file) => readFile(file === '-' ? '/dev/stdin' : file, 'utf8')))
  const objects = texts.flatMap(objectsOf)
  const judge = values.hook ? completion : readiness
  const facts = { nowMs: Date.now() }
  const lines = objects.map((object) => verdictLine(formatRef(refOfObject(object)), judge(object, objects, facts)))
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** `ready        Deployment/shop/web: 3 of 3 available`. */
function verdictLine(name: string, verdict: Readiness): string {
  const later =
    verdict.state === 'progressing' && verdict.then !== undefined
      ? ` (${verdict.then.state} after ${Math.ceil(verdict.afterSeconds ?? 0)} s without a change)`
      : ''
  return `${verdict.state.padEnd(WIDEST_STATE)} ${plainText([{ foreign: name }])}: ${plainText(readinessPhrase(verdict.reason))}${later}`
}

const WIDEST_STATE = 'progressing'.length

function printScore(scored: readonly ScoredCase[]): void {
  const lines = scored
    .filter(({ agrees }) => !agrees)
    .map(({ file, expected, verdict, contested }) => {
      const note = contested === true ? ' (contested)' : ''
      return `${verdictLine(file, verdict)}; expected ${expected}${note}`
    })
  for (const [title, isContested] of [
    ['uncontested', false],
    ['contested', true],
  ] as const) {
    const cases = scored.filter(({ contested = false }) => contested === isContested)
    const agreeing = cases.filter(({ agrees }) => agrees).length
    const falseReady = cases.filter((one) => one.isFalseReady).length
    lines.push(`${title}: ${agreeing} of ${cases.length} agree, ${falseReady} false ready`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
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

if (import.meta.main) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}
