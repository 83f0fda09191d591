import { defineConfig } from 'vitest/config'
import { TESTS_RUN_VARIABLE } from '../builds/builder.ts'

/** Of the process: the room whose tests run, see `npm run mutate`. */
export const ROOM_VARIABLE = 'STAGED_HELM_DEPLOY_MUTATED_ROOM'

/** The unit tests of one room. Without isolation a mutant takes two thirds of the time, with the same verdicts. */
export default defineConfig({
  test: {
    env: { [TESTS_RUN_VARIABLE]: '1' },
    isolate: false,
    testTimeout: 60_000,
    include: [`test/${process.env[ROOM_VARIABLE]}/**/*.test.ts`],
    exclude: ['test/**/*.cluster.test.ts', 'test/**/*.engine.test.ts'],
  },
})
