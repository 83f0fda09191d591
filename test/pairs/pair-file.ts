import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Two versions of a chart, and what their upgrade shows. */
export interface ChartPair {
  readonly name: string
  readonly title: string
  readonly old: ChartFiles
  readonly new: ChartFiles
}

/** Texts by path in the chart's folder. */
export type ChartFiles = ReadonlyMap<string, string>

const CHARTS = join(import.meta.dirname, 'charts')
const BASE = join(import.meta.dirname, 'base.txtar')
const EXTENSION = '.txtar'

/** All pairs of `charts/`, by name. What a pair does not say itself is that of `base.txtar`. */
export async function readPairs(): Promise<readonly ChartPair[]> {
  const files = (await readdir(CHARTS)).filter((file) => file.endsWith(EXTENSION)).toSorted()
  const base = parsePair('base', await readFile(BASE, 'utf8'))
  return Promise.all(
    files.map(async (file) => {
      const pair = parsePair(basename(file, EXTENSION), await readFile(join(CHARTS, file), 'utf8'))
      const over = (version: 'old' | 'new') => new Map([...base[version], ...pair[version]])
      return { ...pair, old: over('old'), new: over('new') }
    }),
  )
}

/**
 * One text for both charts, in the form of Go's txtar: a title, then each file behind `-- path --`. A path that begins
 * with `old/` or `new/` belongs to that version alone, any other to both.
 */
export function parsePair(name: string, text: string): ChartPair {
  const [title = '', ...rest] = text.split(MARKER)
  const sections = rest.flatMap((path, index) => (index % 2 === 0 ? [{ path, text: rest[index + 1] ?? '' }] : []))
  const filesOf = (version: 'old' | 'new') =>
    new Map(
      sections.flatMap(({ path, text }): readonly (readonly [string, string])[] => {
        const [, of, own = ''] = VERSIONED.exec(path) ?? []
        if (of === undefined) return [[path, text]]
        return of === version ? [[own, text]] : []
      }),
    )
  return { name, title: title.trim().replaceAll(/\s+/g, ' '), old: filesOf('old'), new: filesOf('new') }
}

const MARKER = /^-- (\S+) --\n/m
const VERSIONED = /^(old|new)\/(.+)$/

/** Writes both charts below the folder, as `old` and `new`. */
export async function writeCharts(pair: ChartPair, folder: string): Promise<{ readonly [V in 'old' | 'new']: string }> {
  const paths = { old: join(folder, 'old'), new: join(folder, 'new') }
  for (const version of ['old', 'new'] as const) {
    for (const [path, text] of pair[version]) {
      const file = join(paths[version], path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }
  return paths
}
