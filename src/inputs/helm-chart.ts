import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import { stringifyJson } from '../model/json.ts'
import { at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { LeftOut, ReleaseSpec } from '../model/release.ts'
import type { RenderedDocument } from '../model/rendered.ts'
import type { ChartIdentity } from './chart-file.ts'
import { goBoolean } from './go-boolean.ts'
import { helmChartValues } from './helm-chart-values.ts'
import { shorten, shownValue } from './input-problem.ts'
import { templateProblem, templatesIn } from './kots-template.ts'
import { isNamespaceName, isReleaseName, NAMESPACE_NAME_HINT, RELEASE_NAME_HINT } from './release-name.ts'
import { readWeight } from './release-weight.ts'
import { readUpgradeFlags } from './upgrade-flags.ts'

/** A packaged chart among the manifests. */
export interface Archive extends ChartIdentity {
  readonly path: string
}

export interface HelmChartContext {
  readonly archives: readonly Archive[]
  /** Input `namespace`. */
  readonly namespace: string | undefined
  /** False: only name, namespace and weight count. */
  readonly deploys: boolean
}

export interface HelmChartRead {
  readonly spec?: ReleaseSpec
  /** Decides between equal weights. */
  readonly chartName: string
  readonly leftOut?: LeftOut
  readonly problems: readonly Problem[]
}

/** Fields of both versions; `docs` and `builder` have no effect on a deploy. Source: docs/sources.md#kots-helmchart. */
const FIELDS = new Set(['chart', 'exclude', 'namespace', 'values', 'optionalValues', 'weight', 'helmUpgradeFlags'])
const IDLE_FIELDS = new Set(['builder', 'docs'])
const FIELDS_OF_VERSION: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['kots.io/v1beta1', new Set(['useHelmInstall', 'helmVersion', 'releaseName'])],
  ['kots.io/v1beta2', new Set(['releaseName'])],
])

export function isHelmChart({ object }: RenderedDocument): boolean {
  return object.kind === 'HelmChart' && FIELDS_OF_VERSION.has(object.apiVersion)
}

/** A HelmChart document of KOTS as its own release. */
export function readHelmChart(document: RenderedDocument, context: HelmChartContext): HelmChartRead {
  const { apiVersion, kind, metadata } = document.object
  const ref = { apiVersion, kind, name: metadata.name ?? '' }
  const problems: Problem[] = []
  const report = (severity: Problem['severity'], key: string, what: string, hint: Hint): undefined => {
    const place = { file: document.file, line: document.line, ref, key }
    problems.push({ severity, reason: 'invalid-input', place, what: `HelmChart/${ref.name}: ${key} ${what}`, hint })
  }
  const fault = (key: string, what: string, hint: Hint): undefined => report('error', key, what, hint)
  const written = isJsonObject(document.object.spec) ? document.object.spec : {}
  const chartName = stringAt(written, 'chart', 'name') ?? ''
  if (goBoolean(written.exclude) === true) {
    return { chartName, leftOut: { ref, reason: 'excluded' }, problems }
  }
  const spec = withoutTemplates(written, context.deploys, (problem) => problems.push(problem), { document, ref })
  if (spec.exclude !== undefined && goBoolean(spec.exclude) === undefined) {
    fault('spec.exclude', `"${shownValue(spec.exclude)}" is neither "true" nor "false"`, {
      kind: 'write-quoted-boolean',
    })
  }
  fieldProblems(spec, apiVersion, { fault, warn: (key, what, hint) => report('warning', key, what, hint) })

  const name = textField(spec, ['chart', 'name'], fault)
  const version = textField(spec, ['chart', 'chartVersion'], fault)
  const hasTemplate = 'chart' in written && !('chart' in spec)
  const isMissing = (field: string) => !hasTemplate && at(written, 'chart', field) === undefined
  if (isMissing('name')) fault('spec.chart.name', 'is missing', { kind: 'write-chart-name' })
  if (context.deploys && isMissing('chartVersion')) {
    fault('spec.chart.chartVersion', 'is missing', { kind: 'write-chart-version' })
  }
  const inChart = apiVersion === 'kots.io/v1beta1' ? textField(spec, ['chart', 'releaseName'], fault) : undefined
  const release = textField(spec, ['releaseName'], fault) ?? inChart ?? name ?? ''
  if (release !== '' && !isReleaseName(release)) {
    fault('spec.releaseName', `"${shorten(release)}" is not valid`, RELEASE_NAME_HINT)
  }
  const ownNamespace = textField(spec, ['namespace'], fault)
  const namespace = ownNamespace ?? context.namespace
  if (ownNamespace !== undefined && !isNamespaceName(ownNamespace)) {
    fault('spec.namespace', `"${shorten(ownNamespace)}" is not valid`, NAMESPACE_NAME_HINT)
  }
  const weight = readWeight(spec.weight)
  if (weight === undefined) fault('spec.weight', `"${shownValue(spec.weight)}" is not valid`, { kind: 'write-integer' })
  const base = { release, ...defined({ namespace }), weight: weight ?? 0 }
  if (!context.deploys) return { spec: { ...base, source: { kind: 'record' } }, chartName, problems }

  const path = archivePath({ name, version }, document.file, context.archives, fault)
  const flags = readUpgradeFlags(spec.helmUpgradeFlags, (what, hint) => fault('spec.helmUpgradeFlags', what, hint))
  const text = stringifyJson(helmChartValues(spec, fault))
  const values = { files: [{ label: `${document.file} spec.values`, text }], ...flags.sets }
  const options = Object.keys(flags.options).length === 0 ? {} : { options: flags.options }
  return { spec: { ...base, source: { kind: 'chart', path, values }, ...options }, chartName, problems }
}

