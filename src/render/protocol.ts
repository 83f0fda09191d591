import type { ReleaseHook, ValuesInput } from '../model/release.ts'
import type { ChartRules } from '../ports.ts'

/** What the engine is asked and answers, as JSON. The other side is `engine/request.go`. */
export interface EngineRequest {
  readonly chartPath: string
  readonly release: string
  readonly namespace: string
  readonly revision: number
  readonly isUpgrade: boolean
  readonly values: ValuesInput
  readonly dependencies: readonly EngineDependency[]
  /** `chartValues` and `config` are JSON texts. */
  readonly reuse?: {
    readonly keepsDefaults: boolean
    readonly chartName: string
    readonly chartValues: string
    readonly config: string
  }
  /** Empty: the engine's default. */
  readonly kubeVersion: string
  /** Empty: the engine's default list; else what the cluster serves, to which the chart's own `crds/` are added. */
  readonly apiVersions: readonly string[]
  readonly extraApiVersions: readonly string[]
  readonly hasLookup: boolean
}

/** A chart that goes to those of `charts/`: its parents' names below the root, its directory or archive. */
export interface EngineDependency {
  readonly parent: readonly string[]
  readonly path: string
  readonly name: string
}

/** A question of `ChartRules`: one of these. The other side is `engine/question.go`. */
export interface EngineQuestion {
  readonly choose?: Parameters<ChartRules['choose']>[0]
  readonly requirements?: {
    readonly chartPath: string
    readonly values: ValuesInput
    readonly dependencies: readonly EngineDependency[]
  }
  /** Path of a chart. */
  readonly load?: string
  readonly verify?: Required<Parameters<ChartRules['verify']>[0]>
}

export interface EngineResult {
  /** All documents of `templates/`, hooks and those that Helm drops included, in Helm's install order. */
  readonly documents: readonly EngineDocument[] | null
  readonly crds: readonly EngineDocument[] | null
  readonly crdFiles: readonly { readonly file: string; readonly text: string }[] | null
  readonly notes: string
  readonly manifest: string
  readonly hooks: readonly ReleaseHook[] | null
  /** JSON text. */
  readonly chart: string
  /** JSON text. */
  readonly config: string
  readonly metadata: {
    readonly name: string
    readonly version: string
    readonly appVersion?: string
  }
  readonly warnings: readonly string[] | null
  /** Files that differ in a second render, with their documents in the order of the file. */
  readonly again: readonly EngineFileAgain[] | null
}

export interface EngineFileAgain {
  readonly file: string
  /** Without text. */
  readonly documents: readonly EngineDocument[] | null
}

export interface EngineDocument {
  readonly file: string
  readonly line: number
  readonly text: string
  /** JSON text; `null` for a document of comments only. */
  readonly json: string
  /** Path in the document's `# Source:` comment, as in stored manifests. */
  readonly source?: string
}

export interface EngineFailure {
  readonly message: string
  readonly chart?: string
  readonly template?: string
  readonly line?: number
}

export interface EngineAnswer<Result> {
  readonly result?: Result
  readonly failure?: EngineFailure
}

/** An answer as it comes: see `engine-answer.ts`. */
export interface PackedAnswer {
  /** JSON text. */
  readonly header: string
  /** All long texts, one after the other, as UTF-8. */
  readonly texts: Uint8Array<ArrayBuffer>
}

/** To the worker thread. */
export type ToWorker =
  | { readonly type: 'render'; readonly request: string }
  | { readonly type: 'ask'; readonly question: string }
  | { readonly type: 'parse'; readonly file: string; readonly text: string }
  | { readonly type: 'looked-up'; readonly id: number; readonly json: string }
  | { readonly type: 'lookup-failed'; readonly id: number; readonly message: string }

/** From the worker thread. */
export type FromWorker =
  | ({ readonly type: 'answer' } & PackedAnswer)
  | { readonly type: 'entered'; readonly step: string; readonly name: string }
  /** The templates in the order in which they will run; `WorkerData.progress` counts those that have. */
  | { readonly type: 'templates'; readonly names: readonly string[] }
  | {
      readonly type: 'lookup'
      readonly id: number
      readonly apiVersion: string
      readonly kind: string
      readonly namespace: string
      readonly name: string
    }
  /** The engine has stopped: its memory is used up, or Go ended it. */
  | { readonly type: 'died'; readonly cause: 'memory' }
  | { readonly type: 'died'; readonly cause: 'crash'; readonly printed: string; readonly exitCode: number }

export interface WorkerData {
  /** The engine, zstd-compressed. */
  readonly enginePath: string
  /** IANA name, for `date` in templates. */
  readonly timeZone: string
  readonly maxMemoryBytes: number
  /** One number in shared memory: how many templates of the current render are done. */
  readonly progress: Int32Array
}
