import type { ChartFiles } from './chart-files.ts'

/** A chart with dependencies, as it lies in a workspace before they are fetched. */
export interface DependencySet {
  readonly name: string
  /** The chart, and below its folder those that it names by `file://`. */
  readonly files: ChartFiles
  readonly requirements: readonly Requirement[]
  /** Folders of charts that have dependencies of their own, the lowest first: what helm must build before the chart. */
  readonly inner: readonly string[]
  readonly lock: 'absent' | 'fitting' | 'outdated'
  /** The `Chart.lock` that it was published with; else helm writes one. */
  readonly publishedLock?: PublishedLock
  /** How many of the archives that helm would fetch lie in `charts/` before. */
  readonly presentCount: number
  /** As by `--set`. */
  readonly set: readonly string[]
}

export interface PublishedLock {
  readonly digest: string
  /** In the order of the requirements. */
  readonly versions: readonly string[]
}

/** As in `Chart.yaml`. */
export interface Requirement {
  readonly name: string
  readonly version: string
  readonly repository: string
  readonly condition?: string
  readonly tags?: readonly string[]
  readonly alias?: string
  readonly 'import-values'?: readonly (string | object)[]
}
