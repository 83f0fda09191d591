import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../../src/render/engine.ts'
import { hostileArchives } from '../host/hostile-archives.ts'
import { chartOf, engineForTests, type Files, request, temporaryFolder } from './fixtures.ts'

/** What an endless loop gets to turn, in ms. No test needs it to be more, or less. */
const LOOP_MS = 300

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

async function failureOf(chart: string): Promise<string> {
  return engine.render(request(chart)).then(
    () => 'rendered',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

describe('S-01 what leads out of the chart is refused', () => {
  test('a link to a file', async () => {
    const chart = await chartOf({})
    await symlink('/etc/hostname', join(chart, 'host.txt'))
    expect(await failureOf(chart)).toBe(`symbolic link ${join(chart, 'host.txt')} leads out of the chart`)
  })

  test('a link to a folder', async () => {
    const chart = await chartOf({ 'templates/x.yaml': 'kind: A' })
    await symlink('/etc', join(chart, 'files'))
    expect(await failureOf(chart)).toMatch(/leads out of the chart$/)
  })

  test('a link that contains itself', async () => {
    const chart = await chartOf({ 'templates/x.yaml': 'kind: A' })
    await symlink('..', join(chart, 'templates', 'again'))
    expect(await failureOf(chart)).toMatch(/leads to a directory that contains it$/)
  })

  test('a broken link', async () => {
    const chart = await chartOf({})
    await symlink('nowhere', join(chart, 'gone'))
    expect(await failureOf(chart)).toMatch(/^error evaluating symlink .*gone: its target does not exist$/)
  })

  test.each(['.helmignore', 'Chart.yaml'])('%s itself, before it is read', async (name) => {
    const chart = await chartOf({})
    await rm(join(chart, name), { force: true })
    // Without an end: reading it would take all memory.
    await symlink('/dev/zero', join(chart, name))
    expect(await failureOf(chart)).toMatch(/leads out of the chart$/)
  })

  test('but not a link inside the chart', async () => {
    const chart = await chartOf({ 'shared/a.yaml': 'kind: A', 'templates/x.yaml': 'kind: B' })
    await symlink('../shared/a.yaml', join(chart, 'templates', 'a.yaml'))
    const { manifest } = await engine.render(request(chart))
    expect(manifest).toContain('# Source: demo/templates/a.yaml\nkind: A\n')
  })
})

/** The least that is asked of the corpus of archives. */
const MIN_ARCHIVES = 30
/** Of the outermost archive Helm says no more than that. */
const REFUSED = /^unable to load chart archive$|illegally|invalid tar header$/

describe('S-01 an archive reaches nothing outside of it', () => {
  const archives = hostileArchives('/etc/hostname')

  test(`${archives.length} charts with names and links that lead out`, async () => {
    expect(archives.length).toBeGreaterThanOrEqual(MIN_ARCHIVES)
    const folder = await temporaryFolder()
    const path = join(folder, 'charts', 'demo-1.0.0.tgz')
    await mkdir(dirname(path))
    for (const { title, tar, holds } of archives) {
      for (const packed of [tar, archiveAround(gzipSync(tar))]) {
        await writeFile(path, gzipSync(packed))
        const answer = await engine.render(request(path)).catch((error: Error) => error)
        expect(await readdir(folder, { recursive: true }), title).toEqual(['charts', 'charts/demo-1.0.0.tgz'])
        if (holds === undefined) {
          expect(answer instanceof Error ? answer.message : 'rendered', title).toMatch(REFUSED)
        } else {
          const kinds = answer instanceof Error ? answer.message : answer.manifest.match(/^kind: .*$/gm)
          expect(kinds, title).toEqual(holds)
        }
      }
    }
  })
})

describe('S-04 archives are bounded', () => {
  test('more than 100 MiB', async () => {
    expect(await failureOf(await archiveOf({ 'demo/big': 110 }))).toMatch(
      /^decompressed chart is larger than the maximum size/,
    )
  })

  test('packed more than 200 to 1', async () => {
    expect(await failureOf(await archiveOf({ 'demo/zeros': 20 }))).toBe(
      'chart archive is compressed more than 200 to 1',
    )
  })

  test('a packed subchart counts', async () => {
    const chart = await chartOf({ 'charts/inner.tgz': gzipSync(tar({ 'inner/big': 110 })) })
    expect(await failureOf(chart)).toMatch(/^decompressed chart is larger/)
  })

  test('too many files', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`demo/${i}`, 0]))
    expect(await failureOf(await archiveOf(many))).toBe('chart has more than the maximum of 10000 files')
  })

  test('something else than an archive', async () => {
    const path = join(await temporaryFolder(), 'values.yaml')
    await writeFile(path, 'a: 1\n')
    expect(await failureOf(path)).toContain('seems to be a YAML file, but expected a gzipped archive')
  })
})

