import { missingBinaries } from '../../src/tools/builds/binaries.ts'
import { ensureBuilt } from '../../src/tools/builds/builder.ts'
import { buildEngine, engineTwin, engineWasm } from '../../src/tools/builds/engine-build.ts'

/** vitest global setup of the project `engine`: all that its tests need is built before the first of them. */
export async function setup(): Promise<void> {
  await ensureBuilt([
    engineWasm,
    engineTwin,
    ...(await missingBinaries(['helm4', 'helm3', 'registry', 'actionlint', 'rego'])),
  ])
  await buildEngine()
}
