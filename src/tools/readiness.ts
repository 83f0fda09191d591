import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Readiness } from '../model/readiness.ts'
import { formatRef, type Ref } from '../model/ref.ts'
import { completion, readiness } from '../readiness/judge-readiness.ts'
import { plain } from '../report/words/phrase.ts'
import { readinessPhrase } from '../report/words/readiness-text.ts'
import { objectsOf, readCases, type ScoredCase, scoreCase } from './score-readiness.ts'

const USAGE = `usage: npm run -s readiness -- [--hook] FILE...
       npm run -s readiness -- --cases DIR

FILE   YAML or JSON of live objects, as \`kubectl get -o yaml\` prints them; \`-\` reads standard input. Put the pods and
       ReplicaSets of a workload into the same call: they tell why it is not ready.
--hook verdict on hooks: has it finished?
--cases score on a folder of cases with a cases.jsonl`

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
  const lines = objects.map((object) => verdictLine(formatRef(refOf(object)), judge(object, objects, facts)))
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** `ready        Deployment/shop/web: 3 of 3 available`. */
function verdictLine(name: string, verdict: Readiness): string {
  const later =
    verdict.state === 'progressing' && verdict.then !== undefined
      ? ` (${verdict.then.state} after ${Math.ceil(verdict.afterSeconds ?? 0)} s without a change)`
      : ''
  return `${verdict.state.padEnd(WIDEST_STATE)} ${plain([{ foreign: name }])}: ${plain(readinessPhrase(verdict.reason))}${later}`
}

const WIDEST_STATE = 'progressing'.length

function refOf({ apiVersion, kind, metadata }: KubeObject): Ref {
  const { name = '', namespace } = metadata
  return namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name }
}

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

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`Error: ${messageOf(error)}\n`)
  process.exitCode = 1
}
