import type { RenderedDocument } from './document.ts'
import type { JsonObject } from './object.ts'
import type { ReleaseHook } from './release.ts'

export type { RenderedDocument }

/** What rendering one chart gives. Texts are Helm's own. */
export interface Rendered {
  /** Documents of `templates/`, hooks among them, in Helm's install order. */
  readonly documents: readonly RenderedDocument[]
  /** Objects of every `crds/` directory, parents first. */
  readonly crds: readonly RenderedDocument[]
  readonly notes: string
  readonly chart: ChartInfo
  /** `chart`, `config`, `manifest` and `hooks` as they belong into Helm's release record. */
  readonly record: {
    readonly chart: JsonObject
    readonly config: JsonObject
    readonly manifest: string
    readonly hooks: readonly ReleaseHook[]
  }
  readonly warnings: readonly string[]
}

export interface ChartInfo {
  readonly name: string
  readonly version: string
  readonly appVersion?: string
}