/** Fields that hold templates are reported in one problem and then ignored. */
function withoutTemplates(
  spec: JsonObject,
  deploys: boolean,
  add: (problem: Problem) => void,
  { document, ref }: { readonly document: RenderedDocument; readonly ref: LeftOut['ref'] },
): JsonObject {
  const named = new Set(['chart', 'exclude', 'namespace', 'releaseName', 'weight'])
  const counts = (field: string) => !IDLE_FIELDS.has(field) && (deploys || named.has(field))
  const fields = Object.entries(spec).map(([field, value]) => ({
    field,
    value,
    uses: counts(field) ? templatesIn({ [field]: value }, 'spec') : [],
  }))
  const problem = templateProblem(
    fields.flatMap(({ uses }) => uses),
    document,
    ref,
  )
  if (problem !== undefined) add(problem)
  return Object.fromEntries(fields.filter(({ uses }) => uses.length === 0).map(({ field, value }) => [field, value]))
}

interface Reports {
  readonly fault: (key: string, what: string, hint: Hint) => void
  readonly warn: (key: string, what: string, hint: Hint) => void
}

function fieldProblems(spec: JsonObject, apiVersion: string, { fault, warn }: Reports): void {
  // KOTS ignores it silently, and the chart is installed in the wrong order.
  if (isJsonObject(spec.chart) && spec.chart.weight !== undefined) {
    fault('spec.chart.weight', 'has no effect there', { kind: 'move-weight' })
  }
  if (apiVersion === 'kots.io/v1beta1') {
    const hint: Hint = { kind: 'use-helm-install' }
    if (spec.useHelmInstall === undefined) {
      warn('spec.useHelmInstall', 'is missing, which means false to KOTS; the chart is installed by Helm here', hint)
    } else if (spec.useHelmInstall !== true) {
      fault('spec.useHelmInstall', 'is not true; a chart is installed by Helm here', hint)
    }
    if (spec.helmVersion !== undefined && spec.helmVersion !== 'v3') {
      fault('spec.helmVersion', `"${shownValue(spec.helmVersion)}" is not v3`, { kind: 'leave-out' })
    }
  }
  const more = FIELDS_OF_VERSION.get(apiVersion)
  for (const field of Object.keys(spec)) {
    if (FIELDS.has(field) || IDLE_FIELDS.has(field) || more?.has(field)) continue
    warn(`spec.${shorten(field)}`, `is not a field of ${apiVersion} and is not used`, { kind: 'correct-name' })
  }
}

/** Path of the archive of this name and version, first in the folder of the document. */
function archivePath(
  { name, version }: { readonly name: string | undefined; readonly version: string | undefined },
  file: string,
  archives: readonly Archive[],
  fault: Reports['fault'],
): string {
  if (name === undefined || version === undefined) return '' // Already reported.
  const ofName = archives.filter((archive) => archive.name === name)
  const found = ofName.filter((archive) => archive.version === version)
  const [first] = [...found.filter(({ path }) => folderOf(path) === folderOf(file)), ...found]
  if (first !== undefined) return first.path
  const hint: Hint = { kind: 'put-archive-beside', file: `${name}-${version}.tgz` }
  const others = ofName.map((archive) => `${archive.path} holds ${archive.version}`).join(', ')
  if (others === '') fault('spec.chart.name', `"${shorten(name)}" is in none of the .tgz files`, hint)
  else fault('spec.chart.chartVersion', `"${shorten(version)}" is in none of the .tgz files; ${others}`, hint)
  return ''
}

function textField(
  spec: JsonObject,
  path: readonly [string, ...string[]],
  fault: Reports['fault'],
): string | undefined {
  const [field, inner] = path
  const outer = spec[field]
  const value = inner === undefined ? outer : isJsonObject(outer) ? outer[inner] : undefined
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  fault(`spec.${path.join('.')}`, 'is not a string', { kind: 'quote-text' })
  return undefined
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '.' : path.slice(0, slash)
}
