import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { RenderError } from '../../src/model/errors.ts'
import type { ChartRules, Renderer } from '../../src/ports.ts'
import { seededRandom } from '../seeded-random.ts'
import { volume } from '../volume.ts'
import { callNative, rendererForTests, temporaryFolder } from './fixtures.ts'
import { runHelm } from './helm-command.ts'
import { lockDigest } from './lock-digest.ts'
import { startVersionServer, type VersionServer } from './version-server.ts'

let renderer: Renderer & ChartRules
let server: VersionServer
beforeAll(async () => {
  renderer = await rendererForTests()
  server = await startVersionServer()
})
afterAll(async () => {
  await renderer.close()
  await server.close()
})

type From = Parameters<ChartRules['choose']>[0]['from']

/** The version that was taken. */
async function chosen(from: From, wanted: string, versions: readonly string[]): Promise<string | undefined> {
  const index = await renderer.choose({ versions, wanted, from })
  return index === undefined ? undefined : versions[index]
}

describe('of an index file', () => {
  const VERSIONS = ['1.2.0', '2.0.0-rc.1', '1.10.0', 'v1.3.0', 'latest', '1.9.9+build', '0.9.0', '1.2', '']
  const cases: readonly (readonly [wanted: string, taken: string | undefined])[] = [
    ['', '1.10.0'],
    ['*', '1.10.0'],
    ['^1.2', '1.10.0'],
    ['~1.2.0', '1.2.0'],
    ['>=1.0.0 <1.10.0', '1.9.9+build'],
    ['1.9.9', '1.9.9+build'],
    ['1.3.0', 'v1.3.0'],
    ['1.2', '1.2'],
    ['1.3', 'v1.3.0'],
    ['>1.10.0', undefined],
    ['>1.10.0-0', '2.0.0-rc.1'],
    ['2.0.0-rc.1', '2.0.0-rc.1'],
    ['<1', '0.9.0'],
    ['3', undefined],
  ]
  test.each(cases)('%s takes %s', async (wanted, taken) => {
    expect(await chosen('index', wanted, VERSIONS)).toBe(taken)
  })

  test('takes the text that is the same before one that is newer', async () => {
    expect(await chosen('index', '1.0.0+a', ['1.0.0+b', '1.0.0+a', '1.0.0+c'])).toBe('1.0.0+a')
  })

  test('a requirement goes by the range alone, so that a build counts for nothing', async () => {
    expect(await chosen('requirement', '1.0.0+a', ['1.0.0+b', '1.0.0+a', '1.0.0+c'])).toBe('1.0.0+b')
  })

  test('a requirement without a version is refused, as by Helm', async () => {
    await expect(chosen('requirement', '', VERSIONS)).rejects.toThrow('improper constraint')
  })

  test('a lock names one version, not a range', async () => {
    expect(await chosen('lock', '1.3.0', VERSIONS)).toBe('v1.3.0')
    expect(await chosen('lock', '^1.3.0', VERSIONS)).toBe(undefined)
  })
})

describe('of the tags of a registry', () => {
  const TAGS = ['1.2.0', '2.0.0-rc.1', '1.10.0', 'v1.3.0', 'latest', '1.9.9_build', '0.9.0', '1.2', 'sha256-abc.sig']
  const cases: readonly (readonly [wanted: string, taken: string | undefined])[] = [
    ['', '1.10.0'],
    ['^1.2', '1.10.0'],
    ['<1.10.0', '1.9.9_build'],
    ['1.9.9+build', '1.9.9_build'],
    // Tags of a version are taken as they are, those that no range could take among them.
    ['v1.3.0', 'v1.3.0'],
    ['1.2', '1.2'],
    ['1.3.0', undefined],
    ['1.9.9', undefined],
    ['~1.3.0', undefined],
    ['>1.10.0-0', '2.0.0-rc.1'],
  ]
  test.each(cases)('%s takes %s', async (wanted, taken) => {
    expect(await chosen('tags', wanted, TAGS)).toBe(taken)
  })

  test('a name that is no version is refused, also where there is such a tag', async () => {
    await expect(chosen('tags', 'latest', TAGS)).rejects.toThrow(
      new RenderError({
        message: '"latest" is neither a version nor a range of versions: improper constraint: "latest"',
      }),
    )
  })
})

