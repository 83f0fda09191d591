import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mutated, randomFrom } from '../fuzz/mutate.ts'

const TESTS = resolve(import.meta.dirname, '..')

export interface HostileYaml {
  readonly title: string
  readonly text: string
}

/** Texts that nest, multiply, go in circles or are long without end, and those whose characters and tags mean something else. */
export function yamlBombs(): readonly HostileYaml[] {
  const alone = [...nests(), ...multiplied(), ...circles(), ...long(), ...tagged(), ...odd()]
  return alone.flatMap(({ title, text }) =>
    Object.entries(CONTEXTS).map(([context, put]) => ({ title: `${title}, ${context}`, text: put(text) })),
  )
}

/** Where a text stands: as the whole, as a value, behind an anchor. */
const CONTEXTS: Readonly<Record<string, (text: string) => string>> = {
  'as the whole': (text) => text,
  'as a value': (text) => `a:\n${indented(text)}`,
  'in a list': (text) => `a:\n- b: 1\n- ${indented(text).trimStart()}`,
}

export function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}

/** How a level is opened, what lies in the last, and how it is closed. */
const LEVELS: readonly (readonly [title: string, open: (level: number) => string, close: string])[] = [
  ['lists', () => '[', ']'],
  ['maps', () => '{a: ', '}'],
  ['lists of maps', () => '[{a: ', '}]'],
  ['keys that are lists', () => '{? [', '] : 1}'],
  ['tagged lists', () => '!!seq [', ']'],
  ['anchored lists', (level) => `&x${level} [`, ']'],
  ['items of blocks', () => '- ', ''],
  ['keys of blocks', () => '? ', ''],
  ['lines of blocks', (level) => `${' '.repeat(level)}a:\n`, ''],
]

function nests(): readonly HostileYaml[] {
  return LEVELS.flatMap(([title, open, close]) =>
    [250, 1_000, 5_000].map((depth) => ({
      title: `${depth} levels of ${title}`,
      text: `${Array.from({ length: depth }, (_, level) => open(level)).join('')}${title === 'lines of blocks' ? `${' '.repeat(depth)}b: 1` : '1'}${close.repeat(depth)}`,
    })),
  )
}

/** Each line repeats the one before it several times. */
function multiplied(): readonly HostileYaml[] {
  const forms: Readonly<Record<string, (name: string, times: number) => string>> = {
    lists: (name, times) => `[${Array.from({ length: times }, () => `*${name}`).join(', ')}]`,
    maps: (name, times) => `{${Array.from({ length: times }, (_, index) => `k${index}: *${name}`).join(', ')}}`,
    merges: (name, times) => `{<<: [${Array.from({ length: times }, () => `*${name}`).join(', ')}], own${name}: 1}`,
  }
  return Object.entries(forms).flatMap(([form, repeat]) =>
    [
      [9, 9],
      [30, 2],
      [100, 10],
      [1_000, 1],
      [2, 1_000],
    ].map(([levels = 0, times = 0]) => ({
      title: `${form} that repeat ${times} times on ${levels} levels`,
      text: [
        'l0: &l0 {x: "lol"}',
        ...Array.from({ length: levels }, (_, at) => `l${at + 1}: &l${at + 1} ${repeat(`l${at}`, times)}`),
      ].join('\n'),
    })),
  )
}

function circles(): readonly HostileYaml[] {
  return [
    '&a [*a]',
    '&a {a: *a}',
    '&a {<<: *a}',
    '&a {<<: [*a, *a]}',
    '&a {? *a : 1}',
    'b: &a\n  c: *a\nd: *a',
    'b: &a {<<: *c}\nd: &c {<<: *a}',
    'b: *unknown',
    'b: &a 1\nc: &a [*a]\nd: *a',
  ].map((text) => ({ title: `the circle ${text.slice(0, 30)}`, text }))
}

function long(): readonly HostileYaml[] {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n')
  return Object.entries({
    keys: lines(20_000, (at) => `k${at}: 1`),
    'equal keys': lines(2_000, () => 'k: 1'),
    items: lines(20_000, () => '- 1'),
    documents: lines(2_000, () => '---\na: 1'),
    anchors: lines(5_000, (at) => `k${at}: &a${at} 1`),
    aliases: `b: &b [1]\n${lines(5_000, (at) => `k${at}: *b`)}`,
    tags: lines(2_000, (at) => `%TAG !t${at}! tag:example.com,2000:`),
    comments: lines(20_000, () => '# x'),
    'blanks before a comment': `b: 1${' '.repeat(200_000)}# x`,
    'a scalar': `b: ${'x'.repeat(500_000)}`,
    'a scalar of many lines': `b: |\n${lines(20_000, () => '  x')}`,
    'a quoted scalar that never ends': `b: "${'x'.repeat(200_000)}`,
    'quotes within quotes': `b: '${"''".repeat(100_000)}'`,
    escapes: `b: "${'\\x41'.repeat(50_000)}"`,
    'a number': `b: ${'9'.repeat(100_000)}`,
    'a number in parts': `b: ${'1:'.repeat(20_000)}1`,
    dashes: '-'.repeat(200_000),
    'question marks': '? '.repeat(2_000),
    colons: ': '.repeat(2_000),
    'open lists': '[,'.repeat(2_000),
    'a chomping number': `b: |${'9'.repeat(1_000)}\n  x`,
  }).map(([title, text]) => ({ title, text }))
}

