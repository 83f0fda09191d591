import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchedDependency } from '../../src/model/chart-source.ts'
import { noValues } from '../../src/model/release.ts'
import type { ChartRequirement, ChartRules, Renderer } from '../../src/ports.ts'
import { seededRandom } from '../seeded-random.ts'
import { callNative, chartOf, chartPath, type Files, rendererForTests, temporaryFolder } from './fixtures.ts'
import { runHelm } from './helm-command.ts'

let renderer: Renderer & ChartRules
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

const ADDRESS = 'https://charts.example'

test('tells name, range and repository of each entry of Chart.yaml, as they are written', async () => {
  const chart = await chartOf({
    'Chart.yaml': chartYaml({
      requires: [
        { name: 'db', version: '^1.0.0', repository: ADDRESS, alias: 'orders' },
        { name: 'mq', repository: '@own' },
        { name: 'local', version: '1', repository: 'file://../local' },
        { name: 'vendored' },
      ],
    }),
  })
  expect(await renderer.requirements({ chartPath: chart, values: noValues, dependencies: [] })).toEqual([
    {
      name: 'demo',
      path: chart,
      required: [
        { name: 'db', version: '^1.0.0', repository: ADDRESS, isEnabled: true },
        { name: 'mq', version: '', repository: '@own', isEnabled: true },
        { name: 'local', version: '1', repository: 'file://../local', isEnabled: true },
        { name: 'vendored', version: '', repository: '', isEnabled: true },
      ],
    },
  ])
})

test('reads requirements.yaml of a chart of apiVersion v1', async () => {
  const chart = await chartOf({
    'Chart.yaml': 'apiVersion: v1\nname: demo\nversion: 1.0.0\n',
    'requirements.yaml': `dependencies: [{name: db, version: "1", repository: "${ADDRESS}", condition: db.on}]\n`,
    'values.yaml': 'db: {"on": false}\n',
  })
  expect(await requiredOf(chart)).toEqual([{ name: 'db', version: '1', repository: ADDRESS, isEnabled: false }])
})

test('a packed chart is asked as a directory is', async () => {
  const path = chartPath('parent/charts/packed-2.0.0.tgz')
  const [root] = await renderer.requirements({ chartPath: path, values: noValues, dependencies: [] })
  expect(root).toEqual({ name: 'packed', path, required: [] })
})

describe('a requirement is switched off', () => {
  const cases: readonly (readonly [
    title: string,
    entry: object,
    values: string,
    set: readonly string[],
    isOn: boolean,
  ])[] = [
    ['by a condition in the values of the user', { condition: 'db.on' }, '', ['db.on=false'], false],
    ['by a condition in the values of the chart', { condition: 'db.on' }, 'db: {"on": false}', [], false],
    ['not where the user says otherwise', { condition: 'db.on' }, 'db: {"on": false}', ['db.on=true'], true],
    ['by the first condition that has a value', { condition: 'a.b,db.on' }, '', ['db.on=false'], false],
    ['not by a second condition', { condition: 'a.b,db.on' }, '', ['a.b=true', 'db.on=false'], true],
    ['not by a condition that is no boolean', { condition: 'db.on' }, 'db: {"on": "false"}', [], true],
    ['by a tag', { tags: ['slow'] }, 'tags: {slow: false}', [], false],
    ['not where another tag is on', { tags: ['slow', 'fast'] }, 'tags: {slow: false, fast: true}', [], true],
    [
      'not by a tag where a condition is on',
      { tags: ['slow'], condition: 'db.on' },
      'tags: {slow: false}',
      ['db.on=true'],
      true,
    ],
    ['by global values', { condition: 'global.db' }, '', ['global.db=false'], false],
    ['by the path of an alias', { alias: 'orders', condition: 'orders.on' }, 'orders: {"on": false}', [], false],
  ]
  test.each(cases)('%s', async (_title, entry, values, set, isEnabled) => {
    const requires = [{ name: 'db', version: '*', repository: ADDRESS, ...entry }]
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires }), 'values.yaml': `${values}\n` })
    expect(await requiredOf(chart, set)).toMatchObject([{ name: 'db', isEnabled }])
  })

  test('by its own defaults, as soon as it is there', async () => {
    const requires = [{ name: 'db', version: '*', repository: ADDRESS, condition: 'db.on' }]
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires }) })
    expect(await requiredOf(chart)).toMatchObject([{ isEnabled: true }])
    const db = await chartOf({ 'Chart.yaml': chartYaml({ name: 'db' }), 'values.yaml': '"on": false\n' })
    expect(await requiredOf(chart, [], [dependency('db', db)])).toMatchObject([{ isEnabled: false }])
  })

  test('not by values that import-values bring: they come later', async () => {
    const requires = [
      { name: 'db', version: '*', repository: ADDRESS, 'import-values': ['shared'] },
      { name: 'mq', version: '*', repository: ADDRESS, condition: 'mq.on' },
    ]
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires }) })
    const db = await chartOf({
      'Chart.yaml': chartYaml({ name: 'db' }),
      'values.yaml': 'exports: {shared: {mq: {"on": false}}}\n',
    })
    const required = await requiredOf(chart, [], [dependency('db', db)])
    expect(required.map(({ isEnabled }) => isEnabled)).toEqual([true, true])
  })

  test('each alias by itself', async () => {
    const entry = { name: 'db', version: '*', repository: ADDRESS }
    const requires = [
      { ...entry, condition: 'db.on' },
      { ...entry, alias: 'second', condition: 'second.on' },
    ]
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires }) })
    const db = await chartOf({ 'Chart.yaml': chartYaml({ name: 'db' }) })
    for (const dependencies of [[], [dependency('db', db)]]) {
      const required = await requiredOf(chart, ['db.on=false'], dependencies)
      expect(required.map(({ isEnabled }) => isEnabled)).toEqual([false, true])
    }
  })
})

