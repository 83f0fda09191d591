import type { Manifest } from './manifest.ts'
import type { Occasion } from './verb.ts'

/**
 * Everything that annotations can ask for, the same for all dialects: no other room knows which one a directive came
 * from.
 */
export interface Directives {
  /** True for a Helm hook; decides ownership and what "finished" means (docs/decisions/0020). */
  readonly isHook: boolean
  readonly occasions: readonly Occasion[]
  readonly weight: number
  readonly ownership: 'release' | 'anyone'
  readonly deletePolicies: readonly DeletePolicy[]
  /** Absent: the default of the verb. */
  readonly deletePropagation?: DeletePropagation
  /** Never deleted, for any reason (`helm.sh/resource-policy: keep`, `werf.io/resource-policy: skip-delete`). */
  readonly keep: boolean
  /**
   * Left in the cluster by prune and uninstall though it is not `keep`: its `helm.sh/resource-policy` has a value that
   * Helm does not know (docs/decisions/0002). Recreation and delete policies still apply.
   */
  readonly leaveOnDelete?: boolean
  /** Left in the cluster when it leaves the chart, deleted on uninstall (`kots.io/keep`). */
  readonly keepOnPrune: boolean
  readonly skips: readonly ('create' | 'update' | 'recreate')[]
  readonly replicasOnCreation?: number
  readonly externalDependencies: readonly ExternalDependency[]
  readonly deployDependencies: readonly ResourceDependency[]
  readonly deleteDependencies: readonly ResourceDependency[]
  /** Phase of deletion, lowest first (`kots.io/deletion-phase`). Source: docs/sources.md#kots-phases. */
  readonly deletionPhase: number
  /** Nothing else is deployed until this resource is ready (`kots.io/wait-for-ready`). */
  readonly isReadyBarrier: boolean
  /** Nothing else is deployed until it has these values, which are waited for after its readiness. */
  readonly propertyWaits: readonly PropertyWait[]
  /** Left out of the release altogether (`kots.io/exclude`, `kots.io/when`). */
  readonly excluded: boolean
  /** A hook that the input `hooks`, or `--no-hooks` of a HelmChart document, leaves out of the run. */
  readonly isSwitchedOff?: true
  /**
   * True in a release of plain manifests where no `werf.io/weight` is given: `weight` is a phase of KOTS, the next one
   * starts once this one is applied, and readiness is awaited at the end of the stage (docs/decisions/0003).
   */
  readonly isPhased: boolean
  /** Helm 2's `test-failure`: the test passes when its Pod or Job fails. */
  readonly expectsFailure?: boolean
  readonly outputLogsOn: readonly ('succeeded' | 'failed')[]
  readonly sensitive?: boolean
  readonly sensitivePaths: readonly string[]
  /** Whether the group waits for it. */
  readonly wait: 'until-ready' | 'non-blocking'
  readonly failMode: 'stop' | 'ignore' | 'last'
  /** Absent: the default of the kind. */
  readonly failuresAllowedPerReplica?: number
  readonly noActivitySeconds?: number
  readonly skipLogs: boolean
  readonly skipContainers: readonly string[]
  /** Empty: all. */
  readonly onlyContainers: readonly string[]
  /** Empty: all lines. */
  readonly keepLines: readonly LinePattern[]
  readonly dropLines: readonly LinePattern[]
  /** Of how many pods of a Job logs are shown. Absent: of as many as are followed at all. */
  readonly logReplicas?: number
}

export type DeletePolicy = 'before-creation' | 'before-creation-if-immutable' | 'succeeded' | 'failed'
export type DeletePropagation = 'Foreground' | 'Background' | 'Orphan'

/**
 * A resource outside the release. `type` is as written (`deploy`, `statefulset`, `certificates.v1.cert-manager.io`).
 */
export interface ExternalDependency {
  /** The annotation that asks for it, for messages. */
  readonly key: string
  readonly type: string
  readonly name: string
  /** Absent: the release namespace. */
  readonly namespace?: string
}

/** Another resource of the same release, matched by whatever is given. Source: docs/sources.md#nelm-annotations. */
export interface ResourceDependency {
  readonly id: string
  readonly state: 'present' | 'ready' | 'absent'
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly group?: string
  readonly version?: string
}

export interface PropertyWait {
  /** As client-go writes JSONPath, without the braces: `.status.phase`. */
  readonly path: string
  readonly value: string
}

/** Lines of a log that match an RE2 pattern; of one container where `container` is given. */
export interface LinePattern {
  readonly pattern: string
  readonly container?: string
}

/**
 * What ends a wait early and what is shown meanwhile, as a plan holds it. Durations in seconds. Whether there is a wait at
 * all, and what its failure does, the plan says by the await operation itself.
 */
export interface Tracking extends Pick<Directives, 'failuresAllowedPerReplica' | 'noActivitySeconds'> {
  readonly logs: LogRules
}

export interface LogRules {
  readonly skip: boolean
  readonly skipContainers: readonly string[]
  readonly onlyContainers: readonly string[]
  readonly keep: readonly LinePattern[]
  readonly drop: readonly LinePattern[]
  readonly replicas?: number
}

/** A manifest with its directives. `unusedKeys`: annotation keys of other tools that were seen and not used. */
export interface Resource {
  readonly manifest: Manifest
  readonly directives: Directives
  readonly unusedKeys: readonly string[]
}
