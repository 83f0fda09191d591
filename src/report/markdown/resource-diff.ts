import type { JsonObject } from '../../model/object.ts'
import { withoutTexts } from './embedded-texts.ts'
import { shortenedLines } from './long-lines.ts'
import { toYaml } from './readable-yaml.ts'
import { changedLines, type Hunk, textHunks } from './text-diff.ts'

/** What changes in one resource, line by line. Lines are foreign text and begin with `+`, `-`, a blank, `\` or `@@`. */
export interface ResourceDiff {
  readonly added: number
  readonly removed: number
  readonly lines: readonly string[]
  /** The lines that change, in full. */
  readonly changed: readonly string[]
  /** Lines left out at the end, because the diff is too long for any reader. */
  readonly omitted: number
}

/** Most lines of one resource; a CRD's schema alone could fill a comment. */
const MAX_LINES = 400

/**
 * The diff of two objects with `context` lines around each change: first as YAML, then each text inside of them that
 * differs. Undefined where they read the same.
 */
export function resourceDiff(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  context: number,
): ResourceDiff | undefined {
  if (before === undefined || after === undefined) return diffOf(yamlHunks(before, after, context))
  const rest = withoutTexts(before, after)
  const texts = rest.texts.flatMap((text) => textHunks(text, context))
  return diffOf([...yamlHunks(rest.before, rest.after, context), ...texts])
}

function yamlHunks(before: JsonObject | undefined, after: JsonObject | undefined, context: number): readonly Hunk[] {
  const options = before === undefined || after === undefined ? ({ spreadsJson: true } as const) : {}
  const [oldText = '', newText = ''] = [before, after].map((object) => object && toYaml(object, options))
  return changedLines(oldText, newText, context).map(({ lines, path }) => ({
    title: path === '' ? '...' : path,
    lines,
  }))
}

function diffOf(hunks: readonly Hunk[]): ResourceDiff | undefined {
  if (hunks.length === 0) return undefined
  const changed = hunks.flatMap(({ lines }) => lines)
  const amount = changed.length + hunks.length
  return {
    changed: changed.filter((line) => !line.startsWith(' ')),
    added: changed.filter((line) => line.startsWith('+')).length,
    removed: changed.filter((line) => line.startsWith('-')).length,
    lines: hunks
      .flatMap(({ lines, title }) => [`@@ ${title} @@`, ...shortenedLines(lines.slice(0, MAX_LINES))])
      .slice(0, MAX_LINES),
    omitted: Math.max(0, amount - MAX_LINES),
  }
}
