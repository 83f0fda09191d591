import { loadAll } from 'js-yaml'
import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import { stringifyJson } from '../model/json.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { ReleaseSpec } from '../model/release.ts'
import type { Files, Renderer } from '../ports.ts'
import { chartFault, chartSource, readChart } from './chart-file.ts'
import { type InputEntry, inputLines } from './input-lines.ts'
import { inputProblem, shorten, shownValue } from './input-problem.ts'
import { entriesByField, readValues, SET_FIELDS, type ValuesText, yamlErrorLine } from './read-values.ts'
import { isNamespaceName, isReleaseName, NAMESPACE_NAME_HINT, RELEASE_NAME_HINT } from './release-name.ts'
import { readWeight } from './release-weight.ts'

export interface ChartsContext {
  readonly files: Files
  readonly renderer: Renderer
  /** Input `namespace`, for every chart that sets none itself. */
  readonly namespace: string | undefined
  /** False: the releases are worked on from their records, and only their names, namespaces and weights count. */
  readonly deploys: boolean
}

interface Read {
  readonly specs: readonly ReleaseSpec[]
  readonly problems: readonly Problem[]
}

/** Put around the list, because the engine parses Kubernetes objects only. */
const WRAPPER = 'apiVersion: v1\nkind: Charts\nmetadata: {}\ncharts:\n'
const IS_YAML_LIST = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*(?:-(?:\s|$)|\[)/
const FIELDS = ['chart', 'release', 'namespace', 'weight', 'values', 'values-files', ...SET_FIELDS] as const
const LIST_OF_CHARTS: Hint = { kind: 'write-list-of-charts', fields: FIELDS }

/** Input `charts`: one path per line, or a YAML list of objects. In the order of the list. */
export async function readCharts(text: string, context: ChartsContext): Promise<Read> {
  const items = IS_YAML_LIST.test(text) ? await readList(text, context.renderer) : pathItems(text)
  if ('severity' in items) return { specs: [], problems: [items] }
  const read = await Promise.all(items.map((item) => readItem(item, context)))
  return { specs: read.flatMap(({ specs }) => specs), problems: read.flatMap(({ problems }) => problems) }
}

/** One chart as it is written. `at`: `line 2` or `item 2`. */
interface Item {
  readonly at: string
  readonly value: JsonValue
}

function pathItems(text: string): readonly Item[] {
  return inputLines(text).map(({ at, text: chart }) => ({ at, value: { chart } }))
}

/** Parsed by Helm's engine, so that values mean what they mean to Helm; js-yaml only finds the line of a mistake. */
async function readList(text: string, renderer: Renderer): Promise<readonly Item[] | Problem> {
  try {
    if (loadAll(text).length !== 1) return inputProblem('charts', 'holds more than one YAML document', LIST_OF_CHARTS)
  } catch (error) {
    const line = yamlErrorLine(error)
    const where = line === undefined ? '' : ` at line ${line}`
    return inputProblem('charts', `is not valid YAML${where}`, { kind: 'correct-yaml' }, line)
  }
  try {
    const [document] = await renderer.parse(`${WRAPPER}${indented(text)}`, 'input charts')
    const list = document?.object.charts
    if (!isJsonArray(list)) return inputProblem('charts', 'is not a list', LIST_OF_CHARTS)
    return list.map((value, index) => ({ at: `item ${index + 1}`, value }))
  } catch {
    // The engine's message may repeat values.
    return inputProblem('charts', 'is YAML that Helm cannot read', LIST_OF_CHARTS)
  }
}

/** An empty line stays empty: blanks in it would be part of a text that keeps the line ends behind it. */
function indented(text: string): string {
  return text.replaceAll(/(^|\n)(?=[^\r\n])/g, '$1  ')
}

async function readItem({ at, value }: Item, context: ChartsContext): Promise<Read> {
  const problems: Problem[] = []
  const wrong = (what: string, hint: Hint): undefined => {
    problems.push(inputProblem('charts', `${at}: ${what}`, hint))
  }
  if (!isJsonObject(value)) {
    wrong('is not an object', LIST_OF_CHARTS)
    return { specs: [], problems }
  }
  for (const key of Object.keys(value)) {
    if (!FIELDS.some((field) => field === key))
      wrong(`"${shorten(key)}" is not a field`, { kind: 'write-one-of', choices: FIELDS })
  }
  const text = (field: 'chart' | 'release' | 'namespace'): string | undefined => {
    const found = value[field]
    if (found === undefined || found === null || found === '') return undefined
    return typeof found === 'string' ? found : wrong(`${field} is not a string`, { kind: 'quote-text' })
  }
  const chart = text('chart')
  const givenRelease = text('release')
  const ownNamespace = text('namespace')
  const namespace = ownNamespace ?? context.namespace
  const weight = readWeight(value.weight)
  if (chart === undefined && (context.deploys || givenRelease === undefined)) {
    wrong('chart is missing', { kind: 'write-chart-path' })
  }
  if (weight === undefined) wrong(`weight "${shownValue(value.weight)}" is not valid`, { kind: 'write-integer' })
  if (ownNamespace !== undefined && !isNamespaceName(ownNamespace)) {
    wrong(`namespace "${shorten(ownNamespace)}" is not valid`, NAMESPACE_NAME_HINT)
  }
  const release = givenRelease ?? (chart === undefined ? undefined : await releaseNameOf(chart, context, wrong))
  if (release !== undefined && !isReleaseName(release)) {
    const origin = givenRelease === undefined ? ', the name of the chart,' : ''
    wrong(`release "${shorten(release)}"${origin} is not valid`, RELEASE_NAME_HINT)
  }
  const base = { release: release ?? '', ...defined({ namespace }), weight: weight ?? 0 }
  if (!context.deploys || chart === undefined) return { specs: [{ ...base, source: { kind: 'record' } }], problems }

  if (givenRelease !== undefined) {
    const fault = await chartFault(chart, context.files)
    if (fault !== undefined) wrong(`chart "${shorten(chart)}" ${fault.fault}`, fault.hint)
  }
  const values = await readValues(valuesOf(value, at, wrong), context.files, (field, what, hint) =>
    inputProblem('charts', `${at}: ${field}: ${what}`, hint),
  )
  return {
    specs: [{ ...base, source: chartSource(chart, values.values) }],
    problems: [...problems, ...values.problems],
  }
}

/** Without `release` a chart's release has the name of the chart. */
async function releaseNameOf(
  chart: string,
  { files, deploys }: ChartsContext,
  wrong: (what: string, hint: Hint) => undefined,
): Promise<string | undefined> {
  const found = await readChart(chart, files)
  if ('name' in found) return found.name
  return wrong(
    `chart "${shorten(chart)}" ${found.fault}`,
    deploys ? found.hint : { kind: 'write-release-without-chart' },
  )
}

function valuesOf(item: JsonObject, at: string, wrong: (what: string, hint: Hint) => undefined): ValuesText {
  const entries = (field: (typeof SET_FIELDS)[number] | 'values-files'): readonly InputEntry[] => {
    const found = item[field]
    if (found === undefined || found === null) return []
    if (typeof found === 'string') return inputLines(found)
    if (isJsonArray(found) && found.every((entry) => typeof entry === 'string')) {
      return found.map((entry, index) => ({ text: entry, at: `entry ${index + 1}` }))
    }
    wrong(`${field} is not a list of strings`, { kind: 'write-list-of-texts' })
    return []
  }
  const { values } = item
  const hasValues = values !== undefined && values !== null
  if (hasValues && !isJsonObject(values)) wrong('values: is not a map of values', { kind: 'write-map-of-values' })
  return {
    ...entriesByField(entries),
    ...(hasValues && isJsonObject(values)
      ? { values: { label: `input charts, ${at}, values`, text: stringifyJson(values) } }
      : {}),
  }
}
