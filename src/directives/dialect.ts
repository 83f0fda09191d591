import type { Directives } from '../model/directives.ts'
import type { Ref } from '../model/ref.ts'

/**
 * One family of annotations as a table: everything that is known about its keys. Annotations are read with it, and the
 * docs page is printed from it.
 */
export interface Dialect {
  readonly name: string
  /** As the docs name the family: `helm.sh`. Several dialects may share one. */
  readonly domain: string
  /** Keys that belong to this family, known or not. */
  readonly family: RegExp
  readonly rows: readonly Row[]
  /** Kinds that the tool reads for itself and never deploys: left out of a release of plain manifests. */
  readonly isOwnKind?: (ref: Pick<Ref, 'apiVersion' | 'kind'>) => boolean
}

export interface Row {
  /** As the docs show it: `<id>.external-dependency.werf.io/resource`. */
  readonly key: string
  /** Anchored on both sides; its named groups are handed to `parse`. */
  readonly pattern: RegExp
  /** The accepted form, as an object of "write ...". */
  readonly form: string
  readonly default: string
  readonly verbs: string
  readonly meaning: string
  /** How we differ from the tool that the key comes from; empty where we do not. */
  readonly differs: string
  /** Which objects the key means something on; elsewhere it is unused. Absent: all. */
  readonly on?: 'hooks' | 'Jobs'
  /** The key alone makes the object a hook, whatever its value. */
  readonly makesHook?: true
  /** The tool reads the key before Kubernetes does, so that its value may be a bare boolean. */
  readonly mayBeBoolean?: true
  /** Unused in files of `crds/`, which are deployed first whatever they say. */
  readonly isUnusedInCrds?: true
  /**
   * Whether this value on the live object keeps it from being deleted, whatever the chart says (docs/decisions/0008).
   */
  readonly keepsLive?: (value: string) => boolean
  readonly severity: 'error' | 'warning'
  /** Absent where the row of another dialect reads the key: this one documents further values of it. */
  readonly parse?: (value: string, context: ParseContext) => Reading
}

export interface ParseContext {
  readonly groups: { readonly [name: string]: string | undefined }
  readonly annotations: ReadonlyMap<string, string>
}

/** `fault`: what is wrong with the value, as a clause; `asked` then holds the part that could be understood. */
export interface Reading {
  readonly asked: Asked
  readonly fault?: string
}

/** The directives that one dialect sets. Lists are joined over its keys. */
export type Asked = Partial<Directives>
