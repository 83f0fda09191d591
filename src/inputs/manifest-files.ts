import { messageOf } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import { compareText } from '../model/ref.ts'
import type { Files } from '../ports.ts'
import { readChart } from './chart-file.ts'
import { type Archive, folderOf } from './helm-chart.ts'
import { inputLines } from './input-lines.ts'
import { inputProblem, shorten } from './input-problem.ts'
import type { StartedPath } from './working-directory.ts'

/** The same files that `kubectl apply --filename` takes from a folder. */
const MANIFEST = /\.(ya?ml|json)$/
const ARCHIVE = /\.tgz$/
/** The time to read a pattern grows with the cube of its length: 2,000 brackets take seconds. */
const MAX_PATTERN_CHARS = 500

export interface ManifestFiles {
  /** Each once, in the order of the lines. */
  readonly yaml: readonly string[]
  readonly archives: readonly string[]
  readonly problems: readonly Problem[]
}

/** The files that input `manifests` names: each line is a file, a folder with everything below it, or a glob. */
export async function findManifestFiles(
  text: string,
  { files, started }: { readonly files: Files; readonly started: StartedPath },
): Promise<ManifestFiles> {
  const problems: Problem[] = []
  const paths: string[] = []
  for (const { text: written, at, line } of inputLines(text)) {
    const pattern = started(written)
    const wrong = (what: string, hint: Hint) =>
      problems.push(inputProblem('manifests', `${at}: "${shorten(pattern)}" ${what}`, hint, line))
    try {
      if ((await files.exists(pattern)) === 'file') paths.push(pattern)
      else if (pattern.length > MAX_PATTERN_CHARS) {
        wrong(`is a pattern of more than ${MAX_PATTERN_CHARS} characters`, { kind: 'write-manifests' })
      } else {
        const found = (await files.list(pattern)).filter((path) => MANIFEST.test(path) || ARCHIVE.test(path))
        if (found.length === 0) wrong('matches no file', { kind: 'write-manifests' })
        paths.push(...found)
      }
    } catch (error) {
      wrong(`cannot be listed: ${messageOf(error)}`, { kind: 'stay-in-workspace' })
    }
  }
  const unique = [...new Set(paths)]
  const charts = unique.filter((path) => /(^|\/)Chart\.ya?ml$/.test(path)).map(folderOf)
  for (const chart of charts.filter((folder) => !charts.some((outer) => folder.startsWith(`${outer}/`)))) {
    problems.push(
      inputProblem('manifests', `"${shorten(chart)}" is a chart, not a folder of manifests`, {
        kind: 'write-chart-in-charts',
      }),
    )
  }
  const outside = unique.filter((path) => !charts.some((chart) => chart === '.' || path.startsWith(`${chart}/`)))
  return {
    yaml: outside.filter((path) => !ARCHIVE.test(path)),
    archives: outside.filter((path) => ARCHIVE.test(path)),
    problems,
  }
}

/** The given archives and all others next to the HelmChart documents, each with name and version of its chart. */
export async function readArchives(
  given: readonly string[],
  folders: readonly string[],
  files: Files,
): Promise<{ readonly archives: readonly Archive[]; readonly problems: readonly Problem[] }> {
  const beside = await Promise.all(
    [...new Set(folders)].map((folder) => files.list(folder === '.' ? '*.tgz' : `${folder}/*.tgz`)),
  )
  const paths = [...new Set([...given, ...beside.flat()])].sort(compareText)
  const read = await Promise.all(paths.map(async (path) => ({ path, found: await readChart(path, files) })))
  return {
    archives: read.flatMap(({ path, found }) => ('name' in found ? [{ path, ...found }] : [])),
    problems: read.flatMap(({ path, found }) =>
      'name' in found
        ? []
        : [
            {
              severity: 'error' as const,
              reason: 'invalid-input' as const,
              place: { file: path },
              what: `${path} ${found.fault}`,
              hint: found.hint,
            },
          ],
    ),
  }
}
