import { defineConfig } from 'vitest/config'

/**
 * `unit` needs Node only. `engine` needs Go for the native twin of the render engine. `cluster` starts one control plane
 * per run. `e2e` runs the built action against it.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.cluster.test.ts', 'test/**/*.engine.test.ts', 'test/e2e/**'],
        },
      },
      {
        test: {
          name: 'engine',
          include: ['test/**/*.engine.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/**/*.cluster.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/setup/cluster.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
