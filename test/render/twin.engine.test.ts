import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJson } from '../../src/model/json.ts'
import type { Engine } from '../../src/render/engine.ts'
import type { EngineRequest, EngineResult } from '../../src/render/protocol.ts'
import { callNative, chartPath, engineForTests, request } from './fixtures.ts'

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

/** With a number that JavaScript's own JSON would damage. */
const SECRET = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"old"},"spec":{"size":9007199254740993}}'
const CASES: readonly EngineRequest[] = [
  request(chartPath('features')),
  request(chartPath('features'), { revision: 4, isUpgrade: true, namespace: 'shop', hasLookup: true }),
  request(chartPath('features'), { apiVersions: ['v1', 'cert-manager.io/v1'], kubeVersion: 'v1.34.1-gke.100' }),
  request(chartPath('parent')),
  request(chartPath('parent/charts/packed-2.0.0.tgz')),
  request(chartPath('yaml-traps')),
  request(chartPath('legacy')),
  request(chartPath('gated'), { kubeVersion: 'v1.34.1-gke.100' }),
]

test.each(CASES)('gives the same natively and in WebAssembly: $chartPath', async (asked) => {
  const lookup = async ({ name }: { readonly name: string }) => (name === 'old' ? SECRET : '')
  const inWasm = await engine.render(asked, { lookup })
  const native = await callNative({ render: asked, lookups: { 'v1/Secret/shop/old': parseJson(SECRET) } })
  expect(withoutFileTimes(inWasm)).toEqual(withoutFileTimes(native.result as EngineResult))
})

test('gives the same twice', async () => {
  const [first, second] = [
    await engine.render(request(chartPath('parent'))),
    await engine.render(request(chartPath('parent'))),
  ]
  expect(second).toEqual(first)
})

/** Node tells a file's time in ms, the native build in ns. */
function withoutFileTimes(result: EngineResult): EngineResult {
  return { ...result, chart: result.chart.replace(/"(schemamod|mod)time":"[^"]*"/g, '"$1time":""') }
}
