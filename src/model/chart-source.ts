/** Where a chart is that does not lie in the workspace. */
export type RemoteChart =
  /** A packaged chart at an address of its own. */
  | { readonly kind: 'archive'; readonly url: string }
  /** `oci://host/repository`; `version` is a version or a range of them, and becomes a tag. */
  | {
      readonly kind: 'registry'
      readonly host: string
      readonly repository: string
      readonly version?: string
      readonly digest?: string
    }
  /** A chart in the repository whose `index.yaml` is below `url`. */
  | { readonly kind: 'repository'; readonly url: string; readonly name: string; readonly version?: string }

/** What was taken, as plan, comment, hash and outputs name it. */
export interface ChartOrigin {
  readonly name: string
  readonly version: string
  /** Without credentials: `oci://registry.example/charts/shop`, `https://charts.example/shop-1.2.0.tgz`. */
  readonly source: string
  /** `sha256:` and 64 hex digits: of the archive; in a registry, of the manifest. */
  readonly digest: string
  /** Names of the key that signed it, where that was checked. */
  readonly signedBy?: string
}

export interface FetchedChart extends ChartOrigin {
  /** The archive on this machine, absolute. */
  readonly path: string
}

/** A chart that `Chart.yaml` names and `charts/` lacks. */
export interface FetchedDependency extends Omit<FetchedChart, 'digest'> {
  /** Names of the charts above it, below the root; empty for a dependency of the root. */
  readonly parent: readonly string[]
  /** Absent for one of the workspace (`file://`). */
  readonly digest?: string
  /** `Chart.lock` names this very version, `Chart.yaml` asks for no other one, or it lies in the workspace. */
  readonly isLocked: boolean
}

/** A part of a release that did not lie in the workspace, as its plan names it. */
export interface FetchedPart extends ChartOrigin {
  /** Absent for the chart itself. Names of the charts above the dependency, below the root. */
  readonly parent?: readonly string[]
  /** A dependency whose version `Chart.lock` does not name: another run may take another one. */
  readonly isUnlocked?: true
}
