import type { Hint } from '../../model/hint.ts'
import { BIND_ROLE, hintText } from '../words/hint-text.ts'
import { roleOf } from '../words/role.ts'
import { fence, prose } from './markdown.ts'
import { toYaml } from './readable-yaml.ts'

/** Longest hint whose Role is laid out, in UTF-16 units. */
const MAX_LAID_OUT_CHARS = 20_000

/**
 * What to do next as lines of Markdown: one of running text, and a Role to paste as YAML in a fence of its own, unescaped,
 * so that it can be copied.
 */
export function hintLines(hint: Hint): readonly string[] {
  const text = hintText(hint)
  if (hint.kind !== 'bind-role' || text.length > MAX_LAID_OUT_CHARS) return [prose(text)]
  const lines = toYaml(roleOf(hint.rights)).trimEnd().split('\n')
  return [prose(BIND_ROLE), '', ...fence(lines, 'yaml').split('\n')]
}