const TAGS = [
  '!!js/function',
  '!!js/regexp',
  '!!js/undefined',
  '!!python/object:os.system',
  '!!binary',
  '!!omap',
  '!!pairs',
  '!!set',
  '!!timestamp',
  '!!merge',
  '!!null',
  '!!map',
  '!!seq',
  '!!int',
  '!!float',
  '!',
  '!<tag:yaml.org,2002:js/function>',
  '!e!x',
  '!!',
]
const VALUES = ['"function () {}"', '1', '[1, 2]', '{a: 1}', '[{a: 1}, {a: 2}]', '"=== ==="', '']

function tagged(): readonly HostileYaml[] {
  return TAGS.flatMap((tag) => VALUES.map((value) => ({ title: `${tag} ${value}`, text: `b: ${tag} ${value}` })))
}

function odd(): readonly HostileYaml[] {
  const characters = [
    '\0',
    '\u0007',
    '\u001b[2J',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '\r',
    '\t',
    '%',
    '@',
    '`',
  ]
  const places = [
    (it: string) => it,
    (it: string) => `b: ${it}`,
    (it: string) => `${it}: b`,
    (it: string) => `b: "${it}"`,
    (it: string) => `b: |\n  ${it}`,
  ]
  const texts = [
    '%YAML 9.9\n---\na',
    '---\n...\n---',
    '? [a, b]\n: 1',
    '? {a: 1}\n: 1',
    'b: 1\n c: 2',
    '- a\nb: 1',
    '\t- a',
    'b: 1e1000000000',
    `b: 0x${'f'.repeat(300)}`,
    'b: .inf',
    'b: 2001-99-99',
  ]
  return [
    ...characters.flatMap((one) =>
      places.map((put, at) => ({ title: `${JSON.stringify(one)} in place ${at}`, text: put(one) })),
    ),
    ...texts.map((text) => ({ title: `the text ${JSON.stringify(text.slice(0, 30))}`, text })),
  ]
}

/** Names of the language, in every way to write a key, with every kind of value, wherever they stand. */
export function polluters(): readonly HostileYaml[] {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
  const keys: readonly ((name: string) => string)[] = [
    (name) => `${name}:`,
    (name) => `"${name}":`,
    (name) => `'${name}':`,
    (name) => `!!str ${name}:`,
    (name) => `&k ${name}:`,
    (name) => `? ${name}\n:`,
    (name) => `"\\x${name.charCodeAt(0).toString(16)}${name.slice(1)}":`,
  ]
  const values = [
    '{polluted: 1}',
    '{prototype: {polluted: 1}}',
    '[polluted]',
    'polluted',
    '!!omap [{polluted: 1}]',
    '!!set {polluted}',
  ]
  const places: Readonly<Record<string, (entry: string) => string>> = {
    'on top': (entry) => entry,
    'below a key': (entry) => `a:\n${indented(entry)}`,
    merged: (entry) => `a: &a\n${indented(entry)}\nb:\n  <<: *a`,
    'merged from a list': (entry) => `a: &a\n${indented(entry)}\nb:\n  <<: [*a, *a]`,
    'below itself': (entry) => `__proto__:\n${indented(entry)}`,
  }
  return names.flatMap((name) =>
    keys.flatMap((key, way) =>
      values.flatMap((value) =>
        Object.entries(places).map(([place, put]) => ({
          title: `${name} in way ${way} with ${value}, ${place}`,
          text: put(`${key(name)} ${value}`),
        })),
      ),
    ),
  )
}

/** Manifests, values and charts of the tests, each changed in up to five places: `count`, the same for the same seed. */
export function mutatedManifests(count: number, seed: number): readonly HostileYaml[] {
  const random = randomFrom(seed)
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && !file.includes('node_modules'))
    .toSorted()
  const texts = files.map((file) => readFileSync(join(TESTS, file), 'utf8')).filter((text) => text.length < 20_000)
  return Array.from({ length: count }, (_, index) => ({
    title: `manifest ${index}`,
    text: mutated(texts[index % texts.length] ?? '', texts, random),
  }))
}
