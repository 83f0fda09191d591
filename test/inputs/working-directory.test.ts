import { expect, test } from 'vitest'
import { type Inputs, problemsOf, readGiven, releasesOf } from './given.ts'

const texts = {
  'deploy/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'deploy/values/prod.yaml': 'a: 1\n',
  'deploy/notes.txt': 'n',
  'deploy/k8s/all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: all }\n',
  'shared/values.yaml': 'b: 1\n',
}
const given: Inputs = {
  'working-directory': 'deploy',
  chart: 'charts/web',
  release: 'shop',
  'values-files': 'values/prod.yaml\n../shared/values.yaml',
  'set-file': 'notes=notes.txt',
}

test('paths of a chart start in working-directory; files keep the names that they have in the repository', async () => {
  const { settings } = await readGiven({ ...given, 'base-path': 'base' }, texts)
  expect(settings?.releases[0]?.source).toMatchObject({
    path: '/workspace/deploy/charts/web',
    values: {
      files: [{ label: 'deploy/values/prod.yaml' }, { label: 'shared/values.yaml' }],
      setFile: ['notes=/workspace/deploy/notes.txt'],
    },
  })
  expect(settings?.basePath).toBe('deploy/base')
})

test('so do paths of charts and of manifests', async () => {
  const item = '[{chart: charts/web, values-files: [values/prod.yaml], set-file: ["a=notes.txt"]}]'
  const { settings } = await readGiven({ 'working-directory': 'deploy', charts: item }, texts)
  expect(settings?.releases[0]?.source).toMatchObject({
    path: '/workspace/deploy/charts/web',
    values: { files: [{ label: 'deploy/values/prod.yaml' }], setFile: ['a=/workspace/deploy/notes.txt'] },
  })
  const lines = { 'working-directory': '/workspace/deploy', charts: 'charts/web', manifests: 'k8s', release: 'plain' }
  expect(await releasesOf(lines, texts)).toEqual([
    'plain (weight 0): manifests ConfigMap/all',
    'web (weight 0): chart deploy/charts/web',
  ])
})

test('manifests keep their names in the repository', async () => {
  const { settings } = await readGiven({ 'working-directory': 'deploy', manifests: 'k8s', release: 'plain' }, texts)
  expect(settings?.releases[0]?.source).toMatchObject({ documents: [{ file: 'deploy/k8s/all.yaml' }] })
})

test.each(['none', 'deploy/notes.txt'])(
  '%s as working-directory is refused, and what it lacks is named',
  async (folder) => {
    const [first, second] = await problemsOf(
      { 'working-directory': folder, chart: 'charts/web', release: 'shop' },
      texts,
    )
    expect(first).toBe(
      `input working-directory: "${folder}" is no directory of the workspace: write a directory of the checkout, relative to the workspace, or an absolute path`,
    )
    expect(second).toMatch(`input chart: "${folder}/charts/web" does not exist`)
  },
)

test('a command that works from records alone needs no checkout', async () => {
  expect(await problemsOf({ 'working-directory': 'none', command: 'uninstall', release: 'shop' }, {})).toEqual([])
})