test.each<From>(['index', 'requirement', 'lock', 'tags'])('of no versions at all, none is taken: %s', async (from) => {
  expect(await chosen(from, '^1', [])).toBe(undefined)
})

test('the time for 10,000 versions is not that of their square', async () => {
  const versions = Array.from({ length: 10_000 }, (_, index) => `${index % 7}.${index % 101}.${index}`)
  const startedMs = performance.now()
  expect(await chosen('index', '^3', versions)).toBe(versions.findLast((version) => version.startsWith('3.100.')))
  // A seventh of a second on a machine that has nothing else to do, a minute and more by comparing each with each.
  expect(performance.now() - startedMs).toBeLessThan(20_000)
})

test('a list without end in one version is refused or passed over, not computed on', async () => {
  const long = '1'.repeat(1_000_000)
  expect(await chosen('index', '^1', [long, '1.0.0', `1.0.0-${long}`])).toBe('1.0.0')
  await expect(chosen('index', `^${long}`, ['1.0.0'])).rejects.toThrow('constraint string is too long')
})

test('a choice that takes too long is ended, and the next one is answered', async () => {
  const impatient = await rendererForTests({ timeoutMs: 10_000 })
  onTestFinished(() => impatient.close())
  const asked = { wanted: '^1.0.0-0', from: 'index' } as const
  expect(await impatient.choose({ ...asked, versions: ['1.0.0'] })).toBe(0)
  // Half a minute and more.
  const versions = Array.from({ length: 1_000_000 }, (_, index) => `1.0.0-a.b.c.d.e.f.${(index * 7_919) % 1_000_003}`)
  await expect(impatient.choose({ ...asked, versions })).rejects.toThrow(
    'choosing the version for "^1.0.0-0" does not finish: stopped after 10 s',
  )
  expect(await impatient.choose({ ...asked, versions: ['1.0.0'] })).toBe(0)
})

/** Lets Helm choose of one list. */
type Ask = (path: string, wanted: string, home: string) => Promise<unknown>

const HELM: Readonly<Record<From, Ask>> = {
  index: (path, wanted, home) => {
    const args = ['pull', 'x', '--repo', `http://${server.host}/${path}`, '--version', wanted, '--destination', home]
    return runHelm('helm4', args, { home })
  },
  requirement: async (path, version, home) => {
    const repository = `http://${server.host}/${path}`
    await writeChart(home, { dependencies: [{ name: 'x', version, repository }] })
    return runHelm('helm4', ['dependency', 'update', join(home, 'chart')], { home })
  },
  lock: async (path, version, home) => {
    const repository = `http://${server.host}/${path}`
    const dependencies = [{ name: 'x', version: '*', repository }]
    const locked = [{ name: 'x', version, repository }]
    const lock = { dependencies: locked, digest: lockDigest(dependencies, locked), generated: '2026-01-01T00:00:00Z' }
    await writeChart(home, { dependencies }, lock)
    await runHelm('helm4', ['repo', 'add', 'own', repository], { home })
    return runHelm('helm4', ['dependency', 'build', join(home, 'chart')], { home })
  },
  tags: (path, wanted, home) => {
    const flags = ['--plain-http', '--destination', home]
    return runHelm('helm4', ['pull', `oci://${server.host}/${path}/x`, '--version', wanted, ...flags], { home })
  },
}

const COUNTS: readonly (readonly [From, count: number])[] = [
  ['index', volume(200, 40)],
  ['tags', volume(150, 30)],
  ['requirement', volume(100, 20)],
  ['lock', volume(60, 16)],
]
/** Helm runs at a time. */
const HELMS = 4

