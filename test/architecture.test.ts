import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { architectureMarkdown } from '../src/tools/docs.ts'
import { type Room, rooms } from '../src/tools/rooms.ts'

const SRC = resolve(import.meta.dirname, '../src')

interface Source {
  readonly file: string
  readonly room: string
  readonly imports: readonly string[]
  /** Those of them that a file imports types from, and nothing else. */
  readonly typeImports: readonly string[]
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map(read)
const own = sources.filter(({ file }) => !file.startsWith('tools/'))

describe('architecture', () => {
  test('every file imports only what its room may', () => {
    const known = new Set(rooms.map(({ name }) => name))
    expect(
      own.filter(({ room }) => !known.has(room)).map(({ file }) => `${file}: its room is not in the table`),
    ).toEqual([])
    const wrong = own.flatMap(({ file, room, imports }) => {
      const allowed = ruleOf(room)?.imports ?? []
      if (allowed === 'everything') return []
      const others = imports.filter((path) => path.startsWith('.')).map(roomOf)
      return others.filter((other) => other !== room && !allowed.includes(other)).map((other) => `${file}: ${other}`)
    })
    expect(wrong).toEqual([])
  })

  test('every file imports only what its folder of the room may', () => {
    const wrong = own.flatMap(({ file, room, imports }) => {
      const folders = ruleOf(room)?.folders
      if (folders === undefined) return []
      const folder = folders.find(({ name }) => name === folderOf(`./${file}`))
      if (folder === undefined) return [`${file}: its folder is not in the table`]
      const others = imports.filter((path) => roomOf(path) === room && path.startsWith('.')).map(folderOf)
      const foreign = others.filter((other) => other !== folder.name && !folder.imports.includes(other))
      return foreign.map((other) => `${file}: ${room}/${other}`)
    })
    expect(wrong).toEqual([])
  })

  test('no two files of the action have the same name', () => {
    const byName = Map.groupBy(own, ({ file }) => basename(file))
    const repeated = [...byName.values()].filter((files) => files.length > 1)
    expect(repeated.map((files) => files.map(({ file }) => file))).toEqual([])
  })

  test('no two files of the action export a function of the same name', () => {
    const exported = own.flatMap(({ file }) => [...new Set(functionsOf(file))].map((name) => ({ name, file })))
    const repeated = [...Map.groupBy(exported, ({ name }) => name)].filter(([, files]) => files.length > 1)
    expect(repeated.map(([name, files]) => `${name}: ${files.map(({ file }) => file).join(', ')}`)).toEqual([])
  })

  test('every file imports only packages that its room may', () => {
    const wrong = own.flatMap(({ file, room, imports, typeImports }) => {
      const { packages = [], typesOf = [] } = ruleOf(room) ?? {}
      const isAllowed = (path: string) =>
        [path, packageOf(path)].some((name) => packages.includes(name)) ||
        (typesOf.includes(packageOf(path)) && typeImports.includes(path))
      return imports.filter((path) => isOfPackage(path) && !isAllowed(path)).map((path) => `${file}: ${path}`)
    })
    expect(wrong).toEqual([])
  })

  test('no file imports itself by a detour', () => {
    const graph = new Map(
      sources.map(({ file, imports }) => [
        file,
        imports.filter((path) => path.startsWith('.')).map((path) => path.slice(2)),
      ]),
    )
    expect(cycles(graph)).toEqual([])
  })

  test('docs/architecture.md is printed from the table', () => {
    expect(readFileSync(resolve(SRC, '../docs/architecture.md'), 'utf8')).toBe(architectureMarkdown())
  })

  test('nothing in src imports test/', () => {
    const wrong = sources.filter(({ imports }) => imports.some((path) => path.startsWith('./../test/')))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test.each(['architecture', 'maintaining'])('every path that docs/%s.md names exists', (page) => {
    const text = readFileSync(resolve(SRC, `../docs/${page}.md`), 'utf8')
    const named = text.match(/\b(?:src|test|docs)\/[\w./-]*\w/g) ?? []
    const missing = [...new Set(named)].filter((path) => !existsSync(resolve(SRC, '..', path)))
    expect({ isRead: named.length > 15, missing }).toEqual({ isRead: true, missing: [] })
  })

  test('nothing of the action imports a tool', () => {
    expect(
      own.filter(({ imports }) => imports.some((path) => path.startsWith('./tools/'))).map(({ file }) => file),
    ).toEqual([])
  })
})

function ruleOf(room: string): Room | undefined {
  return rooms.find(({ name }) => name === room)
}

function read(file: string): Source {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm),
  ]
  const imports = found.flatMap(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? [])
  return {
    file,
    room: roomOf(`./${file}`),
    typeImports: [...text.matchAll(/^(?:import|export) type\b[^'"]*?from\s+'([^']+)'/gm)].flatMap(
      ([, from]) => from ?? [],
    ),
    imports: imports.map((path) =>
      path.startsWith('.') ? `./${relative(SRC, resolve(SRC, dirname(file), path))}` : path,
    ),
  }
}

/** `plan` of `./plan/hook-stage.ts`; a file beside the rooms is a room of its own. */
function roomOf(path: string): string {
  const parts = path.slice(2).split('/')
  return parts[0] ?? ''
}

function functionsOf(file: string): readonly string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].flatMap(([, name]) => name ?? [])
}

/** `words` of `./report/words/phrase.ts`. */
function folderOf(path: string): string {
  const parts = path.slice(2).split('/')
  return parts.length > 2 ? (parts[1] ?? '') : ''
}

function isOfPackage(path: string): boolean {
  return !path.startsWith('.') && !path.startsWith('node:')
}

/** `@scope/name` of `@scope/name/dist/file.js`. */
function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Depth-first walk with a visited set; linear in the number of imports. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file) || path.includes(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return found
}
