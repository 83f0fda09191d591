import type { KubeObject } from './object.ts'

/** One parsed document of a chart, of a stored manifest or of a file of the workspace. */
export interface RenderedDocument {
  readonly object: KubeObject
  readonly text: string
  /** `chart/templates/web.yaml`, as in Helm's `# Source:`. */
  readonly file: string
  /** Line of the document's first line in the rendered text of `file`, from 1. */
  readonly line: number
  /**
   * The same document of a second render, where it differs (random values, the time).
   * See docs/decisions/0027.
   */
  readonly again?: KubeObject
}
