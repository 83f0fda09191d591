import { isKotsKind } from '../directives/kots.ts'
import { directivesOf } from '../directives/read-directives.ts'
import { messageOf } from '../model/errors.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, refOfObject } from '../model/ref.ts'
import type { LeftOut, ReleaseSpec } from '../model/release.ts'
import type { RenderedDocument } from '../model/rendered.ts'
import type { Files, Renderer } from '../ports.ts'
import { folderOf, type HelmChartRead, isHelmChart, readHelmChart } from './helm-chart.ts'
import { templateFunctions, templateProblem, templatesIn, withLiterals } from './kots-template.ts'
import { findManifestFiles, readArchives } from './manifest-files.ts'
import type { StartedPath } from './working-directory.ts'

export interface ManifestsContext {
  readonly files: Files
  readonly started: StartedPath
  readonly renderer: Renderer
  /** Input `namespace`. */
  readonly namespace: string | undefined
  /** False: the releases are worked on from their records, and only names, namespaces and weights count. */
  readonly deploys: boolean
}

export interface ManifestsRead {
  /** Plain manifests, in the order of the input, files of a folder by path. */
  readonly documents: readonly RenderedDocument[]
  /** Releases of HelmChart documents, by chart name, as KOTS orders equal weights (docs/sources.md#kots-helmchart). */
  readonly charts: readonly ReleaseSpec[]
  readonly leftOut: readonly LeftOut[]
  readonly problems: readonly Problem[]
}

/** Input `manifests`: files, folders and globs of plain YAML, a release folder of KOTS among them. */
export async function readManifests(text: string, context: ManifestsContext): Promise<ManifestsRead> {
  const found = await findManifestFiles(text, context)
  const read = await Promise.all(found.yaml.map((path) => readManifestFile(path, context)))
  const documents = read.flatMap((file) => ('documents' in file ? file.documents : []))
  const helmCharts = documents.filter(isHelmChart)
  const kotsOnly = documents.filter((document) => !isHelmChart(document) && isLeftOut(document))
  const plain = documents.filter((document) => !isHelmChart(document) && !isLeftOut(document))

  const archives = context.deploys
    ? await readArchives(
        found.archives,
        helmCharts.map(({ file }) => folderOf(file)),
        context.files,
      )
    : { archives: [], problems: [] }
  const charts = helmCharts.map((document) => readHelmChart(document, { ...context, archives: archives.archives }))
  return {
    documents: plain,
    charts: byChartName(charts).flatMap(({ spec }) => (spec === undefined ? [] : [spec])),
    leftOut: [
      ...kotsOnly.map(kotsDocument),
      ...charts.flatMap(({ leftOut }) => (leftOut === undefined ? [] : [leftOut])),
    ],
    problems: [
      ...found.problems,
      ...read.flatMap((file) => ('documents' in file ? [] : [file])),
      ...archives.problems,
      ...charts.flatMap(({ problems }) => problems),
      ...(context.deploys ? [...plain.flatMap(plainProblems), ...unusedArchives(archives.archives, charts)] : []),
    ],
  }
}

async function readManifestFile(
  file: string,
  { files, renderer }: ManifestsContext,
): Promise<{ readonly documents: readonly RenderedDocument[] } | Problem> {
  let text = ''
  try {
    text = withLiterals(await files.read(file))
    return { documents: await renderer.parse(text, file) }
  } catch (error) {
    const functions = templateFunctions(text)
    const templates =
      functions.length === 0
        ? ''
        : `; it uses template functions of KOTS, which are not evaluated here: ${functions.join(', ')}`
    return {
      severity: 'error',
      reason: 'invalid-input',
      place: { file },
      what: `${file} cannot be read: ${messageOf(error)}${templates}`,
      hint: { kind: 'write-objects' },
    }
  }
}

function isLeftOut({ object }: RenderedDocument): boolean {
  return isKotsKind(object)
}

function kotsDocument({ object }: RenderedDocument): LeftOut {
  return { ref: refOfObject(object), reason: 'kots-only' }
}

/** Templates do not matter in an object that its annotations exclude. */
function plainProblems(document: RenderedDocument): readonly Problem[] {
  const problem = templateProblem(templatesIn(document.object, ''), document, refOfObject(document.object))
  return problem === undefined || isExcluded(document) ? [] : [problem]
}

function isExcluded({ file, line, object }: RenderedDocument): boolean {
  const manifest = { ref: refOfObject(object), object, origin: { file, line }, source: 'template' as const }
  return directivesOf([manifest], { isPlainManifests: true }).resources.some(({ directives }) => directives.excluded)
}

function byChartName(charts: readonly HelmChartRead[]): readonly HelmChartRead[] {
  return charts.toSorted(
    (a, b) => compareText(a.chartName, b.chartName) || compareText(a.spec?.release ?? '', b.spec?.release ?? ''),
  )
}

/** KOTS does not install it either (docs/sources.md#kots-helmchart). */
function unusedArchives(
  archives: readonly { readonly path: string; readonly name: string; readonly version: string }[],
  charts: readonly HelmChartRead[],
): readonly Problem[] {
  const used = new Set(charts.flatMap(({ spec }) => (spec?.source.kind === 'chart' ? [spec.source.path] : [])))
  const excluded = new Set(charts.flatMap(({ leftOut, chartName }) => (leftOut === undefined ? [] : [chartName])))
  return archives
    .filter(({ path, name }) => !used.has(path) && !excluded.has(name))
    .map(({ path, name, version }) => ({
      severity: 'warning',
      reason: 'invalid-input',
      place: { file: path },
      what: `${path} is not deployed: no HelmChart document names chart ${name} ${version}`,
      hint: { kind: 'add-helm-chart' },
    }))
}
