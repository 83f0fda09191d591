import { structuredPatch } from 'diff'
import type { JsonObject } from '../../model/object.ts'
import { toYaml } from './readable-yaml.ts'

/** What changes in one resource, line by line. Lines are foreign text and begin with `+`, `-`, a blank or `@@`. */
export interface ResourceDiff {
  readonly added: number
  readonly removed: number
  readonly lines: readonly string[]
  /** Lines left out at the end, because the diff is too long for any reader. */
  readonly omitted: number
}

/** Most lines of one resource; a CRD's schema alone could fill a comment. */
const MAX_LINES = 400
/** Beyond that many edits the two texts have nothing in common worth aligning. */
const MAX_EDITS = 5_000

/** The diff of two objects as YAML with `context` lines around each change; undefined where they read the same. */
export function resourceDiff(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  context: number,
): ResourceDiff | undefined {
  const oldText = before === undefined ? '' : toYaml(before)
  const newText = after === undefined ? '' : toYaml(after)
  if (oldText === newText) return undefined
  const patch = structuredPatch('', '', oldText, newText, '', '', { context, maxEditLength: MAX_EDITS })
  if (patch === undefined) return wholly(oldText, newText)
  const newLines = newText.split('\n')
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ ${pathOfLine(newLines, hunk.newStart - 1 + firstChange(hunk.lines))} @@`,
    ...hunk.lines,
  ])
  return boundedDiff(lines)
}

function wholly(oldText: string, newText: string): ResourceDiff {
  const removed = oldText.split('\n').slice(0, -1)
  const added = newText.split('\n').slice(0, -1)
  return boundedDiff([...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)])
}

function boundedDiff(lines: readonly string[]): ResourceDiff {
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    lines: lines.slice(0, MAX_LINES),
    omitted: Math.max(0, lines.length - MAX_LINES),
  }
}

function firstChange(lines: readonly string[]): number {
  const index = lines.findIndex((line) => !line.startsWith(' '))
  return index === -1 ? 0 : index
}

/** `spec.template.spec.containers`: the keys above a line, by indentation. For the reader only. */
function pathOfLine(lines: readonly string[], index: number): string {
  const keys: string[] = []
  let indent = indentOf(lines[index] ?? '')
  for (let above = index - 1; above >= 0 && indent > 0; above--) {
    const line = lines[above] ?? ''
    const dash = line.search(/\S/)
    if (dash === -1 || dash >= indent) continue
    const key = /^\s*([^\s"'][^:]*):(?: [|>]\S*)?$/.exec(line)?.[1]
    indent = dash
    if (key !== undefined && !key.startsWith('- ')) keys.unshift(key)
  }
  return keys.length === 0 ? '...' : keys.join('.')
}

function indentOf(line: string): number {
  const first = line.search(/\S/)
  return first === -1 ? 0 : first
}
