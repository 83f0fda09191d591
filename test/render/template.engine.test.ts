import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../src/render/engine.ts'
import { renderText } from '../../src/tools/render.ts'
import { chartPath, engineForTests, helmTemplate } from './fixtures.ts'

let engine: Engine
beforeAll(async () => {
  engine = await engineForTests()
})
afterAll(() => engine.close())

/** Chart and flags; each is rendered by the real `helm template`, too. */
const CASES: readonly (readonly [chart: string, ...flags: string[]])[] = [
  ['features'],
  ['features', '--include-crds'],
  ['features', '--is-upgrade', '--namespace', 'other'],
  ['features', '--kube-version', '1.31.2-gke.100'],
  ['features', '--kube-version', 'v1.30', '--api-versions', 'cert-manager.io/v1,example.com/v1/Widget'],
  ['features', '--api-versions', 'a/v1', '--api-versions', 'b/v1'],
  ['features', '--set', 'replicas=5,list={x,y},map.nested.deep[1]=9', '--set', 'greeting=plain'],
  ['features', '--set-string', 'replicas=5', '--set', 'replicas=6'],
  ['features', '--set-json', 'map={"a":{"b":[1,2]}}', '--set-json', '{"replicas":9007199254740993}'],
  ['features', '--set-file', `greeting=${chartPath('features/config/app.ini')}`],
  ['features', '--set-literal', 'greeting=a,b={c}\\d', '--set', 'greeting=lost'],
  ['features', '--values', chartPath('features.yaml'), '--set', 'map.nested=null'],
  ['features', '--values', `${chartPath('features.yaml')},${chartPath('more.yaml')}`],
  ['parent', '--include-crds'],
  ['parent', '--set', 'second.enabled=false,tags.extra=false,global.packed=false,packed.enabled=null'],
  ['parent', '--set', 'tags.extra=true,first.color=green,global.region=south'],
  ['parent/charts/packed-2.0.0.tgz'],
  ['yaml-traps'],
  ['legacy'],
  ['legacy', '--set', 'child.on=false'],
  ['gated', '--kube-version', 'v1.35.9-eks-1234'],
]

test.each(CASES)('prints what helm template prints: %s %s %s %s %s', async (chart, ...flags) => {
  const expected = await helmTemplate(['web', chartPath(chart), ...flags])
  expect(expected.error).toBe('')
  expect(await renderText(engine, [chartPath(chart), '--release', 'web', ...flags])).toBe(expected.out)
})

test('reads a template with Windows line ends, which a checkout could take away', async () => {
  const text = await readFile(join(chartPath('yaml-traps'), 'templates', 'crlf.yaml'), 'utf8')
  expect(text.split('\n').filter((line) => line !== '' && !line.endsWith('\r'))).toEqual([])
})

test('names the release as helm template does where no name is given', async () => {
  const expected = await helmTemplate([chartPath('features')])
  expect(await renderText(engine, [chartPath('features')])).toBe(expected.out)
})

test('takes no other argument than one chart', async () => {
  await expect(renderText(engine, [])).rejects.toThrow('exactly one CHART is needed')
})

test('has the default API versions of the real client-go, in its order', async () => {
  const list = /all: (.*)/
  const expected = list.exec((await helmTemplate([chartPath('features')])).out)?.[1]
  expect(expected?.split(',')).toHaveLength(57)
  expect(list.exec(await renderText(engine, [chartPath('features')]))?.[1]).toBe(expected)
})
