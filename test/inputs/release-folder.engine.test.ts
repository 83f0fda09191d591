import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, describe, expect, test } from 'vitest'
import { workspaceFiles } from '../../src/host/workspace-files.ts'
import { readReleases } from '../../src/inputs/releases.ts'
import { fakeSources } from '../doubles/fake-sources.ts'
import { rendererForTests, temporaryFolder } from '../render/fixtures.ts'

const renderer = await rendererForTests()
afterAll(() => renderer.close())

async function workspaceOf(texts: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder()
  for (const [path, content] of Object.entries(texts)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, files: workspaceFiles(folder) }
}

async function chart(name: string, template: string): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: `${name}/Chart.yaml` }, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`)
  archive.entry({ name: `${name}/values.yaml` }, 'mode: 1\nold: yes\n')
  archive.entry({ name: `${name}/templates/a.yaml` }, template)
  archive.finalize()
  return buffer(archive.pipe(createGzip()))
}

const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {all: {{ .Values | toJson | quote }}}\n'

describe("inputs parsed by Helm's engine", () => {
  test('a KOTS folder: the archive beside its document, values as Helm reads them, null deletes', async () => {
    const { folder, files } = await workspaceOf({
      'release/web.yaml':
        'apiVersion: kots.io/v1beta2\nkind: HelmChart\nmetadata: {name: web}\nspec:\n  chart: {name: web, chartVersion: 1.0.0}\n  values: {mode: 0644, old: null, big: 9007199254740993}\n',
      'release/web.tgz': await chart('web', template),
      'release/config.yaml': 'apiVersion: kots.io/v1beta1\nkind: Config\nmetadata: {name: config}\n',
    })
    const raw = (name: string) => (name === 'manifests' ? 'release' : '')
    const { releases, leftOut, problems } = await readReleases(raw, 'deploy', {
      files,
      renderer,
      sources: fakeSources(),
    })
    expect(problems).toEqual([])
    expect(leftOut.map(({ ref }) => ref.kind)).toEqual(['Config'])
    const source = releases[0]?.source
    if (source?.kind !== 'chart') throw new Error('no chart')
    expect(source.values.files[0]?.text).toBe('{"big":9007199254740993,"mode":420,"old":null}')
    const rendered = await renderer.render({
      chartPath: join(folder, source.path),
      release: 'web',
      namespace: 'default',
      revision: 1,
      isUpgrade: false,
      values: source.values,
      apiVersions: [],
    })
    // Helm itself rounds numbers of values.
    const [document] = rendered.documents
    expect(document?.object.data).toEqual({ all: '{"big":9007199254740992,"mode":420}' })
  })

  test('values in a list of charts mean what they mean to Helm', async () => {
    const { files } = await workspaceOf({ 'web.tgz': await chart('web', template) })
    const charts = '- chart: web.tgz\n  values:\n    mode: 0644\n    on: yes\n    text: |\n      a\n       b\n'
    const raw = (name: string) => (name === 'charts' ? charts : '')
    const { releases, problems } = await readReleases(raw, 'deploy', { files, renderer, sources: fakeSources() })
    expect(problems).toEqual([])
    expect(releases).toMatchObject([
      {
        release: 'web',
        source: { values: { files: [{ text: '{"mode":420,"text":"a\\n b\\n","true":true}' }] } },
      },
    ])
  })

  test.each([
    ['one line end', '    text: |+\n      a\n', 'a\n'],
    ['two line ends', '    text: |+\n      a\n\n', 'a\n\n'],
    ['CR LF', '    text: |+\r\n      a\r\n      b\r\n', 'a\nb\n'],
  ])('the last text in a list of charts keeps %s', async (_title, last, expected) => {
    const { files } = await workspaceOf({ 'web.tgz': await chart('web', template) })
    const raw = (name: string) => (name === 'charts' ? `- chart: web.tgz\n  values:\n${last}` : '')
    const { releases } = await readReleases(raw, 'deploy', { files, renderer, sources: fakeSources() })
    const source = releases[0]?.source
    expect(source?.kind === 'chart' && JSON.parse(source.values.files[0]?.text ?? '')).toEqual({ text: expected })
  })
})
