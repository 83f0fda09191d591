import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const DECISIONS = join('docs', 'decisions')
const TEXT = /\.(ts|js|mjs|go|md|ya?ml|json|txt|tpl|tmpl)$/

/** What could be read only outside of the repository. Patterns are written so that they do not match themselves. */
const FORBIDDEN: readonly RegExp[] = [
  /\bissues? \d/i,
  /\bdesign (decision|\d)/i,
  /\bdecisions? \d/i,
  /\btraps? \(?\d/i,
  /\b(AC|[FP])-\d{2}\b/,
  /\bSources?: [A-Z]\d/,
  /engine-semantic[s]|other-dialect[s]|action-u[x]|pains-an[d]|feasibilit[y]|model-codebase[s]/i,
  /\bdesign\.m[d]\b|\bstyle\.m[d]\b/,
  /\bsources\/[a-z0-9-]+\.(ru|en|zh)\b/,
  /\bshared\/(reference|sources|cases|hooks)\b/,
]

/** Texts of the repository by path: code, tests, pages and workflows. */
const texts = new Map(
  [...['src', 'test', 'docs', '.github', 'examples'].flatMap(filesIn), ...rootFiles()].map((path) => [
    path,
    readFileSync(join(ROOT, path), 'utf8'),
  ]),
)
const decisions = readdirSync(join(ROOT, DECISIONS)).filter((file) => file !== 'README.md')

describe('references', () => {
  test('to decisions name a number that exists once, and with a title the file', () => {
    const bad = found(/docs\/decisions\/([\w-]+)(\.md)?/g, ([, name = '', end]) =>
      name === 'README' ? false : end === undefined ? !isNumber(name) : !decisions.includes(`${name}.md`),
    )
    expect(bad).toEqual([])
  })

  test('to sources and rules name a heading', () => {
    const bad = found(/((?:docs|test)\/(?:sources|rules)\.md)(?:#([\w-]+))?/g, ([, path = '', anchor]) =>
      anchor === undefined ? !texts.has(path) : !anchorsOf(path).has(anchor),
    )
    expect(bad).toEqual([])
  })

  test('lead nowhere outside of the repository', () => {
    const bad = [...texts].flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const hit = FORBIDDEN.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined)
        return hit === undefined ? [] : [`${path}:${index + 1}: ${hit}`]
      }),
    )
    expect(bad).toEqual([])
  })

  test('to attacks name a row of SECURITY.md, and each row a test that is called so, or why there is none', () => {
    const rows = [...(texts.get('SECURITY.md') ?? '').matchAll(/^\| (S-\d{2}) \|[^|]*\| (.*) \|$/gm)]
    const known = rows.map(([, id]) => id)
    expect(found(/\b(S-\d{2})\b/g, ([, id]) => !known.includes(id))).toEqual([])
    expect(known).toEqual(Array.from({ length: 31 }, (_, index) => `S-${String(index + 1).padStart(2, '0')}`))
    const untested = rows.filter(([, id = '', how = '']) => {
      const files = [...how.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file = '']) => file)
      const isSaid = files.length > 0 && files.every((file) => texts.get(file)?.includes(`${id} `))
      return !isSaid && !/^(Does not apply|Open): /.test(how)
    })
    expect(untested.map(([row]) => row)).toEqual([])
  })

  test('links of pages lead to files and headings', () => {
    const bad = [...texts].filter(([path]) => isPage(path)).flatMap(([path, text]) => deadLinks(path, text))
    expect(bad).toEqual([])
  })
})

test('decisions are numbered without gaps, and the index has each with its title', () => {
  const numbers = decisions.map((file) => Number.parseInt(file, 10)).toSorted((a, b) => a - b)
  expect(numbers).toEqual(decisions.map((_, index) => index + 1))
  const rows = decisions.toSorted().map((file) => {
    const [title = ''] = (texts.get(join(DECISIONS, file)) ?? '').split('\n')
    return `| [${file.slice(0, 4)}](${file}) | ${title.slice(2)} |`
  })
  const index = texts.get(join(DECISIONS, 'README.md')) ?? ''
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows)
})

test('every source is named by somebody', () => {
  const named = new Set(
    [...texts].flatMap(([path, text]) =>
      path === 'docs/sources.md' ? [] : [...text.matchAll(/sources\.md#([\w-]+)/g)].map(([, anchor]) => anchor),
    ),
  )
  const sources = (texts.get('docs/sources.md') ?? '').split('\n').filter((line) => line.startsWith('### '))
  expect(sources.map((line) => slugOf(line.slice(4))).filter((anchor) => !named.has(anchor))).toEqual([])
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => TEXT.test(path))
}

function rootFiles(): readonly string[] {
  return readdirSync(ROOT).filter((path) => TEXT.test(path) && path !== 'package-lock.json')
}

/** Where a reference is bad, as `path: reference`. */
function found(pattern: RegExp, isBad: (match: RegExpExecArray) => boolean): readonly string[] {
  return [...texts].flatMap(([path, text]) =>
    path === relative(ROOT, import.meta.filename)
      ? []
      : [...text.matchAll(pattern)].filter(isBad).map(([match]) => `${path}: ${match}`),
  )
}

function isNumber(name: string): boolean {
  return /^\d{4}$/.test(name) && decisions.filter((file) => file.startsWith(`${name}-`)).length === 1
}

/** Pages for readers. Markdown that tests compare with is none. */
function isPage(path: string): boolean {
  return path.endsWith('.md') && (!path.startsWith('test/') || path === 'test/rules.md')
}

function deadLinks(path: string, text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const to = file === '' ? path : relative(ROOT, resolve(ROOT, dirname(path), file))
    const isThere = existsSync(join(ROOT, to)) && (anchor === undefined || anchorsOf(to).has(anchor))
    return isThere ? [] : [`${path}: ${target}`]
  })
}

function anchorsOf(path: string): ReadonlySet<string> {
  const text = (texts.get(path) ?? '').replace(/^```[\s\S]*?^```/gm, '')
  return new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading)))
}

/** The anchor that GitHub gives a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}