describe('the version that is present', () => {
  const entry = { name: 'db', version: '^1.0.0', repository: ADDRESS }
  const root = chartYaml({ requires: [entry] })
  const db = (version: string) => chartYaml({ name: 'db', version })

  test('is that of a directory in charts/, whatever its name', async () => {
    expect(await requiredOf(await chartOf({ 'Chart.yaml': root, 'charts/x/Chart.yaml': db('1.2.0') }))).toEqual([
      { ...entry, isEnabled: true, presentVersion: '1.2.0' },
    ])
  })

  test('is that of an archive in charts/', async () => {
    const folder = await temporaryFolder()
    const packed = await chartOf({ 'Chart.yaml': db('1.3.0') })
    await runHelm('helm4', ['package', packed, '--destination', join(folder)], { home: folder })
    const chart = await chartOf({ 'Chart.yaml': root, 'charts/.keep': '' })
    await runHelm('helm4', ['package', packed, '--destination', join(chart, 'charts')], { home: folder })
    expect(await requiredOf(chart)).toMatchObject([{ presentVersion: '1.3.0' }])
  })

  test('is that of a dependency that is given', async () => {
    const given = dependency('db', await chartOf({ 'Chart.yaml': db('1.4.0') }))
    const chart = await chartOf({ 'Chart.yaml': root, 'charts/x/Chart.yaml': db('1.2.0') })
    expect(await requiredOf(chart, [], [given])).toMatchObject([{ presentVersion: '1.4.0' }])
  })

  test('is told where it is out of the range, and comes after one in it', async () => {
    const chart = await chartOf({ 'Chart.yaml': root, 'charts/a/Chart.yaml': db('0.9.0') })
    expect(await requiredOf(chart)).toMatchObject([{ presentVersion: '0.9.0' }])
    const both = { 'charts/a/Chart.yaml': db('0.9.0'), 'charts/b/Chart.yaml': db('1.9.0') }
    expect(await requiredOf(await chartOf({ 'Chart.yaml': root, ...both }))).toMatchObject([
      { presentVersion: '1.9.0' },
    ])
  })

  test('is none of a chart below another one', async () => {
    const chart = await chartOf({
      'Chart.yaml': root,
      'charts/mq/Chart.yaml': chartYaml({ name: 'mq' }),
      'charts/mq/charts/db/Chart.yaml': db('1.2.0'),
    })
    expect(await requiredOf(chart)).toEqual([{ ...entry, isEnabled: true }])
  })
})

