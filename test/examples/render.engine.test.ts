import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringAt } from '../../src/model/object.ts'
import { noValues } from '../../src/model/release.ts'
import type { Lookup, Renderer, RenderRequest } from '../../src/ports.ts'
import { type Engine, startEngine } from '../../src/render/engine.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { renderText } from '../../src/tools/render.ts'
import { helmTemplate } from '../render/fixtures.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SHOP = join(ROOT, 'examples', 'shop')
const FIXED = ['--set', 'database.auth.password=fixed,session.key=fixed']

const CASES: readonly (readonly [chart: string, ...flags: string[]])[] = [
  ['shop', ...FIXED, '--include-crds'],
  ['shop', ...FIXED, '--values', join(SHOP, 'values-upgrade.yaml'), '--is-upgrade'],
  ['shop', ...FIXED, '--set', 'api.autoscaling.enabled=false,ingress.enabled=false,search.enabled=false'],
  ['shop', ...FIXED, '--set', 'database.enabled=false'],
  ['plain'],
  ['plain', '--values', join(ROOT, 'examples', 'plain', 'values-upgrade.yaml')],
  ['plain', '--set', 'autoscaling.enabled=true'],
]

describe('each example', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = startEngine({ folder: await buildEngine(), timeZone: 'UTC' })
  })
  afterAll(() => engine.close())

  test.each(CASES)('%s renders as helm template renders it: %s %s %s %s', async (chart, ...flags) => {
    const path = join(ROOT, 'examples', chart)
    const expected = await helmTemplate(['app', path, '--namespace', 'shop', ...flags])
    expect(expected.error).toBe('')
    const text = await renderText(engine, [path, '--release', 'app', '--namespace', 'shop', ...flags])
    expect(text).toBe(expected.out)
  })

  test.each(['shop', 'plain'])('passes helm lint --strict: %s', async (chart) => {
    const path = join(ROOT, 'examples', chart)
    const args = ['lint', '--strict', path, '--values', join(path, 'values-upgrade.yaml')]
    const { stdout } = await promisify(execFile)(await ensureBinary('helm4'), args, { env: { HOME: '/nonexistent' } })
    expect(stdout).toContain('0 chart(s) failed')
  })
})

describe('the shop', () => {
  let renderer: Renderer
  beforeAll(async () => {
    renderer = startRenderer({ folder: await buildEngine(), timeZone: 'UTC' })
  })
  afterAll(() => renderer.close())

  test('keeps its generated password and key, by lookup', async () => {
    const data = { password: 'b2xk', key: 'b2xkZXI=' }
    const lookup: Lookup = async (_apiVersion, kind, namespace) =>
      kind === 'Secret' && namespace === 'shop' ? { data } : undefined
    expect(await secretsOf({ ...asked, lookup })).toEqual({ 'shop-database': 'b2xk', 'shop-session': 'b2xkZXI=' })
  })

  test('makes new ones where there are none', async () => {
    const first = await secretsOf(asked)
    const second = await secretsOf(asked)
    expect(Object.keys(first)).toEqual(['shop-database', 'shop-session'])
    expect(first).not.toEqual(second)
  })

  test.each([
    ['search.shards=99', "at '/search/shards': maximum"],
    ['serach.shards=2', "additional properties 'serach' not allowed"],
  ])('refuses %s by its schema', async (set, message) => {
    await expect(renderer.render({ ...asked, values: { ...noValues, set: [set] } })).rejects.toThrow(message)
  })

  async function secretsOf(request: RenderRequest): Promise<Readonly<Record<string, string>>> {
    const { documents } = await renderer.render(request)
    const secrets = documents.map(({ object }) => object).filter(({ kind }) => kind === 'Secret')
    return Object.fromEntries(
      secrets.map((secret) => [
        secret.metadata.name ?? '',
        stringAt(secret, 'data', 'password') ?? stringAt(secret, 'data', 'key') ?? '',
      ]),
    )
  }
})

const asked: RenderRequest = {
  chartPath: SHOP,
  release: 'shop',
  namespace: 'shop',
  revision: 1,
  isUpgrade: false,
  values: noValues,
  apiVersions: [],
}
