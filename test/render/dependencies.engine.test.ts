import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RenderError } from '../../src/model/errors.ts'
import { noValues } from '../../src/model/release.ts'
import type { Engine } from '../../src/render/engine.ts'
import type { EngineDependency } from '../../src/render/protocol.ts'
import { printed } from '../../src/tools/render.ts'
import { callNative, chartOf, engineForTests, type Files, request, temporaryFolder } from './fixtures.ts'
import { type HelmMajor, runHelm } from './helm-command.ts'

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

/** Shows all that a template can see of its chart and of the charts below it. */
const SEEN = `kind: ConfigMap
metadata: {name: {{ .Chart.Name }}}
version: {{ .Chart.Version | quote }}
isRoot: {{ .Chart.IsRoot }}
requires: [{{ range .Chart.Dependencies }}{name: {{ .Name }}, alias: {{ .Alias }}, version: {{ .Version | quote }}, isOn: {{ .Enabled }}},{{ end }}]
values: {{ .Values | toJson }}
subcharts: {{ keys .Subcharts | sortAlpha | toJson }}
files: [{{ range $path, $_ := .Files }}{{ $path }},{{ end }}]
note: {{ .Files.Get "note.txt" | quote }}`

/** Folders beside each other; `root` is the chart that is deployed. The order is that in which dependencies are built. */
type Charts = Readonly<Record<string, Files>>

interface Case {
  readonly title: string
  readonly charts: Charts
  /** What is fetched: the folder, and the names of the charts above it. */
  readonly fetched: readonly { readonly folder: string; readonly name?: string; readonly parent?: readonly string[] }[]
  readonly set?: readonly string[]
  readonly majors?: readonly HelmMajor[]
}

