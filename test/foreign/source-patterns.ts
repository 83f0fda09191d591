import { relative, resolve } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { isCallExpression, isIdentifier, isNewExpression, isRegularExpressionLiteral } from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

const ROOT = resolve(import.meta.dirname, '../..')

export interface SourcePattern {
  readonly file: string
  /** As it is written: a literal, or the whole `new RegExp(...)`. */
  readonly text: string
  readonly isLiteral: boolean
}

/** The regular expressions of the action (`src` without its tools), as the compiler's tree has them. */
export function sourcePatterns(): readonly SourcePattern[] {
  const api = new API({ cwd: ROOT })
  try {
    const config = resolve(ROOT, 'tsconfig.json')
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program
    if (program === undefined) throw new Error('the compiler does not open tsconfig.json')
    const names = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${ROOT}/src/`) && !name.startsWith(`${ROOT}/src/tools/`))
    return names.flatMap((name) => {
      const source = program.getSourceFile(name)
      if (source === undefined) return []
      const found: SourcePattern[] = []
      const file = relative(ROOT, name)
      const walk = (node: Node): void => {
        const text = () => source.text.slice(node.pos, node.end).trim()
        if (isRegularExpressionLiteral(node)) found.push({ file, text: node.text, isLiteral: true })
        const isMade = isNewExpression(node) || isCallExpression(node)
        if (isMade && isIdentifier(node.expression) && node.expression.text === 'RegExp') {
          found.push({ file, text: text(), isLiteral: false })
        }
        node.forEachChild(walk)
      }
      walk(source)
      return found
    })
  } finally {
    api.close()
  }
}

export function literal(text: string): { readonly source: string; readonly flags: string } {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}
