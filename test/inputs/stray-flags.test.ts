import { describe, expect, test } from 'vitest'
import { INPUT_NAMES, withDefaults } from '../../src/inputs/input-names.ts'
import { problemsOf, readGiven } from './given.ts'

const workspace = { 'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'a.yaml': 'a: 1\n' }
const given = { chart: 'charts/web', release: 'web' }
const HINT = (flag: string) =>
  `write what belongs to this input alone, without ${flag}; a line of flags goes to helm-args`

describe('a piece of a command line', () => {
  test.each([
    ['set', '--set a=hunter2', 'line 1 begins with --set', '--set'],
    ['set', 'a=1\n--set-string=b=hunter2', 'line 2 begins with --set-string', '--set-string'],
    ['set-file', '--set-file a=a.yaml', 'line 1 begins with --set-file', '--set-file'],
    ['values-files', '-f a.yaml', 'line 1 begins with -f', '-f'],
    ['values-files', '--values=a.yaml', 'line 1 begins with --values', '--values'],
    ['manifests', '-f k8s', 'line 1 begins with -f', '-f'],
    ['chart', 'helm upgrade --install web ./charts/web', 'begins with helm upgrade', 'helm upgrade'],
    ['chart', 'helm  template web', 'begins with helm template', 'helm template'],
    ['kubeconfig', '--kubeconfig /etc/k', 'begins with --kubeconfig', '--kubeconfig'],
    ['context', '--kube-context prod', 'begins with --kube-context', '--kube-context'],
    ['set', '-phunter2=1', 'line 1 begins with a flag', 'a flag'],
  ])('in %s is a problem: %s', async (input, text, what, flag) => {
    expect(await problemsOf({ ...given, [input]: text }, workspace)).toEqual([`input ${input}: ${what}: ${HINT(flag)}`])
  })

  const ofDefaults = withDefaults(() => '')
  const texts = INPUT_NAMES.filter((name) => ofDefaults(name) === '' && !/token|key$|^helm-args$/.test(name))
  test.each(texts)('in %s stops the run', async (name) => {
    const { settings, problems } = await readGiven({ ...given, [name]: '--debug' }, workspace)
    expect(settings).toBeUndefined()
    expect(problems.some(({ place }) => place.input === name)).toBe(true)
  })

  test('in an item of charts is a problem, too', async () => {
    expect(await problemsOf({ charts: '[{chart: charts/web, set: ["--set a=hunter2"]}]' }, workspace)).toEqual([
      'input charts: item 1: set: entry 1 has no key=value form: write one key=value per line',
    ])
  })
})

test.each([
  ['set', 'a=--set b'],
  ['set', 'a-b=-1'],
  ['set-json', 'a=-1'],
  ['values', '--- # all\na: --set'],
  ['values', 'args: |\n  --set a=b'],
  ['manifests', 'helm-upgrade.yaml'],
  ['helm-args', '--set a=b'],
])('%s may hold %s', async (input, text) => {
  const texts = { ...workspace, 'helm-upgrade.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n' }
  expect(await problemsOf({ ...given, [input]: text }, texts)).toEqual([])
})
