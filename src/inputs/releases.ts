import { type Command, commands } from '../model/command.ts'
import type { Problem } from '../model/problem.ts'
import type { LeftOut, ReleaseSource, ReleaseSpec } from '../model/release.ts'
import type { Renderer } from '../ports.ts'
import { readChartReference } from './chart-reference.ts'
import { readCharts } from './charts.ts'
import { inputLines } from './input-lines.ts'
import type { RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'
import { readManifests } from './manifests.ts'
import { entriesByField, readValues, SET_FIELDS } from './read-values.ts'
import { isNamespaceName, isReleaseName, NAMESPACE_NAME_HINT, RELEASE_NAME_HINT } from './release-name.ts'
import { inReleaseOrder } from './release-order.ts'
import { type ChartPorts, takeChart } from './take-chart.ts'
import { pathsFromStart } from './working-directory.ts'

export interface InputPorts extends Omit<ChartPorts, 'started'> {
  readonly renderer: Renderer
}

export interface ReleasesRead {
  /** In the order in which the command works on them. */
  readonly releases: readonly ReleaseSpec[]
  readonly leftOut: readonly LeftOut[]
  readonly problems: readonly Problem[]
  /** What people should know, where nothing is wrong. */
  readonly notices: readonly string[]
}

const MANIFESTS_SUFFIX = '-manifests'

/**
 * The releases that `chart`, `charts`, `manifests` and `release` name. Rollback, uninstall and test work from the
 * records: for them `release` is enough, and of `charts` and `manifests` only names, namespaces and weights count.
 */
export async function readReleases(raw: RawInputs, command: Command, ports: InputPorts): Promise<ReleasesRead> {
  const deploys = commands[command].usesWorkspace
  const given = { chart: raw('chart'), charts: raw('charts'), manifests: raw('manifests'), release: raw('release') }
  const namespace = raw('namespace') === '' ? undefined : raw('namespace')
  const started = pathsFromStart(raw, ports.files)
  const context = { ...ports, namespace, deploys, started }

  const manifests = given.manifests === '' ? undefined : await readManifests(given.manifests, context)
  const list = given.charts === '' ? undefined : await readCharts(given.charts, context)
  const chart = deploys ? await readOneChart(raw, context) : { problems: [], notices: [], source: record }
  const place = namespace === undefined ? {} : { namespace }
  const named = (release: string, source: ReleaseSource): ReleaseSpec => ({
    release,
    ...place,
    weight: 0,
    source,
  })

  const hasManifests = manifests !== undefined && manifests.documents.length > 0
  const hasChart = given.chart !== '' || (!deploys && given.charts === '' && given.manifests === '')
  // With a list of charts, `release` names the release of the manifests, also where only its record is known.
  const namesManifests =
    hasManifests ||
    (!deploys && given.charts !== '' && given.chart === '' && given.manifests === '' && given.release !== '')
  const releases = {
    manifests: namesManifests
      ? [
          named(
            given.chart === '' ? given.release : `${given.release}${MANIFESTS_SUFFIX}`,
            deploys ? { kind: 'manifests', documents: manifests?.documents ?? [] } : record,
          ),
        ]
      : [],
    charts: [
      ...(manifests?.charts ?? []),
      ...(hasChart ? [named(given.release, chart.source)] : []),
      ...(list?.specs ?? []),
    ],
  }
  return {
    releases: inReleaseOrder(releases, command),
    leftOut: manifests?.leftOut ?? [],
    notices: [...chart.notices, ...(list?.notices ?? [])],
    problems: [
      ...releaseNameProblems(given, { needsRelease: hasChart || hasManifests || namesNoSource(given), deploys }),
      ...(namespace !== undefined && !isNamespaceName(namespace)
        ? [inputProblem('namespace', `"${shorten(namespace)}" is not valid`, NAMESPACE_NAME_HINT)]
        : []),
      ...chart.problems,
      ...(list?.problems ?? []),
      ...(manifests?.problems ?? []),
      ...duplicateProblems([...releases.manifests, ...releases.charts]),
      ...nothingProblems(manifests?.problems, [...releases.manifests, ...releases.charts]),
    ],
  }
}

interface Given {
  readonly chart: string
  readonly charts: string
  readonly manifests: string
  readonly release: string
}

const record: ReleaseSource = { kind: 'record' }

function namesNoSource({ chart, charts, manifests }: Given): boolean {
  return chart === '' && charts === '' && manifests === ''
}

function releaseNameProblems(
  given: Given,
  context: { readonly needsRelease: boolean; readonly deploys: boolean },
): readonly Problem[] {
  const { chart, charts, manifests, release } = given
  const problems: Problem[] = []
  if (release === '') {
    const hint = { kind: 'name-release', orGiveCharts: !context.deploys } as const
    if (context.needsRelease) problems.push(inputProblem('release', 'is missing', hint))
  } else if (!isReleaseName(release)) {
    problems.push(inputProblem('release', `"${shorten(release)}" is not valid`, RELEASE_NAME_HINT))
  } else if (chart !== '' && manifests !== '' && !isReleaseName(`${release}${MANIFESTS_SUFFIX}`)) {
    const what = `"${release}${MANIFESTS_SUFFIX}", the release of the manifests, is too long`
    problems.push(inputProblem('release', what, { kind: 'shorten-name' }))
  } else if (context.deploys && charts !== '' && chart === '' && manifests === '') {
    problems.push(inputProblem('release', 'names nothing', { kind: 'move-release-to-charts' }))
  }
  if (chart !== '' && charts !== '') {
    problems.push(inputProblem('charts', 'is set together with chart', { kind: 'move-chart-to-charts' }))
  }
  if (context.deploys && namesNoSource(given)) {
    problems.push(inputProblem('chart', 'is missing', { kind: 'write-chart-path-or-others' }))
  }
  return problems
}

interface OneChart {
  readonly source: ReleaseSource
  readonly problems: readonly Problem[]
  readonly notices: readonly string[]
}

/** The one chart of inputs `chart`, `chart-version`, `repository`, `values*` and `set*`. */
async function readOneChart(raw: RawInputs, ports: ChartPorts): Promise<OneChart> {
  const inline = raw('values')
  const read = await readValues(
    {
      ...entriesByField((field) => inputLines(raw(field)), ports.started),
      ...(inline === '' ? {} : { values: { label: 'input values', text: inline } }),
    },
    ports,
    (field, what, hint, line) => inputProblem(field, what, hint, line),
  )
  const text = { chart: raw('chart'), 'chart-version': raw('chart-version'), repository: raw('repository') }
  if (text.chart === '') return { source: record, problems: [...read.problems, ...idleProblems(raw)], notices: [] }
  const reference = readChartReference(text)
  if ('fault' in reference) {
    const { field, fault, hint } = reference
    const problem = inputProblem(field, `"${shorten(text[field])}" ${fault}`, hint)
    return { source: record, problems: [problem, ...read.problems], notices: [] }
  }
  const taken = await takeChart(reference, read.values, ports)
  if ('source' in taken) return { source: taken.source, problems: read.problems, notices: taken.notices }
  const problems = taken.faults.map(({ field, reason, fault, hint }) => ({
    ...inputProblem(field, fault, hint),
    reason,
  }))
  return { source: record, problems: [...problems, ...read.problems], notices: [] }
}

/** Inputs that belong to the input `chart`, and it is not given. */
function idleProblems(raw: RawInputs): readonly Problem[] {
  if (raw('charts') === '' && raw('manifests') === '') return []
  return (['chart-version', 'repository', 'values-files', 'values', ...SET_FIELDS] as const)
    .filter((field) => raw(field) !== '')
    .map((field) =>
      inputProblem(field, 'belongs to the input chart, which is not given', { kind: 'write-in-item-of-charts', field }),
    )
}

function duplicateProblems(specs: readonly ReleaseSpec[]): readonly Problem[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { release, namespace } of specs) {
    const name = namespace === undefined ? `"${release}"` : `"${release}" in namespace "${namespace}"`
    if (release !== '' && seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return [...twice].map((name) => ({
    severity: 'error',
    reason: 'invalid-input',
    place: {},
    what: `release ${name} is listed more than once`,
    hint: { kind: 'tell-releases-apart' },
  }))
}

/** Everything in the manifests was left out. Where something in them is wrong, only that is reported. */
function nothingProblems(
  ofManifests: readonly Problem[] | undefined,
  specs: readonly ReleaseSpec[],
): readonly Problem[] {
  const isWrong = ofManifests?.some(({ severity }) => severity === 'error') ?? true
  if (isWrong || specs.length > 0) return []
  return [inputProblem('manifests', 'holds nothing to deploy', { kind: 'name-objects' })]
}
