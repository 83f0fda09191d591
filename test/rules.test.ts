import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const HERE = import.meta.dirname
const [rules = [], traps = []] = readFileSync(join(HERE, 'rules.md'), 'utf8')
  .split('## Traps')
  .map((part) => part.split('\n').flatMap(cellsOf))

/** Documents that state rules: anchors of docs/sources.md, as in the table and in `source` of golden cases. */
const DOCUMENTS = [
  'werf-deployment-order',
  'werf-resource-lifecycle',
  'helm-3-chart-hooks',
  'kots-orchestrating-resource-deployment',
  'helm-2-hooks',
]
const TRAPS = Array.from({ length: 19 }, (_, index) => String(index + 1))

describe('test/rules.md', () => {
  test('names what shows each rule and each trap', () => {
    const ofRules = rules.flatMap(([document, section, rule, golden, endToEnd]) =>
      [...missing(golden), ...missing(endToEnd, (name) => join('e2e', `${name}.test.ts`))].map(
        (what) => `${document}, ${section}, ${rule}: ${what}`,
      ),
    )
    const ofTraps = traps.flatMap(([trap, , tests]) => missing(tests).map((what) => `trap ${trap}: ${what}`))
    expect([...ofRules, ...ofTraps]).toEqual([])
  })

  test('has rules of every document, and every trap', () => {
    expect([...new Set(rules.map(([document]) => document))]).toEqual([...DOCUMENTS, 'this action'])
    expect(traps.map(([trap]) => trap)).toEqual(TRAPS)
  })

  test('names every golden case of a source document', () => {
    const named = new Set(rules.flatMap((row) => namesIn(row[3])))
    const cases = readdirSync(join(HERE, 'plan', 'cases')).filter((file) => file.endsWith('.yaml'))
    const ofDocuments = cases.filter((file) => {
      const text = readFileSync(join(HERE, 'plan', 'cases', file), 'utf8')
      return DOCUMENTS.some((document) => text.includes(`\nsource: docs/sources.md#${document}`))
    })
    expect(ofDocuments.map((file) => file.slice(0, -'.yaml'.length)).filter((name) => !named.has(name))).toEqual([])
  })
})

/** The cells of a table's row; nothing for its head and for other lines. */
function cellsOf(line: string): readonly (readonly string[])[] {
  if (!line.startsWith('| ') || /^\| (Document|Trap|---)/.test(line)) return []
  return [line.slice(2, -2).split(' | ')]
}

/** What a cell names in code marks: a golden case, or `file: title of a test`. */
function namesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

/** What does not exist of it. An empty cell shows nothing, which counts as missing. */
function missing(cell = '', fileOf: (name: string) => string = (name) => name): readonly string[] {
  const names = namesIn(cell)
  return names.length === 0 ? ['nothing is named'] : names.filter((name) => !isThere(name, fileOf))
}

function isThere(name: string, fileOf: (name: string) => string): boolean {
  const [file = '', ...rest] = name.split(': ')
  if (rest.length === 0)
    return ['yaml', 'txt'].every((end) => existsSync(join(HERE, 'plan', 'cases', `${name}.${end}`)))
  const path = join(HERE, fileOf(file))
  return existsSync(path) && readFileSync(path, 'utf8').includes(`'${rest.join(': ')}'`)
}
