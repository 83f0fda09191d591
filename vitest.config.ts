import { defineConfig } from 'vitest/config'
import { TESTS_RUN_VARIABLE } from './src/tools/builds/builder.ts'

/**
 * `unit` needs Node only. `engine` needs Go for the native twin of the render engine. `cluster` starts one control plane
 * per run. `e2e` runs the built action against it.
 */
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

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          env,
          isolate,
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
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'cluster',
          env,
          isolate,
          include: ['test/**/*.cluster.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/setup/cluster.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
