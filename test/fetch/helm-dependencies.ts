import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { writeChart } from './chart-files.ts'
import type { DependencySet } from './dependency-set.ts'
import type { HelmHome } from './helm-home.ts'

/** What the real `helm` makes of a set. */
export interface HelmAnswer {
  /** SHA-256 of what lies in `charts/` of the chart, by `name-version.tgz`. */
  readonly archives: ReadonlyMap<string, string>
  readonly text: string
}

/** The `Chart.lock` that the set is published with, written at a time when less was published. */
export async function lockOf(set: DependencySet, helm: HelmHome, folder: string): Promise<string | undefined> {
  if (set.lock === 'absent') return undefined
  if (set.publishedLock !== undefined) {
    const dependencies = set.requirements.map(({ name, repository }, index) => {
      return { name, repository, version: set.publishedLock?.versions[index] }
    })
    return dump({ dependencies, digest: set.publishedLock.digest, generated: '2026-01-01T00:00:00Z' })
  }
  const chart = await writeSet(set, folder)
  if (set.lock === 'outdated') await changeRequirement(chart)
  await buildInner(set, helm, folder)
  await helm.run(['dependency', 'update', chart])
  return readFile(join(chart, 'Chart.lock'), 'utf8')
}

/** `helm dependency build`, or `update` where the lock no longer fits, and `helm template`. */
export async function helmAnswer(
  set: DependencySet,
  { helm, folder, lock }: { readonly helm: HelmHome; readonly folder: string; readonly lock: string | undefined },
): Promise<HelmAnswer> {
  const chart = await writeSet(set, folder, lock)
  await buildInner(set, helm, folder)
  await helm.run(['dependency', set.lock === 'outdated' ? 'update' : 'build', chart])
  const text = await helm.run(['template', 'web', chart, '--namespace', 'shop', '--set', set.set.join(',')])
  return { archives: await archivesIn(chart), text }
}

/** Writes the set, and gives the chart's folder. */
export async function writeSet(set: DependencySet, folder: string, lock?: string): Promise<string> {
  const chart = join(folder, 'app')
  await writeChart(folder, set.files)
  if (lock !== undefined) await writeFile(join(chart, 'Chart.lock'), lock)
  return chart
}

/** Copies the first archives that helm fetched. */
export async function fillCharts(chart: string, from: string, count: number): Promise<void> {
  const archives = [...(await archivesIn(from)).keys()].slice(0, count)
  if (archives.length > 0) await mkdir(join(chart, 'charts'), { recursive: true })
  for (const name of archives) await copyFile(join(from, 'charts', name), join(chart, 'charts', name))
}

/** As it was before somebody asked for something else. */
async function changeRequirement(chart: string): Promise<void> {
  const path = join(chart, 'Chart.yaml')
  const metadata = load(await readFile(path, 'utf8')) as { readonly dependencies: readonly object[] }
  const [first, ...others] = metadata.dependencies
  const dependencies = [{ ...first, version: '>=0.9.0' }, ...others]
  await writeFile(path, JSON.stringify({ ...metadata, dependencies }))
}

async function buildInner({ inner }: DependencySet, helm: HelmHome, folder: string): Promise<void> {
  for (const name of inner) await helm.run(['dependency', 'update', join(folder, name)])
}

async function archivesIn(chart: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(join(chart, 'charts')).catch(() => [])).sort()
  const digests = new Map<string, string>()
  for (const name of names) {
    const bytes = await readFile(join(chart, 'charts', name))
    digests.set(name, createHash('sha256').update(bytes).digest('hex'))
  }
  return digests
}