describe('dependencies that are given', () => {
  const disk = { name: 'disk', version: '*', repository: 'file://../disk', condition: 'disk.on' }
  const db = { name: 'db', version: '*', repository: 'file://../db', condition: 'db.on' }

  test('are asked in turn where they are directories, with the values of their parents', async () => {
    const chart = await chartOf({
      'Chart.yaml': chartYaml({ requires: [db] }),
      'values.yaml': 'db: {disk: {"on": false}}\n',
    })
    const below = await chartOf({
      'Chart.yaml': chartYaml({ name: 'db', requires: [disk, { ...disk, alias: 'two' }] }),
    })
    const dependencies = [dependency('db', below), dependency('packed', chartPath('parent/charts/packed-2.0.0.tgz'))]
    const asked = { chartPath: chart, values: noValues, dependencies }
    const found = await renderer.requirements(asked)
    expect(found.map(({ name, path, parent }) => ({ name, path, parent }))).toEqual([
      { name: 'demo', path: chart, parent: undefined },
      { name: 'db', path: below, parent: [] },
    ])
    expect(found[1]?.required.map(({ isEnabled }) => isEnabled)).toEqual([false, false])
    expect((await callNative({ ask: { requirements: asked } })).result).toEqual(found)
  })

  test('ask for nothing where they are switched off themselves', async () => {
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires: [db] }) })
    const below = await chartOf({ 'Chart.yaml': chartYaml({ name: 'db', requires: [disk] }) })
    const values = { ...noValues, set: ['db.on=false'] }
    const dependencies = [dependency('db', below)]
    const found = await renderer.requirements({ chartPath: chart, values, dependencies })
    expect(found[1]?.required).toMatchObject([{ name: 'disk', isEnabled: false }])
  })

  test('ask for what any of their aliases needs', async () => {
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires: [db, { ...db, alias: 'second' }] }) })
    const below = await chartOf({ 'Chart.yaml': chartYaml({ name: 'db', requires: [disk] }) })
    const dependencies = [dependency('db', below)]
    const needs = async (set: readonly string[]) => {
      const values = { ...noValues, set: [...set] }
      const [, second] = await renderer.requirements({ chartPath: chart, values, dependencies })
      return second?.required[0]?.isEnabled
    }
    expect(await needs(['db.disk.on=false'])).toBe(true)
    expect(await needs(['db.disk.on=false', 'second.disk.on=false'])).toBe(false)
  })

  test('of a chart that is given, are found below it', async () => {
    const chart = await chartOf({ 'Chart.yaml': chartYaml({ requires: [db] }) })
    const middle = await chartOf({ 'Chart.yaml': chartYaml({ name: 'db', requires: [disk] }) })
    const lowest = await chartOf({ 'Chart.yaml': chartYaml({ name: 'disk', version: '3.1.0' }) })
    const dependencies = [dependency('disk', lowest, ['db']), dependency('db', middle)]
    const found = await renderer.requirements({ chartPath: chart, values: noValues, dependencies })
    expect(found.map(({ name, parent }) => [name, parent])).toEqual([
      ['demo', undefined],
      ['disk', ['db']],
      ['db', []],
    ])
    expect(found[2]?.required).toMatchObject([{ name: 'disk', presentVersion: '3.1.0' }])
  })
})

describe('what cannot be read is refused', () => {
  const foreign = { 'Chart.yaml': chartYaml({ name: 'db' }), 'Chart.lock': 'digest: x\n', 'requirements.yaml': '' }

  test.each(['Chart.yaml', 'Chart.lock', 'requirements.yaml'])(
    'S-06 a link to %s that leaves the chart',
    async (name) => {
      const elsewhere = await chartOf(foreign)
      const files: Files = {
        'values.yaml': '',
        ...(name === 'Chart.yaml' ? {} : { 'Chart.yaml': foreign['Chart.yaml'] }),
      }
      const linked = join(await temporaryFolder(), 'db')
      await mkdir(linked)
      for (const [path, content] of Object.entries(files)) await writeFile(join(linked, path), content)
      await symlink(join(elsewhere, name), join(linked, name))
      const message = /symbolic link .* leads out of the chart/
      await expect(requiredOf(linked)).rejects.toThrow(message)
      const root = await chartOf({ 'Chart.yaml': chartYaml({}) })
      await expect(requiredOf(root, [], [dependency('db', linked)])).rejects.toThrow(message)
    },
  )

  test('a chart that is not there', async () => {
    await expect(requiredOf('/nonexistent/chart')).rejects.toThrow('path "/nonexistent/chart" not found')
  })

  test('values that cannot be read, without a word of them', async () => {
    await expect(requiredOf(await chartOf({}), ['hunter2'])).rejects.toThrow('set entry 1 is not in the form key=value')
  })

  test('an entry that Helm refuses', async () => {
    const chart = await chartOf({ 'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [null]\n' })
    await expect(requiredOf(chart)).rejects.toThrow('dependencies must not contain empty or null nodes')
  })
})

