import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Runner } from '../../src/ports.ts'
import { createReporter } from '../../src/run/reporter.ts'
import { safeRunner } from '../../src/run/safe-runner.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { readAction } from '../../src/tools/docs.ts'
import { info, pass } from '../report/runs.ts'

const ignore = () => {}

function fakeRunner(outputs: Map<string, string>, change: Partial<Runner> = {}): Runner {
  return {
    input: () => '',
    info: ignore,
    annotate: ignore,
    debug: ignore,
    startGroup: ignore,
    endGroup: ignore,
    output: (name, value) => void outputs.set(name, value),
    summary: async (text) => void outputs.set('(summary)', text),
    saveState: ignore,
    state: () => undefined,
    mask: ignore,
    keepFile: async (name) => name,
    ...change,
  }
}

test('a GitHub that does not answer holds neither the outputs nor the summary of a run back', async () => {
  const known = new Map<string, string>()
  const secrets = createSecrets()
  const asked = Promise.withResolvers<readonly string[]>()
  const reporter = createReporter({
    info: { cluster: 'prod.example', actionVersion: '0' },
    writesSummary: true,
    diffContext: 3,
    sourceOf: () => undefined,
    runner: safeRunner(fakeRunner(known), secrets),
    secrets,
    review: {
      approvedPlans: async () => ({ plans: [] }),
      endedEarly: async () => {},
      post: async () => {
        asked.resolve([...known.keys()])
        return { url: 'https://github.example/1' }
      },
    },
  })
  await reporter.finished([])
  expect(await asked.promise).toEqual(expect.arrayContaining(['(summary)', 'status', 'plan-hash', 'plan-path']))
  expect(known.get('comment-url')).toBe('https://github.example/1')
})

test('every output that is written is declared in action.yml, and none is declared that is not', async () => {
  const outputs = new Map<string, string>()
  const secrets = createSecrets()
  const reporter = createReporter({
    info,
    writesSummary: false,
    diffContext: 3,
    sourceOf: () => undefined,
    runner: safeRunner(fakeRunner(outputs), secrets),
    secrets,
  })
  await reporter.finished([pass({})])
  const action = readAction(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'))
  expect([...outputs.keys()].toSorted()).toEqual(Object.keys(action.outputs).toSorted())
})

test('what goes wrong at the end of a run is reported without secrets and commands', async () => {
  const secrets = createSecrets()
  secrets.add('storefront')
  const said: string[] = []
  const raw = fakeRunner(new Map(), {
    info: (line) => said.push(line),
    annotate: (_level, message) => said.push(message),
    keepFile: async () => Promise.reject(new Error('no room for storefront')),
  })
  const reporter = createReporter({
    info,
    writesSummary: false,
    diffContext: 3,
    sourceOf: () => undefined,
    runner: safeRunner(raw, secrets),
    secrets,
    review: {
      approvedPlans: async () => ({ plans: [] }),
      endedEarly: async () => {},
      post: async () => Promise.reject(new Error('storefront\n::error::is away')),
    },
  })
  reporter.note('::error::storefront')
  await reporter.finished([pass({ notes: 'storefront' })])
  expect(said).toEqual([
    '\\::error::***',
    'the plan could not be written to a file: no room for ***',
    'the plan could not be posted on the pull request: ***\n\\::error::is away',
  ])
})