describe('S-05 S-06 a schema reaches nothing but itself', () => {
  const refused = (url: string) =>
    `values.schema.json refers to ${url}: only references inside the schema itself are followed`

  test.each([
    ['http://169.254.169.254/latest', 'http://169.254.169.254/latest'],
    ['https://example.com/schema.json', 'https://example.com/schema.json'],
    ['file:///etc/passwd', 'etc/passwd'],
    ['../other.json', 'other.json'],
  ])('$ref to %s', async (ref, named) => {
    const chart = await chartOf({ 'values.schema.json': JSON.stringify({ properties: { a: { $ref: ref } } }) })
    expect(await failureOf(chart)).toContain(refused(named))
  })

  test('$schema of somebody else', async () => {
    const chart = await chartOf({ 'values.schema.json': '{"$schema":"https://example.com/meta"}' })
    expect(await failureOf(chart)).toContain(refused('https://example.com/meta'))
  })

  test('nested without end', async () => {
    const deep = `${'{"properties":{"a":'.repeat(100)}{}${'}}'.repeat(100)}`
    expect(await failureOf(await chartOf({ 'values.schema.json': deep }))).toContain('nested deeper than 128 levels')
  })

  test('that refers to itself without end', async () => {
    const chart = await chartOf({ 'values.schema.json': '{"$ref":"#/a","a":{"$ref":"#/b"},"b":{"$ref":"#/a"}}' })
    expect(await failureOf(chart)).not.toBe('rendered')
  })

  test('but urn: is let through with a warning, as in Helm', async () => {
    const chart = await chartOf({ 'values.schema.json': '{"properties":{"a":{"$ref":"urn:x:y"}}}' })
    expect((await engine.render(request(chart))).warnings).toEqual([
      'unresolved URN reference ignored; using permissive schema urn=urn:x:y',
    ])
  })
})

const HOSTS = ['localhost', 'example.com', 'metadata.google.internal', '127.0.0.1', '', 'a'.repeat(300)]
const ENVIRONMENT = [
  '{{ env "PATH" }}',
  '{{ expandenv "$HOME" }}',
  '{{ tpl "{{ env `PATH` }}" . }}',
  '{{ tpl "{{ expandenv `$HOME` }}" . }}',
]

describe('S-07 templates reach neither the network nor the environment', () => {
  test.each(HOSTS)(`getHostByName %j gives nothing (${HOSTS.length} hosts)`, async (host) => {
    const call = `getHostByName ${JSON.stringify(host)}`
    const inner = `{{ tpl ${JSON.stringify(`{{ ${call} }}`)} . }}`
    const chart = await chartOf({ 'templates/x.yaml': `kind: A\ndirect: "{{ ${call} }}"\ninner: "${inner}"\n` })
    expect((await engine.render(request(chart))).manifest).toContain('direct: ""\ninner: ""\n')
  })

  test.each(ENVIRONMENT)(`%s is no function (${ENVIRONMENT.length} calls)`, async (call) => {
    const chart = await chartOf({ 'templates/x.yaml': `kind: A\nx: ${call}\n` })
    expect(await failureOf(chart)).toMatch(/function "(?:env|expandenv)" not defined/)
  })
})

