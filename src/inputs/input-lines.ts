/** One line of an input, or one entry of a list in it. `line` counts from 1. */
export interface InputEntry {
  readonly text: string
  /** `line 2` or `entry 2`. */
  readonly at: string
  readonly line?: number
}

/** Lines without the blanks around them and without empty ones. */
export function inputLines(text: string): readonly InputEntry[] {
  return text
    .split('\n')
    .map((content, index) => ({ text: content.trim(), at: `line ${index + 1}`, line: index + 1 }))
    .filter((entry) => entry.text !== '')
}
