import type { JsonObject, KubeObject } from './object.ts'
import type { OpenField } from './open-field.ts'
import type { Ref } from './ref.ts'

/** Where a document was written: the chart's template path as Helm's `# Source:` gives it, or a workspace file. */
export interface Origin {
  readonly file: string
  /** Line of the document's first line in the rendered text of that file, from 1. */
  readonly line?: number
}

/** One parsed document. `ref.namespace` is filled in (release namespace) for namespaced kinds. */
export interface Manifest {
  readonly ref: Ref
  readonly object: KubeObject
  readonly origin: Origin
  /** `crds`: from a chart's `crds/` directory, which Helm never templates. `template`: everything else. */
  readonly source: 'crds' | 'template'
  /** JSON pointers whose values differ each time the chart is rendered. */
  readonly varies?: readonly string[]
  /** The object of another render, where any value differs (docs/decisions/0027). */
  readonly again?: JsonObject
  /** Texts that hold what only the cluster will say of an earlier release of the run (docs/decisions/0045). */
  readonly open?: readonly OpenField[]
}
