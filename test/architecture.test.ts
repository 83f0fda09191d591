import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { architectureMarkdown } from '../src/tools/docs.ts'
import { rooms } from '../src/tools/rooms.ts'

const SRC = resolve(import.meta.dirname, '../src')

interface Source {
  readonly file: string
  readonly room: string
  readonly imports: readonly string[]
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map(read)
const own = sources.filter(({ file }) => !file.startsWith('tools/'))

describe('architecture', () => {
  test.each(own)('$file imports only what its room may', ({ room, imports }) => {
    const rule = rooms.find(({ name }) => name === room)
    expect(rule, `room ${room} is not in the table`).toBeDefined()
    const allowed = rule?.imports
    if (allowed === 'everything') return
    const others = imports.filter((path) => path.startsWith('.')).map(roomOf)
    expect(others.filter((other) => other !== room && !allowed?.includes(other))).toEqual([])
  })

  test.each(own)('$file imports only packages that its room may', ({ room, imports }) => {
    const packages = imports.filter((path) => !path.startsWith('.') && !path.startsWith('node:')).map(packageOf)
    const allowed = rooms.find(({ name }) => name === room)?.packages ?? []
    expect(packages.filter((name) => !allowed.includes(name))).toEqual([])
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

  test('nothing of the action imports a tool', () => {
    expect(
      own.filter(({ imports }) => imports.some((path) => path.startsWith('./tools/'))).map(({ file }) => file),
    ).toEqual([])
  })
})

function read(file: string): Source {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm),
  ]
  const imports = found.flatMap(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? [])
  return {
    file,
    room: roomOf(`./${file}`),
    imports: imports.map((path) =>
      path.startsWith('.') ? `./${relative(SRC, resolve(SRC, dirname(file), path))}` : path,
    ),
  }
}

/** `plan` of `./plan/hooks.ts`; a file beside the rooms is a room of its own. */
function roomOf(path: string): string {
  const parts = path.slice(2).split('/')
  return parts[0] ?? ''
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
