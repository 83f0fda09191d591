import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import type { Problem } from '../../src/model/problem.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import type { Renderer } from '../../src/ports.ts'
import { runAgainstBase } from '../../src/run/base-render-run.ts'
import type { Reporter } from '../../src/run/reporter.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { neverStopped } from '../doubles/stops.ts'
import { settings } from './scene.ts'

const config = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { a: "${value}" }`

const chart = (release: string, path: string): ReleaseSpec => ({
  release,
  namespace: 'web',
  weight: 0,
  source: { kind: 'chart', path, values: noValues },
})

async function runWith(change: Partial<Settings>, problems: readonly Problem[] = []) {
  const happened: string[] = []
  const fake = fakeRenderer()
  const renderer: Renderer = {
    ...fake,
    render: (request) => {
      fake.chart(config(request.chartPath === 'base/shop' ? '1' : '2'))
      return fake.render(request)
    },
  }
  const reporter: Reporter = {
    note: (line) => happened.push(line),
    started: (release, namespace) => happened.push(`started ${namespace}/${release}`),
    planned: ({ verb }) => happened.push(`planned ${verb}`),
    event: ({ type }) => happened.push(type),
    finished: async (passes) => {
      happened.push(`${passes.length} finished`)
    },
  }
  const request = {
    settings: {
      ...settings,
      command: 'plan' as const,
      releases: [chart('shop', 'shop'), chart('new', 'new')],
      ...change,
    },
    holder: 'https://github.example/runs/1',
    bundle: 'b1',
    stop: neverStopped(),
    onHeld: () => {},

    onFreed: () => {},
    openBase: async () => ({
      commitSha: '0123456789abcdef',
      folder: '/base',
      close: async () => {
        happened.push('closed')
      },
    }),
    readBase: async () => ({ releases: [chart('shop', 'base/shop')], problems }),
  }
  const results = await runAgainstBase(request, { renderer, clock: fakeClock(), secrets: createSecrets() }, reporter)
  return { happened, story: results.map(({ command, release, outcome }) => `${command} ${release}: ${outcome.status}`) }
}

describe('a run without a cluster', () => {
  test('plans all releases against the base, one that it has not as a first install, and closes the base last', async () => {
    expect(await runWith({})).toEqual({
      happened: [
        'Without a cluster: this render against that of the base 0123456789ab.',
        'started web/shop',
        'planned upgrade',
        'finished',
        'started web/new',
        'planned install',
        'finished',
        '2 finished',
        'closed',
      ],
      story: ['plan shop: planned', 'plan new: planned'],
    })
  })

  test('says what is wrong with the base', async () => {
    const what = 'values-files: prod.yaml is not there'
    const { happened } = await runWith({}, [{ severity: 'error', reason: 'invalid-input', place: {}, what }])
    expect(happened[0]).toBe(`Without a cluster: this render against that of the base 0123456789ab, where ${what}.`)
  })

  test('only plans, whatever the command', async () => {
    expect((await runWith({ command: 'deploy', test: true })).story).toEqual([
      'plan shop: planned',
      'plan new: planned',
    ])
  })
})