const COUNT = 60
/** Helm runs at a time. */
const HELMS = 4

test(`what is enabled is what Helm renders, in ${COUNT} generated charts`, async () => {
  const random = seededRandom(COUNT)
  const queue = Array.from({ length: COUNT }, () => generated(random))
  let off = 0
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { charts, set } = next
      const folder = await writtenBeside(charts)
      const root = join(folder, 'demo')
      const names = Object.keys(charts).filter((name) => name !== 'demo')
      const dependencies = names.map((name) => dependency(name, join(folder, name)))
      const [asked] = await renderer.requirements({ chartPath: root, values: { ...noValues, set }, dependencies })
      const ours = names.filter((_, index) => asked?.required[index]?.isEnabled === true)
      // Without the charts less is known: at most what they would switch off themselves is asked for beyond that.
      const before = await requiredOf(root, set)
      const missing = names.filter((_, index) => before[index]?.isEnabled === false)
      expect(missing.filter((name) => ours.includes(name))).toEqual([])

      await runHelm('helm4', ['dependency', 'build', root], { home: folder })
      const flags = set.flatMap((entry) => ['--set', entry])
      const { out, error } = await runHelm('helm4', ['template', 'web', root, ...flags], { home: folder })
      expect(error).toBe('')
      const theirs = names.filter((name) => out.includes(`# Source: demo/charts/${name}/`))
      expect(ours, JSON.stringify(next, undefined, 2)).toEqual(theirs)
      off += names.length - ours.length
    }
  }
  await Promise.all(Array.from({ length: HELMS }, worker))
  expect(off).toBeGreaterThan(COUNT / 2)
})

function generated(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const names = ['db', 'mq', 'cache', 'search'].slice(0, 2 + Math.floor(random() * 3))
  const requires = names.map((name) => ({
    name,
    version: '*',
    repository: `file://../${name}`,
    ...pick([{}, { condition: `${name}.on` }, { condition: `global.x,${name}.on` }, { condition: ` ${name}.on ` }]),
    ...pick([{}, { tags: ['one'] }, { tags: ['one', 'two'] }]),
  }))
  const value = () => pick([true, false, 'no', 0, null])
  const values = () => ({
    ...Object.fromEntries(names.filter(() => random() < 0.4).map((name) => [name, { on: value() }])),
    ...pick([{}, { tags: { one: value() } }, { tags: { one: value(), two: value() } }, { global: { x: value() } }]),
  })
  const charts: Record<string, Files> = {
    demo: {
      'Chart.yaml': chartYaml({ requires }),
      'values.yaml': JSON.stringify(values()),
      'templates/a.yaml': 'kind: A\n',
    },
  }
  for (const name of names) {
    charts[name] = {
      'Chart.yaml': chartYaml({ name }),
      'values.yaml': JSON.stringify(pick([{}, {}, { on: value() }])),
      'templates/a.yaml': 'kind: A\n',
    }
  }
  const set = [...names, 'tags', 'global'].flatMap((name) =>
    random() < 0.3 ? [`${name}.${pick(['on', 'one', 'two', 'x'])}=${pick(['true', 'false', 'x', 'null'])}`] : [],
  )
  return { charts, set }
}

async function requiredOf(
  path: string,
  set: readonly string[] = [],
  dependencies: readonly FetchedDependency[] = [],
): Promise<readonly ChartRequirement[]> {
  const [root] = await renderer.requirements({ chartPath: path, values: { ...noValues, set: [...set] }, dependencies })
  return root?.required ?? []
}

function dependency(name: string, path: string, parent: readonly string[] = []): FetchedDependency {
  return { parent, name, path, version: '1.0.0', source: 'file://', isLocked: false }
}

function chartYaml({
  name = 'demo',
  version = '1.0.0',
  requires = [],
}: {
  readonly name?: string
  readonly version?: string
  readonly requires?: readonly object[]
}): string {
  return JSON.stringify({ apiVersion: 'v2', name, version, dependencies: requires })
}

async function writtenBeside(charts: Readonly<Record<string, Files>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, files] of Object.entries(charts)) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true })
      await writeFile(join(folder, name, path), content)
    }
  }
  return folder
}