const CASES: readonly Case[] = [
  {
    title: 'a dependency with files, values and defaults of its parent',
    charts: {
      db: chart({ name: 'db' }, { 'note.txt': 'of db', 'values.yaml': 'size: 1\nglobal: {own: db}\n' }),
      root: chart({ requires: [{ name: 'db' }] }, { 'values.yaml': 'db: {size: 2}\nglobal: {region: north}\n' }),
    },
    fetched: [{ folder: 'db' }],
    set: ['db.extra=true', 'global.region=south'],
  },
  {
    title: 'one dependency under two aliases',
    charts: {
      db: chart({ name: 'db' }, { 'values.yaml': 'size: 1\n' }),
      root: chart({
        requires: [
          { name: 'db', alias: 'orders' },
          { name: 'db', alias: 'stock', condition: 'stock.on' },
        ],
      }),
    },
    fetched: [{ folder: 'db' }],
    set: ['orders.size=5', 'stock.on=true'],
  },
  {
    title: 'two versions of one name',
    charts: {
      'db-1': chart({ name: 'db', version: '1.4.0' }),
      'db-2': chart({ name: 'db', version: '2.0.1' }),
      root: chart({
        requires: [
          { name: 'db', folder: 'db-1', version: '^1.0.0', alias: 'old' },
          { name: 'db', folder: 'db-2', version: '>=2.0.0 <3.0.0', alias: 'new' },
        ],
      }),
    },
    fetched: [
      { folder: 'db-2', name: 'db' },
      { folder: 'db-1', name: 'db' },
    ],
  },
  {
    title: 'conditions and tags: by values of the user, of the parent, and of the dependency itself',
    charts: {
      db: chart({ name: 'db' }),
      mq: chart({ name: 'mq' }, { 'values.yaml': 'enabled: false\n' }),
      cache: chart({ name: 'cache' }),
      search: chart({ name: 'search' }),
      root: chart(
        {
          requires: [
            { name: 'db', condition: 'db.enabled,global.db' },
            { name: 'mq', condition: 'mq.enabled' },
            { name: 'cache', tags: ['fast'] },
            { name: 'search', tags: ['slow', 'fast'], condition: 'search.on' },
          ],
        },
        { 'values.yaml': 'db: {enabled: true}\ntags: {fast: false}\n' },
      ),
    },
    fetched: [{ folder: 'db' }, { folder: 'mq' }, { folder: 'cache' }, { folder: 'search' }],
    set: ['db.enabled=false', 'tags.slow=true'],
  },
  {
    title: 'import-values in both forms',
    charts: {
      db: chart({ name: 'db' }, { 'values.yaml': 'exports: {shared: {port: 1}}\nconnection: {host: x, user: y}\n' }),
      root: chart(
        {
          requires: [{ name: 'db', 'import-values': ['shared', { child: 'connection', parent: 'imported' }] }],
        },
        { 'values.yaml': 'imported: {user: own}\n' },
      ),
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'crds/ of a dependency',
    charts: {
      db: chart({ name: 'db' }, { 'crds/table.yaml': crd('Table'), 'crds/readme.md': 'no manifest' }),
      root: chart({ requires: [{ name: 'db' }] }, { 'crds/shop.yaml': crd('Shop') }),
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'a library chart',
    charts: {
      common: chart(
        { name: 'common', type: 'library' },
        { 'templates/_names.tpl': '{{ define "common.name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}' },
      ),
      root: chart(
        { requires: [{ name: 'common' }] },
        { 'templates/named.yaml': 'kind: A\nmetadata: {name: {{ include "common.name" . }}}' },
      ),
    },
    fetched: [{ folder: 'common' }],
  },
  {
    title: 'values that the schema of a dependency refuses',
    charts: {
      db: chart({ name: 'db' }, { 'values.schema.json': '{"properties": {"size": {"type": "integer"}}}' }),
      root: chart({ requires: [{ name: 'db' }] }),
    },
    fetched: [{ folder: 'db' }],
    set: ['db.size=large'],
  },
  {
    title: 'a template of a dependency that fails',
    charts: {
      db: chart({ name: 'db' }, { 'templates/b.yaml': 'a: 1\nb: {{ fail "stop" }}' }),
      root: chart({ requires: [{ name: 'db' }] }),
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'beside charts that lie in charts/, whether Chart.yaml names them or not',
    charts: {
      db: chart({ name: 'db' }),
      root: chart(
        { requires: [{ name: 'zone', repository: '' }, { name: 'db' }] },
        { ...below('charts/zone', chart({ name: 'zone' })), ...below('charts/also', chart({ name: 'also' })) },
      ),
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'a dependency that brings its own in charts/',
    charts: {
      db: chart(
        { name: 'db', requires: [{ name: 'disk', repository: '', condition: 'disk.on' }] },
        below('charts/disk', chart({ name: 'disk' }, { 'values.yaml': '"on": true\n' })),
      ),
      root: chart({ requires: [{ name: 'db' }] }, { 'values.yaml': 'db: {disk: {kind: ssd}}\n' }),
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'a dependency of a dependency',
    charts: {
      disk: chart({ name: 'disk' }, { 'values.yaml': 'kind: hdd\n', 'crds/disk.yaml': crd('Disk') }),
      db: chart({ name: 'db', requires: [{ name: 'disk', alias: 'volume', condition: 'volume.on' }] }),
      root: chart({ requires: [{ name: 'db' }] }),
    },
    fetched: [{ folder: 'disk', parent: ['db'] }, { folder: 'db' }],
    set: ['db.volume.kind=ssd'],
  },
  {
    title: 'a dependency of a dependency that stands there twice, which Helm 3 mixes up',
    majors: ['helm4'],
    charts: {
      disk: chart({ name: 'disk' }),
      db: chart({ name: 'db', requires: [{ name: 'disk', alias: 'volume', condition: 'volume.on' }] }),
      root: chart({ requires: [{ name: 'db' }, { name: 'db', alias: 'second' }] }),
    },
    fetched: [{ folder: 'disk', parent: ['db'] }, { folder: 'db' }],
    set: ['db.volume.on=false', 'second.volume.kind=ssd'],
  },
  {
    title: 'a chart of apiVersion v1 with requirements.yaml',
    charts: {
      db: chart({ name: 'db' }),
      root: {
        'Chart.yaml': 'apiVersion: v1\nname: root\nversion: 1.0.0\n',
        'requirements.yaml': 'dependencies: [{name: db, version: "*", repository: "file://../db", alias: main}]\n',
        'templates/a.yaml': 'kind: A\nmetadata: {name: {{ .Chart.Name }}}\nvalues: {{ .Values | toJson }}',
      },
    },
    fetched: [{ folder: 'db' }],
  },
  {
    title: 'a dependency with a .helmignore and a Chart.lock',
    charts: {
      db: chart({ name: 'db' }, { '.helmignore': 'ignored.txt\n', 'ignored.txt': 'x', 'Chart.lock': 'digest: x\n' }),
      root: chart({ requires: [{ name: 'db' }] }),
    },
    fetched: [{ folder: 'db' }],
  },
]

describe.each<HelmMajor>(['helm4', 'helm3'])('renders as %s after `helm dependency build`', (major) => {
  test.each(CASES.filter(({ majors }) => majors?.includes(major) ?? true))(
    '$title',
    async ({ charts, fetched, set = [] }) => {
      const { folder, expected } = await builtAndRendered(major, charts, set)
      const unbuilt = await written(charts)
      const values = { ...noValues, set: [...set] }
      const directories = fetched.map(({ folder: name, parent = [], ...rest }) => ({
        parent,
        path: join(unbuilt, name),
        name: rest.name ?? name,
      }))
      const archives = await packed(join(folder, 'root'))
      for (const dependencies of [directories, archives]) {
        const asked = request(join(unbuilt, 'root'), { release: 'web', values, dependencies })
        expect(await renderedOrRefused(asked)).toEqual(expected)
      }
    },
  )
})

describe('what charts/ has of the name of a dependency that is added', () => {
  const older = chart({ name: 'db', version: '1.0.0' })
  const newer = chart({ name: 'db', version: '2.0.0' })

  test('is left out where it is outdated, as `helm dependency build` deletes it', async () => {
    const root = chart({ requires: [{ name: 'db', folder: 'newer', version: '^2.0.0' }] })
    const packedOlder = join(await packagedIn(older), 'db-1.0.0.tgz')
    const put = async (folder: string) => {
      await mkdir(join(folder, 'root', 'charts'))
      await cp(packedOlder, join(folder, 'root', 'charts', 'db-1.0.0.tgz'))
      return folder
    }
    const built = await put(await written({ newer, root }))
    const { expected } = await renderedByHelm('helm4', built, [])
    const ours = await put(await written({ newer, root }))
    const dependencies = [{ parent: [], path: join(ours, 'newer'), name: 'db' }]
    expect(await renderedOrRefused(request(join(ours, 'root'), { release: 'web', dependencies }))).toEqual(expected)
    expect(expected.text.match(/^version: .*/gm)).toEqual(['version: "2.0.0"', 'version: "1.0.0"'])
  })

  test('is left out where it is in the range, too: the lock may name another', async () => {
    const folder = await written({
      newer,
      root: chart({ requires: [{ name: 'db', version: '>=1' }] }, below('charts/db', older)),
    })
    const dependencies = [{ parent: [], path: join(folder, 'newer'), name: 'db' }]
    expect(await versionsRendered(request(join(folder, 'root'), { dependencies }))).toEqual(['2.0.0'])
  })

  test('stays where another entry of Chart.yaml asks for it', async () => {
    const folder = await written({
      newer,
      root: chart(
        {
          requires: [
            { name: 'db', version: '^1.0.0', alias: 'old' },
            { name: 'db', version: '^2.0.0', alias: 'new' },
          ],
        },
        below('charts/db', older),
      ),
    })
    const dependencies = [{ parent: [], path: join(folder, 'newer'), name: 'db' }]
    expect(await versionsRendered(request(join(folder, 'root'), { dependencies }))).toEqual(['2.0.0', '1.0.0'])
  })
})

test('a dependency of two charts of one name goes to the one that asks for its version', async () => {
  const folder = await written({
    disk: chart({ name: 'disk', version: '2.0.0' }),
    root: chart(
      {
        requires: [
          { name: 'db', version: '^1.0.0', alias: 'old' },
          { name: 'db', version: '^2.0.0', alias: 'new' },
        ],
      },
      {
        ...below('charts/one', chart({ name: 'db', requires: [{ name: 'disk', version: '^1.0.0' }] })),
        ...below(
          'charts/two',
          chart({ name: 'db', version: '2.0.0', requires: [{ name: 'disk', version: '^2.0.0' }] }),
        ),
      },
    ),
  })
  const dependencies = [{ parent: ['db'], path: join(folder, 'disk'), name: 'disk' }]
  const { documents } = await engine.render(request(join(folder, 'root'), { dependencies }))
  expect((documents ?? []).map(({ file }) => file).sort()).toEqual([
    'root/charts/new/charts/disk/templates/seen.yaml',
    'root/charts/new/templates/seen.yaml',
    'root/charts/old/templates/seen.yaml',
    'root/templates/seen.yaml',
  ])
})

describe('a dependency that is missing in charts/', () => {
  const requires = [{ name: 'db', condition: 'db.on' }, { name: 'mq' }, { name: 'mq', alias: 'second' }]

  test('is refused in the words of Helm, with the input that fetches it', async () => {
    const folder = await written({ root: chart({ requires }) })
    const { error } = await runHelm('helm4', ['template', join(folder, 'root')], { home: folder })
    expect(error).toContain('missing in charts/ directory: db, mq')
    const message = `${error.replace(', mq, mq', ', mq')}; with the input \`dependencies: missing\` they are fetched`
    await expect(engine.render(request(join(folder, 'root')))).rejects.toThrow(new RenderError({ message }))
  })

  test('is not wanted where it is switched off, as it is not fetched then', async () => {
    const folder = await written({ root: chart({ requires }) })
    const values = { ...noValues, set: ['db.on=false'] }
    await expect(engine.render(request(join(folder, 'root'), { values }))).rejects.toThrow('charts/ directory: mq;')
  })
})

describe('a dependency that cannot be added', () => {
  const db = chart({ name: 'db' })
  const refusals: readonly (readonly [string, Partial<EngineDependency>, string])[] = [
    ['a path that is not there', { path: '/nonexistent' }, 'path "/nonexistent" not found'],
    ['another name', { name: 'mq' }, 'dependency mq: the chart in '],
    ['a parent that is not there', { parent: ['x', 'y'] }, 'dependency x/y/db: there is no chart x/y that it could'],
  ]
  test.each(refusals)('%s', async (_title, changes, message) => {
    const folder = await written({ db, root: chart({}) })
    const dependencies = [{ parent: [], path: join(folder, 'db'), name: 'db', ...changes }]
    const asked = request(join(folder, 'root'), { dependencies })
    await expect(engine.render(asked)).rejects.toThrow(message)
    expect((await callNative({ render: asked })).failure?.message).toContain(message)
  })

  test('S-04 a pipe, which would be waited for', async () => {
    const path = join(await temporaryFolder(), 'db-1.0.0.tgz')
    await promisify(execFile)('mkfifo', [path])
    const dependencies = [{ parent: [], path, name: 'db' }]
    await expect(engine.render(request(await chartOf({}), { dependencies }))).rejects.toThrow(
      `dependency db: path "${path}" is neither a directory nor a file`,
    )
  })

  test('a damaged archive', async () => {
    const path = join(await temporaryFolder(), 'db-1.0.0.tgz')
    await writeFile(path, 'nothing')
    const dependencies = [{ parent: [], path, name: 'db' }]
    await expect(engine.render(request(await chartOf({}), { dependencies }))).rejects.toThrow(
      `dependency db: file '${path}' does not appear to be a gzipped archive`,
    )
  })

  test('S-04 files of all dependencies count together', async () => {
    const folder = await written({ root: chart({}) })
    const many = Object.fromEntries(Array.from({ length: 5_200 }, (_, index) => [`files/${index}.txt`, '']))
    const dependencies = []
    for (const name of ['a', 'b']) {
      dependencies.push({ parent: [], path: join(await written({ [name]: chart({ name }, many) }), name), name })
    }
    const [first] = dependencies
    if (first === undefined) throw new Error('no dependency')
    await engine.render(request(join(folder, 'root'), { dependencies: [first] }))
    await expect(engine.render(request(join(folder, 'root'), { dependencies }))).rejects.toThrow(
      'dependency b: chart has more than the maximum of 10000 files',
    )
  })
})

interface Described {
  readonly name?: string
  readonly version?: string
  readonly type?: string
  /** `folder`: beside the chart, where its name is not that of the chart. */
  readonly requires?: readonly ({ readonly name: string; readonly folder?: string } & Readonly<
    Record<string, unknown>
  >)[]
}

function chart({ name = 'root', version = '1.0.0', type, requires = [] }: Described, files: Files = {}): Files {
  const dependencies = requires.map(({ folder, ...required }) => ({
    version: '*',
    repository: `file://../${folder ?? required.name}`,
    ...required,
  }))
  const description = { apiVersion: 'v2', name, version, type, dependencies }
  return { 'Chart.yaml': JSON.stringify(description), 'templates/seen.yaml': SEEN, ...files }
}

function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))
}

function crd(kind: string): string {
  return JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec: { kind } })
}

