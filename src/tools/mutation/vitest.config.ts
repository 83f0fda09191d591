import { defineConfig } from 'vitest/config'
import { TESTS_RUN_VARIABLE } from '../builds/builder.ts'

/** Set by `npm run mutate`: the rooms whose tests run, separated by commas. */
export const ROOMS_VARIABLE = 'STAGED_HELM_DEPLOY_MUTATION_ROOMS'

/** Without isolation a mutant takes two thirds of the time, with the same verdicts. */
export default defineConfig({
  test: {
    env: { [TESTS_RUN_VARIABLE]: '1' },
    isolate: false,
    testTimeout: 60_000,
    include: (process.env[ROOMS_VARIABLE] ?? '').split(',').map((room) => `test/${room}/**/*.test.ts`),
    exclude: ['test/**/*.cluster.test.ts', 'test/**/*.engine.test.ts'],
  },
})