describe('takes the version that Helm takes', () => {
  test.each(COUNTS)('from %s, for %i generated lists', async (from, count) => {
    const random = seededRandom(count)
    const cases = Array.from({ length: count }, (_, index) => ({
      path: `${from}-${index}`,
      ...generated(from, random),
    }))
    let taken = 0
    await inParallel(cases, async ({ path, versions, wanted }) => {
      server.add(path, versions)
      await HELM[from](path, wanted, await temporaryFolder())
      const theirs = firstAsked(from, versions, server.asked(path))
      const told = `${JSON.stringify(wanted)} of ${JSON.stringify(versions)}`
      expect(await orRefused(renderer.choose({ versions, wanted, from })), told).toBe(theirs)
      expect((await callNative({ ask: { choose: { versions, wanted, from } } })).result ?? undefined, told).toBe(theirs)
      if (theirs !== undefined) taken += 1
    })
    // Otherwise the lists would show nothing.
    expect(taken).toBeGreaterThan(count / 4)
    expect(taken).toBeLessThan((count * 19) / 20)
  })
})

/** Helm says of a range that it cannot read that no version was found, in some of its commands. */
function orRefused(choice: Promise<number | undefined>): Promise<number | undefined> {
  return choice.catch((error: unknown) => {
    if (error instanceof RenderError && error.message.includes('is neither a version nor a range')) return undefined
    throw error
  })
}

/** What Helm went for: the index in the list. It asks for the tag of a version that is not there, too. */
function firstAsked(from: From, versions: readonly string[], asked: readonly string[]): number | undefined {
  const [first] = asked
  if (first === undefined) return undefined
  const index = from === 'tags' ? versions.indexOf(first) : Number(first)
  return index === -1 ? undefined : index
}

function generated(from: From, random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const number = () => Math.floor(random() * 4)
  const plain = () => `${number()}.${number()}.${number()}`
  const odd =
    from === 'tags' ? ['latest', 'sha256-0a.sig', '1.2.3.4', 'main'] : ['latest', '1.2.3.4', '', 'a.b.c', ' 1.2.3']
  const plus = from === 'tags' ? '_' : '+'
  const version = () =>
    pick([
      plain,
      plain,
      plain,
      () => `v${plain()}`,
      () => `${plain()}-${pick(['rc.1', 'rc.2', 'alpha', '0', 'beta.11'])}`,
      () => `${plain()}${plus}${pick(['a', 'b', 'build.5'])}`,
      () => `${plain()}-rc.1${plus}${pick(['a', 'b'])}`,
      () => `${number()}.${number()}`,
      () => `0${number()}.1.0`,
      () => pick(odd),
    ])()
  const versions = Array.from({ length: 1 + Math.floor(random() * 24) }, version)
  const exact = () => pick(versions).replaceAll('_', '+')
  const ranges = [
    () => `^${number()}.${number()}`,
    () => `~${plain()}`,
    () => `>=${plain()} <${plain()}`,
    () => `>= ${plain()}, < ${number() + 2}`,
    () => `${number()}.x`,
    () => `${number()}`,
    () => `${number()}.${number()} - ${number() + 1}`,
    () => `${plain()} || ^${number()}`,
    () => `>${plain()}-0`,
    () => `^${plain()}-rc.1`,
    () => `!=${plain()}`,
    () => `=${plain()}+b`,
    () => pick(['*', '', 'latest', '>', '1.2.3.4', 'v2', '>0.0.0-0', '<0.0.0']),
  ]
  const wanted = from === 'lock' || random() < 0.3 ? exact() : pick(ranges)()
  return { versions, wanted }
}

async function writeChart(folder: string, parts: object, lock?: object): Promise<void> {
  await mkdir(join(folder, 'chart'))
  const description = { apiVersion: 'v2', name: 'root', version: '1.0.0', ...parts }
  await writeFile(join(folder, 'chart', 'Chart.yaml'), JSON.stringify(description))
  if (lock !== undefined) await writeFile(join(folder, 'chart', 'Chart.lock'), JSON.stringify(lock))
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: HELMS }, worker))
}
