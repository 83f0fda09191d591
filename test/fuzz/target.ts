/** One reader of foreign text, and texts that it takes. */
export interface Target {
  readonly name: string
  /** Files of `src` that it leads the texts through, see `readers.test.ts`. */
  readonly covers: readonly string[]
  readonly seeds: readonly string[]
  /** Throws where the text does more than it should; what is refused returns. */
  readonly read: (text: string) => void | Promise<void>
}
