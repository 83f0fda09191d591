import { expect, test } from 'vitest'
import type { Runner } from '../../src/ports.ts'
import { createReporter } from '../../src/run/reporter.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'

const ignore = () => {}

function fakeRunner(outputs: Map<string, string>): Runner {
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
  }
}

test('a GitHub that does not answer holds neither the outputs nor the summary of a run back', async () => {
  const known = new Map<string, string>()
  const asked = Promise.withResolvers<readonly string[]>()
  const reporter = createReporter({
    info: { cluster: 'prod.example', actionVersion: '0' },
    writesSummary: true,
    diffContext: 3,
    sourceOf: () => undefined,
    runner: fakeRunner(known),
    secrets: createSecrets(),
    review: {
      approvedPlans: async () => ({ plans: [] }),
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