async function written(charts: Charts): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, files] of Object.entries(charts)) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true })
      await writeFile(join(folder, name, path), content)
    }
  }
  return folder
}

interface Outcome {
  readonly text: string
  readonly error: string
}

async function builtAndRendered(major: HelmMajor, charts: Charts, set: readonly string[]) {
  const folder = await written(charts)
  for (const name of Object.keys(charts).filter((chartName) => chartName !== 'root')) {
    const { error } = await runHelm(major, ['dependency', 'build', join(folder, name)], { home: folder })
    // A lock that does not fit is kept from being looked at: the chart requires nothing.
    if (error !== '' && !error.includes('out of sync')) throw new Error(error)
  }
  return renderedByHelm(major, folder, set)
}

async function renderedByHelm(major: HelmMajor, folder: string, set: readonly string[]) {
  const root = join(folder, 'root')
  const build = await runHelm(major, ['dependency', 'build', root], { home: folder })
  if (build.error !== '') throw new Error(build.error)
  // Not a part of the chart that is compared.
  const flags = ['--include-crds', '--namespace', 'default', ...set.flatMap((entry) => ['--set', entry])]
  const { out, error } = await runHelm(major, ['template', 'web', root, ...flags], { home: folder })
  const expected: Outcome = { text: out, error: firstWords(error) }
  return { folder, expected }
}

