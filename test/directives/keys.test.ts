import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { dialects } from '../../src/directives/dialects.ts'

const SRC = resolve(import.meta.dirname, '../../src')
/** Prints keys, which come to it as data; and the tools, which name packages of Helm. */
const NO_READER = /^(?:report|tools)\//
/** What a file of a dialect declares. */
const TABLE = /: (?:Dialect|readonly Row\[\]) = /
/** Of the same domains, and no annotations: a label, the type of Secrets, API versions. */
const NO_ANNOTATIONS: ReadonlySet<string> = new Set([
  'helm.sh/chart',
  'helm.sh/release.v1',
  'kots.io/v1beta1',
  'kots.io/v1beta2',
])

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

test('annotations of a dialect are read by its own file only; others ask it, or take the answer as data', () => {
  const readers = files
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
    .filter(({ file, text }) => !NO_READER.test(file) && !(file.startsWith('directives/') && TABLE.test(text)))
    .flatMap(({ file, text }) => keysIn(text).map((key) => `${file}: ${key}`))
  expect(readers).toEqual([])
})

test.each([
  ["stringAt(live, 'metadata', 'annotations', 'helm.sh/hook')", ['helm.sh/hook']],
  ['annotations["kots.io/keep"]', ['kots.io/keep']],
  ['`$' + '{id}.external-dependency.werf.io/resource`', ['x.external-dependency.werf.io/resource']],
  ["const KEY = 'werf.io/' + name", ['werf.io/']],
  ["// 'helm.sh/hook'\n/** `kots.io/keep` */", []],
  ["'set werf.io/delete-policy: before-creation'", []],
])('%s', (text, keys) => {
  expect(keysIn(text)).toEqual(keys)
})

/** String literals that are a key of a dialect's family as a whole; sentences and comments may name one. */
function keysIn(text: string): readonly string[] {
  const found = text.matchAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g,
  )
  return [...found]
    .map(([, single, double, template]) => single ?? double ?? template?.replaceAll(/\$\{[^}]*\}/g, 'x') ?? '')
    .filter((literal) => /^\S+$/.test(literal) && !NO_ANNOTATIONS.has(literal))
    .filter((literal) => dialects.some(({ family }) => family.test(literal)))
}
