import { relative, resolve } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isBindingElement,
  isClassDeclaration,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportSpecifier,
  isInterfaceDeclaration,
  isMethodSignatureDeclaration,
  isNamespaceImport,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
} from 'typescript/unstable/ast/is'
import { API, type Checker, type Symbol as MemberSymbol } from 'typescript/unstable/sync'

const ROOT = resolve(import.meta.dirname, '..')

/** `src/ports.ts Files.write`, as the tests print it. */
export interface Unused {
  /** Members of interfaces and types of `src/model` and `src/ports.ts` that no code of `src` reads. */
  readonly members: readonly string[]
  /** Exports of `src` that no other file of `src` imports. */
  readonly exports: readonly string[]
}

/**
 * Asks the compiler. Reading is `x.member`, `{ member } = x` and `'member' in x`; writing is not, nor is
 * a spread or a hand-over to something of the same shape: what is read in such a way only stands in the test's list.
 */
export function findUnused(): Unused {
  const api = new API({ cwd: ROOT })
  try {
    const project = api
      .updateSnapshot({ openProjects: [resolve(ROOT, 'tsconfig.json')] })
      .getProject(resolve(ROOT, 'tsconfig.json'))
    if (project === undefined) throw new Error('the compiler does not open tsconfig.json')
    const { program, checker } = project
    const sources = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${ROOT}/src/`))
      .flatMap((name) => program.getSourceFile(name) ?? [])
    const read = readMembers(sources, checker)
    const members = sources
      .filter(({ fileName }) => /\/src\/(model\/|ports\.ts$)/.test(fileName))
      .flatMap((source) => membersOf(source))
    return {
      members: members.filter(({ key, member }) => !read.has(key) && !read.has(member)).map(({ name }) => name),
      exports: unimported(sources),
    }
  } finally {
    api.close()
  }
}

interface Member {
  readonly key: string
  readonly member: string
  readonly name: string
}

function membersOf(source: SourceFile): readonly Member[] {
  const found: Member[] = []
  const visit = (node: Node, path: string): void => {
    let below = path
    if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) || isClassDeclaration(node)) {
      below = node.name?.text ?? ''
    }
    if ((isPropertySignatureDeclaration(node) || isMethodSignatureDeclaration(node)) && path !== '') {
      const member = identifierText(node.name)
      below = `${path}.${member}`
      found.push({ key: declarationKey(node), member: `in ${member}`, name: `${sourcePath(source)} ${below}` })
    }
    node.forEachChild((child) => visit(child, below))
  }
  visit(source, '')
  return found
}

/** Keys of declarations that are read, and `in member` for each member that is looked for by its name. */
function readMembers(sources: readonly SourceFile[], checker: Checker): ReadonlySet<string> {
  const accessed: Node[] = []
  const patterns: Node[] = []
  const read = new Set<string>()
  const visit = (node: Node): void => {
    if (isPropertyAccessExpression(node)) accessed.push(node.name)
    if (isObjectBindingPattern(node)) patterns.push(node)
    if (isBinaryExpression(node) && isStringLiteral(node.left)) read.add(`in ${node.left.text}`)
    node.forEachChild(visit)
  }
  for (const source of sources) visit(source)
  const add = (symbol: MemberSymbol | undefined): void => {
    for (const handle of symbol?.declarations ?? []) {
      const declaration = handle.resolve()
      if (declaration !== undefined) read.add(declarationKey(declaration))
    }
  }
  for (const symbol of checker.getSymbolAtLocation(accessed)) add(symbol)
  const types = checker.getTypeAtLocation(patterns)
  for (const [index, pattern] of patterns.entries()) {
    const type = types[index]
    if (type === undefined) continue
    pattern.forEachChild((element) => {
      const name = isBindingElement(element) ? (element.propertyName ?? element.name) : undefined
      if (name !== undefined) add(checker.getPropertyOfType(type, identifierText(name)))
    })
  }
  return read
}

function unimported(sources: readonly SourceFile[]): readonly string[] {
  const used = new Set<string>()
  for (const source of sources) {
    source.forEachChild((statement) => {
      if (!isImportDeclaration(statement) && !isExportDeclaration(statement)) return
      const from = statement.moduleSpecifier
      if (from === undefined || !isStringLiteral(from) || !from.text.startsWith('.')) return
      const file = resolve(source.fileName, '..', from.text)
      const visit = (node: Node): void => {
        if (isImportSpecifier(node)) used.add(`${file} ${identifierText(node.propertyName ?? node.name)}`)
        if (isNamespaceImport(node)) used.add(`${file} *`)
        node.forEachChild(visit)
      }
      visit(statement)
    })
  }
  return sources.flatMap((source) => {
    const { fileName, text } = source
    if (used.has(`${fileName} *`)) return []
    return [...text.matchAll(EXPORTED)].flatMap(([, what = '', name = '']) => {
      const isNamedHere = isType(what) && text.split(new RegExp(`\\b${name}\\b`)).length > 2
      return isNamedHere || used.has(`${fileName} ${name}`) ? [] : [`${sourcePath(source)} ${name}`]
    })
  })
}

const EXPORTED = /^export (?:async )?(function\*?|const|let|class|interface|type) ([A-Za-z_$][\w$]*)/gm

/** A type may be exported because it stands in the signature of another export. */
function isType(what: string): boolean {
  return what === 'interface' || what === 'type'
}

function identifierText(node: Node): string {
  return isIdentifier(node) || isStringLiteral(node) ? node.text : ''
}

function sourcePath(source: SourceFile): string {
  return relative(ROOT, source.fileName)
}

function declarationKey(node: Node): string {
  return `${node.getSourceFile().fileName}:${node.pos}`
}
