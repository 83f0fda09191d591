import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCases, type ScoredCase, scoreCase } from '../../src/tools/readiness.ts'

const NOW_MS = Date.parse('2026-01-01T00:00:00Z')
const cases = await readCases(join(import.meta.dirname, 'cases'))

test.each(cases.filter(({ contested }) => contested !== true))('$file: $why', (given) => {
  expect(scoreCase(given, NOW_MS).verdict.state).toBe(given.expected)
})

test('nothing is called ready that is not', () => {
  expect(
    scored()
      .filter(({ isFalseReady }) => isFalseReady)
      .map(({ file }) => file),
  ).toEqual([])
})

// Where reasonable people differ we wait rather than fail: the objects say that work goes on.
test('contested cases', () => {
  const differing = scored().filter(({ contested, agrees }) => contested === true && !agrees)
  expect(differing.map(({ file, verdict }) => `${file} ${verdict.state}`)).toEqual([
    'kafka.banzaicloud.io/KafkaCluster/degraded.yaml progressing',
    'numaflow.numaproj.io/InterStepBufferService/degraded.yaml progressing',
    'numaflow.numaproj.io/MonoVertex/degraded.yaml progressing',
    'numaflow.numaproj.io/Pipeline/degraded.yaml progressing',
    'pkg.crossplane.io/Provider/degraded-healthy.yaml progressing',
    'postgresql.cnpg.io/Cluster/cluster-degraded.yaml progressing',
    'rollouts.kruise.io/Rollout/degraded.yaml progressing',
  ])
})

/** Judged inside of a test, where mutation testing sees which test covers what. */
function scored(): readonly ScoredCase[] {
  return cases.map((given) => scoreCase(given, NOW_MS))
}
