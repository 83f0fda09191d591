import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChartCacheOptions, createChartCache } from '../../src/fetch/chart-cache.ts'

let folder: string
let warnings: string[]
beforeEach(async () => {
  // As the cache names its files: macOS has a link in the path of its temporary folder.
  folder = await realpath(await mkdtemp(join(tmpdir(), 'cache-')))
  await mkdir(join(folder, 'temp'))
  warnings = []
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const isWindows = process.platform === 'win32'
const place = (...parts: readonly string[]) => join(folder, ...parts)

function cache(options: Partial<ChartCacheOptions> = {}) {
  return createChartCache({
    folder: undefined,
    workspace: place('work'),
    env: { RUNNER_TOOL_CACHE: place('tools'), RUNNER_TEMP: place('temp') },
    clock: { now: () => Date.now() },
    onWarning: (text) => warnings.push(text),
    ...options,
  })
}

const archive = (text: string) => new Uint8Array(gzipSync(text))
const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const chart = archive('a chart')
const digest = digestOf(chart)
const bodies = () => place('tools', 'staged-helm-deploy', 'charts', 'v1', 'bodies')

test('what is kept is found by a later run, as an archive', async () => {
  const path = await cache().keep(digest, chart)
  expect(await cache().find(digest)).toBe(path)
  expect(basename(path)).toBe(`${digest.slice(7)}.tgz`)
  expect(new Uint8Array(await readFile(path))).toEqual(chart)
})

test.skipIf(isWindows)('nobody else may read it', async () => {
  const path = await cache().keep(digest, chart)
  expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([0o600, 0o700])
})

test.each([
  ['in the workspace', 'cache', ['work', 'cache', 'v1', 'bodies']],
  ['anywhere', undefined, ['other', 'v1', 'bodies']],
])('chart-cache names a folder %s', async (_where, given, expected) => {
  const path = await cache({ folder: given ?? place('other') }).keep(digest, chart)
  expect(dirname(path)).toBe(place(...expected))
})

test('what is not there is not found, and what is no digest neither', async () => {
  expect(await cache().find(digest)).toBeUndefined()
  for (const name of ['', 'sha256:../../x', `sha512:${'a'.repeat(64)}`, digest.toUpperCase()]) {
    expect(await cache().find(name)).toBeUndefined()
  }
})

test('what has another digest is refused, and nothing stays of it', async () => {
  await expect(cache().keep(digest, archive('another'))).rejects.toThrow('has another digest')
  expect(await readdir(folder)).toEqual(['temp'])
})

test('many jobs may keep the same at once', async () => {
  const paths = await Promise.all(Array.from({ length: 20 }, () => cache().keep(digest, chart)))
  expect(new Set(paths).size).toBe(1)
  expect(await readdir(bodies())).toEqual([`${digest.slice(7)}.tgz`])
  expect(warnings).toEqual([])
})

describe('what somebody has changed', () => {
  test.each([
    ['other bytes', archive('evil')],
    ['half of it', chart.subarray(0, 8)],
    ['nothing', new Uint8Array(0)],
  ])('%s is removed, and not found', async (_what, bytes) => {
    const path = await cache().keep(digest, chart)
    await writeFile(path, bytes)
    expect(await cache().find(digest)).toBeUndefined()
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await cache().keep(digest, chart)).toBe(path)
  })

  test.skipIf(isWindows)('a link is removed and not followed, also where it leads to the very bytes', async () => {
    const path = await cache().keep(digest, chart)
    await rm(path)
    await writeFile(place('outside'), chart)
    await symlink(place('outside'), path)
    expect(await cache().find(digest)).toBeUndefined()
    expect(new Uint8Array(await readFile(place('outside')))).toEqual(chart)
  })

  test.skipIf(isWindows)('a folder that is a link is not used', async () => {
    await mkdir(place('outside'))
    await mkdir(dirname(bodies()), { recursive: true })
    await symlink(place('outside'), bodies())
    const path = await cache().keep(digest, chart)
    expect(path.startsWith(place('temp'))).toBe(true)
    expect(await readdir(place('outside'))).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/^the cache of charts cannot be used, .*bodies is not a folder$/)])
  })
})

describe('where the folder cannot be used', () => {
  test('because it is a file, the job has one of its own, and says so once', async () => {
    await writeFile(place('tools'), '')
    const one = cache()
    const path = await one.keep(digest, chart)
    expect(path.startsWith(place('temp'))).toBe(true)
    expect(await one.find(digest)).toBe(path)
    await one.remember('https://charts.example/index.yaml', { etag: '"1"' }, archive('index'))
    expect(await one.remembered('https://charts.example/index.yaml')).toMatchObject({ etag: '"1"' })
    expect(warnings).toHaveLength(1)
  })

  test('because it goes away amid the job, the same', async () => {
    const one = cache()
    await one.find(digest)
    await rm(bodies(), { recursive: true })
    const path = await one.keep(digest, chart)
    expect(path.startsWith(place('temp'))).toBe(true)
    expect(await one.find(digest)).toBe(path)
    expect(warnings).toHaveLength(1)
  })

  test.skipIf(isWindows || process.getuid?.() === 0)(
    'because it can only be read, what lies there is found all the same',
    async () => {
      const path = await cache().keep(digest, chart)
      await chmod(dirname(path), 0o500)
      const one = cache()
      expect(await one.find(digest)).toBe(path)
      const other = archive('other')
      expect((await one.keep(digestOf(other), other)).startsWith(place('temp'))).toBe(true)
      await chmod(dirname(path), 0o700)
    },
  )

  test('because the runner names none, nothing is said', async () => {
    const path = await cache({ env: { RUNNER_TEMP: place('temp') } }).keep(digest, chart)
    expect(path.startsWith(place('temp'))).toBe(true)
    expect(warnings).toEqual([])
  })
})

