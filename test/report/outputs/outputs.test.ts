import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/model/outcome.ts'
import type { Problem } from '../../../src/model/problem.ts'
import { type AnnotationSource, fileInRepository } from '../../../src/report/outputs/annotation-place.ts'
import { annotations } from '../../../src/report/outputs/annotations.ts'
import { outputs } from '../../../src/report/outputs/outputs.ts'
import { failure, pass, upgradeDone, upgradeFailed } from '../runs.ts'

const deployed = pass({ events: upgradeDone, outcome: { status: 'deployed' } })
const failed = pass({ events: upgradeFailed, outcome: { status: 'failed', failure } })

describe('outputs', () => {
  test('of a deploy', () => {
    const { releases, ...values } = outputs([deployed])

    expect(values).toEqual({
      status: 'deployed',
      revision: '13',
      'previous-revision': '12',
      'chart-version': '1.9.2',
      'chart-digest': '',
      changed: 'true',
      'to-create': '0',
      'to-update': '2',
      'to-recreate': '0',
      'to-delete': '1',
      unchanged: '1',
      'plan-hash': '',
      'failed-stage': '',
      'failed-resource': '',
      'failure-reason': '',
    })
    expect(JSON.parse(releases)).toMatchObject([
      { release: 'web', namespace: 'shop', status: 'deployed', revision: '13' },
    ])
  })

  test('of a failure: stage, resource and reason', () => {
    expect(outputs([deployed, failed])).toMatchObject({
      status: 'failed',
      'failed-stage': 'main/10',
      'failed-resource': 'Deployment/shop/web',
      'failure-reason': 'not-ready',
    })
  })

  test('a rollback that went well answers for the failure before it', () => {
    expect(outputs([failed, pass({ command: 'rollback', outcome: { status: 'rolled-back' } })]).status).toBe(
      'rolled-back',
    )
  })

  test('a run that ended before any pass', () => {
    const values = outputs([], { reason: 'invalid-input', doing: 'read the inputs', message: 'release is missing' })

    expect(values).toMatchObject({
      status: 'failed',
      changed: 'false',
      revision: '',
      'failure-reason': 'invalid-input',
    })
  })
})

describe('annotations', () => {
  const problem: Problem = {
    severity: 'error',
    reason: 'render-failed',
    place: { file: 'shop/templates/web.yaml', line: 12 },
    what: 'nil pointer',
  }

  test('the failure first, in its one sentence, with the template in the repository', () => {
    const [first] = annotations([failed], { sourceOf: () => chart('./deploy/shop/') })

    expect(first).toMatchObject({
      level: 'error',
      place: { title: 'web in shop failed', file: 'deploy/shop/templates/web.yaml' },
    })
    expect(first?.message).toMatch(/^Deployment\/shop\/web did not become ready: 1 of 2 pods is crashing .*\. Next: /)
  })

  test('a line is given for template errors only; a packaged chart has no place', () => {
    const others: Problem = { ...problem, reason: 'invalid-input', what: 'a tab' }
    const broken = pass({ problems: [problem, others], outcome: { status: 'failed' } })
    const places = (source: AnnotationSource | undefined) =>
      annotations([broken], { sourceOf: () => source }).map(({ place }) => ({ ...place, title: undefined }))

    expect(places(chart('chart'))).toEqual([
      { file: 'chart/templates/web.yaml', startLine: 12 },
      { file: 'chart/templates/web.yaml' },
    ])
    expect(places(undefined)).toEqual([{}, {}])
  })

  test('a template that cannot be rendered is named with its line', () => {
    const place = { file: 'shop/templates/web.yaml', line: 7 }
    const outcome: Outcome = { status: 'failed', failure: { ...failure, reason: 'render-failed', place } }

    expect(annotations([pass({ outcome })], { sourceOf: () => chart('shop') })[0]?.place).toMatchObject({
      file: 'shop/templates/web.yaml',
      startLine: 7,
    })
  })

  test.each([
    ['shop/charts/cache/templates/a.yaml', ['cache'], 'deploy/charts/cache/templates/a.yaml'],
    ['shop/charts/cache/templates/a.yaml', [], undefined],
    ['shop/charts/cache/charts/base/crds/a.yaml', ['cache'], undefined],
    [
      'shop/charts/cache/charts/base/crds/a.yaml',
      ['cache', 'cache/charts/base'],
      'deploy/charts/cache/charts/base/crds/a.yaml',
    ],
    ['shop/../../etc/passwd', [], undefined],
    ['shop', [], undefined],
  ])('%s with the unpacked subcharts %j lies at %s', (file, subcharts, path) => {
    expect(fileInRepository(file, { kind: 'chart', directory: 'deploy', subcharts: new Set(subcharts) })).toBe(path)
  })

  test('plain manifests are named as they are', () => {
    expect(fileInRepository('./deploy/web.yaml', { kind: 'manifests' })).toBe('deploy/web.yaml')
  })

  test('of eleven, nine are shown and two counted', () => {
    const all = annotations([], { sourceOf: () => undefined, problems: Array.from({ length: 11 }, () => problem) })

    expect(all).toHaveLength(10)
    expect(all.at(-1)?.message).toBe('2 more, see the log')
  })
})

function chart(directory: string): AnnotationSource {
  return { kind: 'chart', directory, subcharts: new Set() }
}
