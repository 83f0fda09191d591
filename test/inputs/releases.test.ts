import { describe, expect, test } from 'vitest'
import { inReleaseOrder } from '../../src/inputs/release-order.ts'
import type { ReleaseSpec } from '../../src/model/release.ts'
import { problemsOf, releasesOf } from './given.ts'

const chartOf = (name: string) => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n'
const workspace = {
  'charts/a/Chart.yaml': chartOf('a'),
  'charts/b/Chart.yaml': chartOf('b'),
  'k8s/settings.yaml': configMap,
}

describe('order of releases', () => {
  const spec = (release: string, weight = 0): ReleaseSpec => ({ release, weight, source: { kind: 'record' } })
  const names = (specs: readonly ReleaseSpec[]) => specs.map(({ release }) => release)
  const charts = [spec('a', 0), spec('b', -1), spec('c', 0)]

  test('weight ascending, ties by list order', () => {
    expect(names(inReleaseOrder({ manifests: [], charts }, 'deploy'))).toEqual(['b', 'a', 'c'])
  })

  test('uninstall is the reverse', () => {
    expect(names(inReleaseOrder({ manifests: [], charts }, 'uninstall'))).toEqual(['c', 'a', 'b'])
  })

  test('manifests go first, and no weight moves a chart ahead of them', () => {
    expect(names(inReleaseOrder({ manifests: [spec('plain')], charts: [spec('a', -9999)] }, 'deploy'))).toEqual([
      'plain',
      'a',
    ])
  })

  test('on uninstall manifests go last', () => {
    expect(names(inReleaseOrder({ manifests: [spec('plain')], charts }, 'uninstall'))).toEqual(['c', 'a', 'b', 'plain'])
  })
})

describe('what a deploy needs', () => {
  test('manifests alone take the name of the release', async () => {
    expect(await releasesOf({ manifests: 'k8s', release: 'shop' }, workspace)).toEqual([
      'shop (weight 0): manifests ConfigMap/settings',
    ])
  })

  test('manifests beside a chart are a release of their own, before it', async () => {
    expect(await releasesOf({ manifests: 'k8s', chart: 'charts/a', release: 'shop' }, workspace)).toEqual([
      'shop-manifests (weight 0): manifests ConfigMap/settings',
      'shop (weight 0): chart charts/a',
    ])
  })

  test('manifests beside a list of charts take the name of the release', async () => {
    expect(await releasesOf({ manifests: 'k8s', charts: 'charts/b\ncharts/a', release: 'shop' }, workspace)).toEqual([
      'shop (weight 0): manifests ConfigMap/settings',
      'b (weight 0): chart charts/b',
      'a (weight 0): chart charts/a',
    ])
  })

  test.each([
    ['manifests without a release', { manifests: 'k8s' }, ['input release: is missing: name the release']],
    ['a chart without a release', { chart: 'charts/a' }, ['input release: is missing: name the release']],
    [
      'a release that names nothing',
      { charts: 'charts/a', release: 'shop' },
      ['input release: names nothing: write release in each item of charts, or leave it out'],
    ],
    [
      'both chart and charts',
      { chart: 'charts/a', charts: 'charts/b', release: 'shop' },
      ['input charts: is set together with chart: write all charts in charts, and leave chart out'],
    ],
    [
      'values without the chart that they belong to',
      { charts: 'charts/a', values: 'a: 1', set: 'b=2' },
      [
        'input values: belongs to the input chart, which is not given: write values in an item of charts',
        'input set: belongs to the input chart, which is not given: write set in an item of charts',
      ],
    ],
    [
      'a name too long for the release of the manifests',
      { chart: 'charts/a', manifests: 'k8s', release: 'a'.repeat(50) },
      [`input release: "${'a'.repeat(50)}-manifests", the release of the manifests, is too long: write a shorter name`],
    ],
    [
      'two releases of one name and namespace',
      { charts: '- {chart: charts/a, release: x, namespace: n}\n- {chart: charts/b, release: x}', namespace: 'n' },
      ['release "x" in namespace "n" is listed more than once: give each chart its own release'],
    ],
  ])('%s is a problem', async (_, inputs, problems) => {
    expect(await problemsOf(inputs, workspace)).toEqual(problems)
  })

  test('a wrong namespace of the run is said once, not for each release', async () => {
    expect(await problemsOf({ charts: 'charts/a\ncharts/b', namespace: 'No' }, workspace)).toEqual([
      'input namespace: "No" is not valid: write lower-case letters, digits and "-", at most 63 characters',
    ])
  })

  test('one name in two namespaces is no problem', async () => {
    const charts = '- {chart: charts/a, release: x, namespace: m}\n- {chart: charts/b, release: x, namespace: n}'
    expect(await problemsOf({ charts }, workspace)).toEqual([])
  })
})

describe.each(['rollback', 'uninstall', 'test'])('%s in an empty directory', (command) => {
  test('needs a release only', async () => {
    expect(await releasesOf({ command, release: 'shop' }, {})).toEqual(['shop (weight 0): record'])
  })

  test('needs a release only, whatever else the inputs of the deploy were', async () => {
    const inputs = { command, release: 'shop', chart: 'charts/a', values: 'a: [', 'values-files': 'none.yaml' }
    expect(await releasesOf(inputs, {})).toEqual(['shop (weight 0): record'])
  })

  test('says that the release is missing', async () => {
    expect(await problemsOf({ command }, {})).toEqual(['input release: is missing: name the release, or give charts'])
  })

  test('addresses the releases of charts, which need no chart where they name a release', async () => {
    const charts = '- {release: a, namespace: n, weight: 1}\n- {chart: charts/b, release: b}'
    const expected = ['b (weight 0): record', 'a in n (weight 1): record']
    expect(await releasesOf({ command, charts }, {})).toEqual(
      command === 'uninstall' ? expected.toReversed() : expected,
    )
  })

  test('asks for the name of a release whose chart is not there', async () => {
    expect(await problemsOf({ command, charts: 'charts/b' }, {})).toEqual([
      'input charts: line 1: chart "charts/b" does not exist: write release, which needs no chart',
    ])
  })

  test('takes a release beside charts as that of the manifests', async () => {
    const expected = ['shop (weight 0): record', 'b (weight -1): record']
    expect(await releasesOf({ command, release: 'shop', charts: '[{release: b, weight: -1}]' }, {})).toEqual(
      command === 'uninstall' ? expected.toReversed() : expected,
    )
  })
})

describe('uninstall', () => {
  test('addresses the manifests beside the chart as the deploy named them', async () => {
    const inputs = { command: 'uninstall', manifests: 'k8s', chart: 'charts/a', release: 'shop' }
    expect(await releasesOf(inputs, { 'k8s/settings.yaml': configMap })).toEqual([
      'shop (weight 0): record',
      'shop-manifests (weight 0): record',
    ])
  })
})

describe('rollback', () => {
  test('to a revision takes one release', async () => {
    expect(
      await problemsOf({ command: 'rollback', revision: '3', charts: '[{release: a}, {release: b}]' }, {}),
    ).toEqual([
      'input revision: belongs to one release, and more are given: roll back one release at a time, or leave revision out for the last good one of each',
    ])
  })
})
