import { loadAll } from 'js-yaml'
import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import { stringifyJson } from '../model/json.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Renderer } from '../ports.ts'
import { readChart } from './chart-file.ts'
import { type ChartReference, namedInRepository, readChartReference } from './chart-reference.ts'
import { type ChartsText, readChartsText } from './charts-file.ts'
import { type InputEntry, inputLines } from './input-lines.ts'
import { inputProblem, shorten, shownValue } from './input-problem.ts'
import { entriesByField, readValues, SET_FIELDS, type ValuesText, yamlErrorLine } from './read-values.ts'
import { isNamespaceName, isReleaseName, NAMESPACE_NAME_HINT, RELEASE_NAME_HINT } from './release-name.ts'
import { readWeight } from './release-weight.ts'
import { type ChartPorts, takeChart } from './take-chart.ts'

export interface ChartsContext extends ChartPorts {
  readonly renderer: Renderer
  /** Input `namespace`, for every chart that sets none itself. */
  readonly namespace: string | undefined
  /** False: the releases are worked on from their records, and only their names, namespaces and weights count. */
  readonly deploys: boolean
}

interface Read {
  readonly specs: readonly ReleaseSpec[]
  readonly problems: readonly Problem[]
  readonly notices: readonly string[]
}

/** Put around the list, because the engine parses Kubernetes objects only. */
const WRAPPER = 'apiVersion: v1\nkind: Charts\nmetadata: {}\ncharts:\n'
const IS_YAML_LIST = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*(?:-(?:\s|$)|\[)/
const FIELDS = [
  'chart',
  'chart-version',
  'repository',
  'release',
  'namespace',
  'weight',
  'values',
  'values-files',
  ...SET_FIELDS,
] as const
/** More than a run could deploy. */
const MAX_ITEMS = 1_000
const LIST_OF_CHARTS: Hint = { kind: 'write-list-of-charts', fields: FIELDS }

/** Input `charts`: one path per line, a YAML list of objects, or the file of such a list. In the order of the list. */
export async function readCharts(input: string, context: ChartsContext): Promise<Read> {
  const list = await readChartsText(input, context)
  if ('severity' in list) return { specs: [], problems: [list], notices: [] }
  const read = await readListed(list, context)
  return { ...read, problems: read.problems.map((problem) => inFile(problem, list.file)) }
}

function inFile(problem: Problem, file: string | undefined): Problem {
  return file === undefined ? problem : { ...problem, place: { ...problem.place, file } }
}

async function readListed({ text, file }: ChartsText, context: ChartsContext): Promise<Read> {
  const isList = IS_YAML_LIST.test(text)
  if (!isList && file !== undefined) {
    return { specs: [], problems: [inputProblem('charts', 'is not a list', LIST_OF_CHARTS)], notices: [] }
  }
  const items = isList ? await readList(text, context.renderer) : pathItems(text)
  if ('severity' in items) return { specs: [], problems: [items], notices: [] }
  if (items.length > MAX_ITEMS) {
    const problem = inputProblem('charts', `lists more than ${MAX_ITEMS} charts`, LIST_OF_CHARTS)
    return { specs: [], problems: [problem], notices: [] }
  }
  const read = await Promise.all(items.map((item) => readItem(item, context)))
  return {
    specs: read.flatMap(({ specs }) => specs),
    problems: read.flatMap(({ problems }) => problems),
    notices: read.flatMap(({ notices }) => notices),
  }
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
    return { specs: [], problems, notices: [] }
  }
  for (const key of Object.keys(value)) {
    if (!FIELDS.some((field) => field === key))
      wrong(`"${shorten(key)}" is not a field`, { kind: 'write-one-of', choices: FIELDS })
  }
  const text = (field: 'chart' | 'chart-version' | 'repository' | 'release' | 'namespace'): string | undefined => {
    const found = value[field]
    if (isNotGiven(found)) return undefined
    return typeof found === 'string' ? found : wrong(`${field} is not a string`, { kind: 'quote-text' })
  }
  const chart = text('chart')
  const givenRelease = text('release')
  const ownNamespace = text('namespace')
  const namespace = ownNamespace ?? context.namespace
  const weight = isNotGiven(value.weight) ? 0 : readWeight(value.weight)
  if (chart === undefined && (context.deploys || givenRelease === undefined)) {
    wrong('chart is missing', { kind: 'write-chart-path' })
  }
  if (weight === undefined) wrong(`weight "${shownValue(value.weight)}" is not valid`, { kind: 'write-integer' })
  if (ownNamespace !== undefined && !isNamespaceName(ownNamespace)) {
    wrong(`namespace "${shorten(ownNamespace)}" is not valid`, NAMESPACE_NAME_HINT)
  }
  const reference = chart === undefined ? undefined : referenceOf(chart)
  const release = givenRelease ?? (reference === undefined ? undefined : await releaseNameOf(reference, context, wrong))
  if (release !== undefined && !isReleaseName(release)) {
    const origin = givenRelease === undefined ? ', the name of the chart,' : ''
    wrong(`release "${shorten(release)}"${origin} is not valid`, RELEASE_NAME_HINT)
  }
  const base = { release: release ?? '', ...defined({ namespace }), weight: weight ?? 0 }
  const ofRecord = { ...base, source: { kind: 'record' } } as const
  if (!context.deploys) return { specs: [ofRecord], problems, notices: [] }

  const values = await readValues(
    valuesOf(value, at, { wrong, started: context.started }),
    context,
    (field, what, hint) => inputProblem('charts', `${at}: ${field}: ${what}`, hint),
  )
  const told = { problems: [...problems, ...values.problems], notices: [] }
  // Without a release the chart was looked at before, and what is wrong with it is told.
  if (reference === undefined || release === undefined) return { ...told, specs: [ofRecord] }
  const taken = await takeChart(reference, values.values, context)
  if ('source' in taken) return { ...told, specs: [{ ...base, source: taken.source }], notices: taken.notices }
  const faults = taken.faults.map(({ field, reason, fault, hint }) => ({
    ...inputProblem('charts', `${at}: ${field} ${fault}`, hint),
    reason,
  }))
  return { ...told, specs: [ofRecord], problems: [...told.problems, ...faults] }

  function referenceOf(given: string): ChartReference | undefined {
    const found = readChartReference({
      chart: given,
      'chart-version': text('chart-version') ?? '',
      repository: text('repository') ?? '',
    })
    if (!('fault' in found)) return found
    return wrong(`${found.field} ${found.fault}`, found.hint)
  }
}