describe('its size', () => {
  const HOUR_MS = 3_600_000
  const nowMs = Date.UTC(2026, 0, 1)
  const texts = ['first', 'second', 'third'].map((text) => archive(text.repeat(2)))
  const [first, second, third] = texts.map(digestOf) as [string, string, string]

  async function filled(usedHoursAgo: readonly number[]) {
    const paths = await Promise.all(
      texts.map((bytes) => cache({ clock: { now: () => nowMs } }).keep(digestOf(bytes), bytes)),
    )
    for (const [index, hours] of usedHoursAgo.entries()) {
      const at = (nowMs - hours * HOUR_MS) / 1000
      await utimes(paths[index] ?? '', at, at)
    }
    const size = texts.reduce((sum, { length }) => sum + length, 0)
    return cache({ clock: { now: () => nowMs }, limitBytes: size })
  }
  const left = async () => (await readdir(bodies())).length

  test('what was used longest ago goes when there is too much', async () => {
    const one = await filled([3, 5, 4])
    await one.keep(digest, chart)
    expect([await one.find(first), await one.find(second), await one.find(third)]).toEqual([
      expect.any(String),
      undefined,
      expect.any(String),
    ])
  })

  test('what is found counts as used', async () => {
    const one = await filled([4, 5, 3])
    await one.find(second)
    await one.keep(digest, chart)
    expect(await one.find(second)).toEqual(expect.any(String))
    expect(await one.find(first)).toBeUndefined()
  })

  test('what another job may be using stays', async () => {
    await (await filled([0.5, 0.4, 0.3])).keep(digest, chart)
    expect(await left()).toBe(4)
  })

  test('what a job has left unfinished goes after an hour', async () => {
    const one = await filled([0, 0, 0])
    const unfinished = join(bodies(), 'a.unfinished')
    await writeFile(unfinished, 'half')
    await utimes(unfinished, nowMs / 1000 - 7200, nowMs / 1000 - 7200)
    await cache({ clock: { now: () => nowMs } }).keep(digest, chart)
    expect([await left(), await one.find(first)]).toEqual([4, expect.any(String)])
  })
})

describe('addresses', () => {
  const url = 'https://charts.example/index.yaml'
  const index = new TextEncoder().encode('apiVersion: v1\n')
  const addresses = () => join(dirname(bodies()), 'addresses')

  test('what a server said comes back with the body', async () => {
    const marks = { etag: 'W/"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' }
    const path = await cache().remember(url, marks, index)
    expect(await cache().remembered(url)).toEqual({ ...marks, path })
    expect(await cache().remembered(`${url}?a`)).toBeUndefined()
    await cache().remember(url, { etag: '"2"' }, chart)
    expect(await cache().remembered(url)).toEqual({ etag: '"2"', path: join(bodies(), `${digest.slice(7)}.tgz`) })
  })

  test('what an address with a login gives is kept, and not remembered', async () => {
    const secret = 'https://robot:hunter22@charts.example/index.yaml'
    await cache().remember(secret, { etag: '"1"' }, index)
    expect(await cache().remembered(secret)).toBeUndefined()
    expect(await readdir(addresses())).toEqual([])
  })

  test('no address stands in the files', async () => {
    await cache().remember(url, { etag: '"1"' }, index)
    const [name = ''] = await readdir(addresses())
    expect(`${name} ${await readFile(join(addresses(), name), 'utf8')}`).not.toContain('charts.example')
  })

  test('without its body, or with another one, nothing is known', async () => {
    const path = await cache().remember(url, { etag: '"1"' }, index)
    await writeFile(path, 'evil')
    expect(await cache().remembered(url)).toBeUndefined()
  })

  test.each(['', '{', '[]', '{"digest":"sha256:../../x"}', '{"digest":1}', `{"digest":"${'a'.repeat(5000)}"}`])(
    'marks that somebody has changed to %.30j are none',
    async (text) => {
      await cache().remember(url, { etag: '"1"' }, index)
      const [name = ''] = await readdir(addresses())
      await writeFile(join(addresses(), name), text)
      expect(await cache().remembered(url)).toBeUndefined()
    },
  )

  test('a mark that is no header is left out', async () => {
    const path = await cache().remember(url, { etag: '"1"\r\nX-Evil: 1', lastModified: 'today' }, index)
    expect(await cache().remembered(url)).toEqual({ lastModified: 'today', path })
  })
})