describe('S-14 templates come to an end', () => {
  const hostile: readonly (readonly [title: string, template: string, message: string])[] = [
    [
      'include of itself',
      '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
      'nested reference name: a',
    ],
    ['until', '{{ range until 1000000000 }}{{ end }}', 'until gives more than 5000000 numbers'],
    ['untilStep', '{{ untilStep 0 1000000000 1 }}', 'untilStep gives more than 5000000 numbers'],
    ['seq', '{{ seq 1 1000000000 }}', 'seq gives more than 5000000 numbers'],
    ['repeat', '{{ repeat 1000000000 "ab" }}', 'repeat gives more than 64 MiB'],
    ['a great text', '{{ repeat 40000000 "a" }}{{ repeat 40000000 "a" }}', 'the rendered chart is larger than 64 MiB'],
  ]
  test.each(hostile)('%s', async (_title, template, message) => {
    const error = await engine.render(request(await chartOf({ 'templates/x.yaml': template }))).catch((error) => error)
    expect(error.message).toContain(message)
    expect(error.details.template).toBe('demo/templates/x.yaml')
  })

  const CALLS = [
    'until 1000000000',
    'untilStep 0 1000000000 1',
    'untilStep 0 -1000000000 -1',
    'seq 1 1000000000',
    'repeat 1000000000 "ab"',
    'repeat 2147483647 "x"',
  ]
  const PLACES: readonly ((call: string) => string)[] = [
    (call) => `{{ $x := ${call} }}{{ $x }}`,
    (call) => `{{ ${call} | toString | quote }}`,
    (call) => `{{ define "a" }}{{ ${call} }}{{ end }}{{ include "a" . }}`,
    (call) => `{{ define "a" }}{{ ${call} }}{{ end }}{{ template "a" . }}`,
    (call) => `{{ range tuple 1 2 }}{{ with . }}{{ ${call} }}{{ end }}{{ end }}`,
    (call) => `{{ tpl \`{{ ${call} }}\` . }}`,
  ]
  const placed = CALLS.flatMap((call) => PLACES.map((place) => place(call)))
  test(`calls that grow without end, wherever they stand (${placed.length} templates)`, async () => {
    for (const template of placed) {
      const message = await failureOf(await chartOf({ 'templates/x.yaml': template }))
      expect(message, template).toMatch(/gives more than (?:5000000 numbers|64 MiB)/)
    }
  })

  interface Endless {
    readonly title: string
    readonly files: Files
    readonly message: string
  }
  const endless: readonly Endless[] = [
    {
      title: 'an exponential expression',
      files: {
        'templates/x.yaml': '{{ define "a" }}{{ template "a" . }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      },
      message: 'exceeded maximum template depth',
    },
    {
      title: 'a subchart that grows without end',
      files: {
        'templates/a.yaml': 'kind: A',
        'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
        'charts/sub/templates/y.yaml': '{{ range 1000000 }}{{ repeat 5000000 "growing" }}{{ end }}',
      },
      message: 'template demo/charts/sub/templates/y.yaml needs more memory than a chart may use',
    },
    {
      title: 'tpl of itself',
      files: { 'templates/x.yaml': '{{ tpl .Values.self . }}', 'values.yaml': 'self: "{{ tpl .Values.self . }}"' },
      message: 'template demo/templates/x.yaml',
    },
  ]
  test.each(endless)('$title', async ({ files, message }) => {
    const hurried = await engineForTests({ timeoutMs: 200_000, maxMemoryBytes: 200 * 1024 * 1024 })
    const error = await hurried.render(request(await chartOf(files))).catch((error) => error)
    expect(error.message).toContain(message)
    // The next chart gets a new engine.
    await expect(hurried.render(request(await chartOf({ 'templates/x.yaml': 'kind: A' })))).resolves.toBeDefined()
    await hurried.close()
  })

  test('a loop in a loop', async () => {
    controlTime()
    const hurried = await engineForTests({ timeoutMs: 8000 })
    const loop = '{{ lookup "v1" "Secret" "a" "b" }}{{ range 100000000 }}{{ range 100000000 }}{{ end }}{{ end }}'
    const chart = await chartOf({ 'templates/x.yaml': loop })
    const isLooping = Promise.withResolvers<void>()
    const lookup = async () => {
      // The answer goes out first; then the loop turns for a while.
      setImmediate(() => isLooping.resolve(sleep(LOOP_MS)))
      return ''
    }
    const rendering = hurried.render(request(chart, { hasLookup: true }), { lookup }).catch((error) => error)
    await isLooping.promise
    vi.advanceTimersByTime(7999)
    expect(await Promise.race([rendering, sleep(0, 'it loops')])).toBe('it loops')
    vi.advanceTimersByTime(1)
    const message = 'template demo/templates/x.yaml does not finish: stopped after 8 s'
    expect((await rendering).message).toContain(message)
    // The next chart gets a new engine.
    await expect(hurried.render(request(await chartOf({ 'templates/x.yaml': 'kind: A' })))).resolves.toBeDefined()
    await hurried.close()
  })

  test('time in which the cluster is asked does not count', async () => {
    controlTime()
    const chart = await chartOf({ 'templates/x.yaml': 'kind: {{ (lookup "v1" "Secret" "a" "b").kind }}' })
    const lookup = async () => {
      vi.advanceTimersByTime(3_600_000)
      return '{"kind":"Late"}'
    }
    expect((await engine.render(request(chart, { hasLookup: true }), { lookup })).manifest).toContain('kind: Late')
  })

  test('a run that is cancelled stops rendering', async () => {
    const abort = new AbortController()
    const chart = await chartOf({
      'templates/x.yaml': '{{ lookup "v1" "Secret" "a" "b" }}{{ range 100000000000 }}{{ end }}',
    })
    const lookup = async () => {
      abort.abort(new Error('cancelled'))
      return ''
    }
    const rendering = engine.render(request(chart, { hasLookup: true }), { lookup, signal: abort.signal })
    await expect(rendering).rejects.toThrow('cancelled')
  })
})

/** The time of the engine's limits stands still until the test moves it. */
function controlTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A chart that holds this one as a packed subchart. */
function archiveAround(inner: Buffer): Buffer {
  return tarOf([
    ['outer/Chart.yaml', Buffer.from('apiVersion: v2\nname: outer\nversion: 1.0.0\n')],
    ['outer/charts/demo-1.0.0.tgz', inner],
  ])
}

/** Sizes in MiB by name. */
type Sizes = Readonly<Record<string, number>>

async function archiveOf(sizes: Sizes): Promise<string> {
  const path = join(await temporaryFolder(), 'demo-1.0.0.tgz')
  await writeFile(path, gzipSync(tar(sizes)))
  return path
}

function tar(sizes: Sizes): Buffer {
  const files = Object.entries({ 'demo/Chart.yaml': 0, ...sizes })
  return tarOf(files.map(([name, mebibytes]) => [name, Buffer.alloc(mebibytes * 1024 * 1024)]))
}

function tarOf(files: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        0ustar\0', 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

// Kept for the archives that `tar` itself would make: links inside of one are empty files, as in Helm.
test('a link in an archive is an empty file', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'demo', 'templates'), { recursive: true })
  await writeFile(join(folder, 'demo', 'Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  await symlink('/etc/passwd', join(folder, 'demo', 'templates', 'x.yaml'))
  await promisify(execFile)('tar', ['-C', folder, '-czf', join(folder, 'demo.tgz'), 'demo'])
  expect((await engine.render(request(join(folder, 'demo.tgz')))).manifest).toBe('')
})
