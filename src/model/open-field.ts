import type { Ref } from './ref.ts'

/** A value that only the cluster, or chance, decides once an earlier release of the run is deployed. */
export interface OpenSource {
  readonly ref: Ref
  /** JSON pointer in that object. */
  readonly path: string
  /** The base64 text of a Secret's value, not the value. */
  readonly isEncoded?: true
}

/** `word`: letters and digits of this length that follow from sources in some other way: a checksum. */
export type OpenPart =
  | { readonly fixed: string }
  | { readonly of: OpenSource; readonly value?: string }
  | { readonly word: number }

/** A text that is known but for such values, which stand in it as they are (docs/decisions/0045). */
export interface OpenField {
  /** JSON pointer in the rendered object. */
  readonly path: string
  /** As it is rendered now. */
  readonly text: string
  readonly parts: readonly OpenPart[]
  /** The parts are those of the decoded text. */
  readonly isEncoded?: true
  /** The cluster has said all of it. */
  readonly isKnown?: true
}