/** Without `release` a chart's release has the name of the chart. */
async function releaseNameOf(
  reference: ChartReference,
  { files, deploys, sources, started }: ChartsContext,
  wrong: (what: string, hint: Hint) => undefined,
): Promise<string | undefined> {
  const hint: Hint = { kind: 'write-release-without-chart' }
  switch (reference.kind) {
    case 'registry':
      return reference.repository.split('/').at(-1)
    case 'repository':
      return reference.name
    case 'archive':
      return wrong('release is missing, and the address of an archive does not tell the name', hint)
    case 'path': {
      const path = started(reference.path)
      const found = await readChart(path, files)
      if ('name' in found) return found.name
      const named = namedInRepository(reference.path)
      if (named !== undefined && (await sources.addressOf(named.repository)) !== undefined) return named.name
      return wrong(`chart "${shorten(path)}" ${found.fault}`, deploys ? found.hint : hint)
    }
    default:
      return unreachable(reference)
  }
}

function valuesOf(
  item: JsonObject,
  at: string,
  {
    wrong,
    started,
  }: { readonly wrong: (what: string, hint: Hint) => undefined; readonly started: ChartsContext['started'] },
): ValuesText {
  const entries = (field: (typeof SET_FIELDS)[number] | 'values-files'): readonly InputEntry[] => {
    const found = item[field]
    if (isNotGiven(found)) return []
    if (typeof found === 'string') return inputLines(found)
    if (isJsonArray(found) && found.every((entry) => typeof entry === 'string')) {
      return found
        .map((entry, index) => ({ text: entry, at: `entry ${index + 1}` }))
        .filter(({ text }) => !isNotGiven(text))
    }
    wrong(`${field} is not a list of strings`, { kind: 'write-list-of-texts' })
    return []
  }
  const { values } = item
  const hasValues = !isNotGiven(values)
  if (hasValues && !isJsonObject(values)) wrong('values: is not a map of values', { kind: 'write-map-of-values' })
  return {
    ...entriesByField(entries, started),
    ...(hasValues && isJsonObject(values)
      ? { values: { label: `input charts, ${at}, values`, text: stringifyJson(values) } }
      : {}),
  }
}

/** Blank text, too: a template that makes the list writes it where it has nothing to say. */
function isNotGiven(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
