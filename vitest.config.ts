import { defineConfig } from 'vitest/config'
import { TESTS_RUN_VARIABLE } from './src/tools/builds/builder.ts'

/** What the action runs on, and the lowest that `engines` allows. */
const NODE_MAJOR = 24
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  throw new Error(
    `the tests need Node ${NODE_MAJOR}, this is ${process.versions.node}: start them by npm or npx, which use the one in node_modules`,
  )
}

/** In the processes of tests, where nothing is built, see `src/tools/builds/builder.ts`. */
const env = { [TESTS_RUN_VARIABLE]: '1' }

/** A process serves many files: modules keep no state that a test could change, and loading them anew is half the work. */
const isolate = false

/**
 * `unit` needs Node only, `engine` the render engine and its peers. `cluster` starts one control plane per run, and its
 * files in `test/e2e/` run the built action against it. Limits are for a busy machine: a test that hangs is what they end.
 */
export default defineConfig({
  test: {
    // More than two cores have: the tests of `cluster` wait for controllers most of the time.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          env,
          isolate,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.cluster.test.ts', 'test/**/*.engine.test.ts', 'test/e2e/**'],
        },
      },
      {
        test: {
          name: 'engine',
          env,
          isolate,
          globalSetup: ['test/setup/engine.ts'],
          include: ['test/**/*.engine.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'cluster',
          env,
          isolate,
          include: ['test/**/*.cluster.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/setup/cluster.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