async function renderedOrRefused(asked: ReturnType<typeof request>): Promise<Outcome> {
  try {
    return { text: printed(await engine.render(asked), true), error: '' }
  } catch (error) {
    if (error instanceof RenderError) return { text: '', error: firstWords(error.message) }
    throw error
  }
}

function firstWords(error: string): string {
  return error.replace('\n\nUse --debug flag to render out invalid YAML', '').trim()
}

/** The archives that Helm has put into charts/. */
async function packed(root: string): Promise<readonly EngineDependency[]> {
  const files = (await readdir(join(root, 'charts'))).filter((file) => file.endsWith('.tgz'))
  const elsewhere = await temporaryFolder()
  return Promise.all(
    files.map(async (file) => {
      const path = join(elsewhere, file)
      await rename(join(root, 'charts', file), path)
      return { parent: [], path, name: file.replace(/-\d.*$/, '') }
    }),
  )
}

async function packagedIn(files: Files): Promise<string> {
  const folder = await written({ one: files })
  const { error } = await runHelm('helm4', ['package', join(folder, 'one'), '--destination', folder], { home: folder })
  if (error !== '') throw new Error(error)
  return folder
}

async function versionsRendered(asked: ReturnType<typeof request>): Promise<readonly string[]> {
  const { documents } = await engine.render(asked)
  const below = (documents ?? []).filter(({ file }) => file.includes('/charts/'))
  return below.map(({ json }) => (JSON.parse(json) as { version: string }).version)
}
