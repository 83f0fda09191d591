import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noValues } from '../../src/model/release.ts'
import type { ChartRequirements, ChartRules, Renderer } from '../../src/ports.ts'
import { seededRandom } from '../seeded-random.ts'
import { volume } from '../volume.ts'
import { chartOf, rendererForTests, temporaryFolder } from './fixtures.ts'
import { runHelm } from './helm-command.ts'
import { type DependencyEntry, helm2Digest, lockDigest } from './lock-digest.ts'

let renderer: Renderer & ChartRules
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

async function lockOf(chartPath: string): Promise<ChartRequirements['lock']> {
  const [root] = await renderer.requirements({ chartPath, values: noValues, dependencies: [] })
  return root?.lock
}

const REQUIRED = [{ name: 'db', version: '^1.0.0', repository: 'https://charts.example' }]
const LOCKED = [{ name: 'db', version: '1.4.2', repository: 'https://charts.example' }]
const chartYaml = (dependencies: readonly DependencyEntry[]) =>
  JSON.stringify({ apiVersion: 'v2', name: 'demo', version: '1.0.0', dependencies })

test('tells what Chart.lock holds', async () => {
  const lock = JSON.stringify({ dependencies: LOCKED, digest: lockDigest(REQUIRED, LOCKED) })
  const chart = await chartOf({ 'Chart.yaml': chartYaml(REQUIRED), 'Chart.lock': lock })
  expect(await lockOf(chart)).toEqual({ fits: true, entries: LOCKED })
})

test('does not fit requirements that have changed since', async () => {
  const lock = JSON.stringify({ dependencies: LOCKED, digest: lockDigest(REQUIRED, LOCKED) })
  const changed = REQUIRED.map((required) => ({ ...required, version: '^2.0.0' }))
  const chart = await chartOf({ 'Chart.yaml': chartYaml(changed), 'Chart.lock': lock })
  expect(await lockOf(chart)).toEqual({ fits: false, entries: LOCKED })
})

test('there is none where there is no file, or an empty one', async () => {
  expect(await lockOf(await chartOf({}))).toBe(undefined)
  expect(await lockOf(await chartOf({ 'Chart.lock': '' }))).toBe(undefined)
})

test('`@name` counts as the address that the lock has for it', async () => {
  const named = REQUIRED.map((required) => ({ ...required, repository: '@own' }))
  const lock = JSON.stringify({ dependencies: LOCKED, digest: lockDigest(REQUIRED, LOCKED) })
  expect(await lockOf(await chartOf({ 'Chart.yaml': chartYaml(named), 'Chart.lock': lock }))).toMatchObject({
    fits: true,
  })
})

test('a lock with null among its entries does no harm', async () => {
  const chart = await chartOf({ 'Chart.yaml': chartYaml(REQUIRED), 'Chart.lock': 'dependencies: [null]\ndigest: x\n' })
  expect(await lockOf(chart)).toEqual({ fits: false, entries: [] })
})

const COUNT = volume(240, 60)
/** Helm runs at a time. */
const HELMS = 4
/** What Helm knows as `@own`; nothing listens there. */
const OWN = 'http://127.0.0.1:1/own'

test(`a lock fits where \`helm dependency build\` takes it for one that does, in ${COUNT} generated charts`, async () => {
  const random = seededRandom(240)
  const queue = Array.from({ length: COUNT }, () => generated(random))
  const counts = { fits: 0, differs: 0 }
  const worker = async () => {
    for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
      const chart = await chartOf(files)
      const lock = await lockOf(chart)
      const theirs = await fitsForHelm(chart)
      expect(lock?.fits, JSON.stringify(files, undefined, 2)).toBe(theirs)
      counts[theirs ? 'fits' : 'differs'] += 1
    }
  }
  await Promise.all(Array.from({ length: HELMS }, worker))
  // Otherwise they would show nothing.
  expect(counts.fits).toBeGreaterThan(COUNT / 6)
  expect(counts.differs).toBeGreaterThan(COUNT / 6)
})

async function fitsForHelm(chart: string): Promise<boolean> {
  const home = await temporaryFolder()
  await mkdir(join(home, 'config'))
  const known = { apiVersion: '', repositories: [{ name: 'own', url: OWN }] }
  await writeFile(join(home, 'config', 'repositories.yaml'), JSON.stringify(known))
  const { error } = await runHelm('helm4', ['dependency', 'build', '--skip-refresh', chart], { home })
  // Of charts that nobody serves, nothing comes in the end.
  if (/is out of sync/.test(error)) return false
  if (/^no repository definition for http|own-index\.yaml: no such file/.test(error)) return true
  throw new Error(`helm has another opinion: ${error || 'none'}`)
}

function generated(random: () => number): Record<string, string> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const maybe = <T>(value: () => T): T | undefined => (random() < 0.3 ? value() : undefined)
  const required = ['db', 'mq', 'cache', 'a-b'].slice(0, 1 + Math.floor(random() * 4)).map((name, index) => ({
    name,
    version: pick(['^1.0.0', '~1.2', '>=1.0.0 <2.0.0 || >3', '*', '1.2.3', "1.x' & \u00e9\u2028", '']),
    repository: pick(['https://charts.example', 'https://charts.example/<&>', '@own', 'alias:own', OWN]),
    condition: maybe(() => pick(['db.enabled', 'a.b,c.d', ''])),
    tags: maybe(() => pick([['one'], ['one', 'two <&>'], []])),
    enabled: maybe(() => pick([true, false])),
    'import-values': maybe(() => pick([['shared'], [{ child: 'a', parent: 'b' }, 'x'], []])),
    alias: maybe(() => `alias-${index}`),
  }))
  const locked = required.map(({ name, repository }) => ({
    name,
    version: pick(['1.2.3', '1.10.0-rc.1', '2.0.0+build']),
    repository: repository.endsWith('own') ? OWN : repository,
  }))
  const addressed = required.map((entry) => ({ ...entry, ...whereOwn(entry.repository) }))
  const isV1 = random() < 0.4
  const digest = pick([
    () => lockDigest(addressed, locked),
    () => lockDigest(addressed, locked),
    () => lockDigest(addressed, locked),
    () => helm2Digest(required),
    () => helm2Digest(addressed),
    () => lockDigest(required, locked),
    () => lockDigest(addressed, [...locked].reverse()),
    () => lockDigest(addressed.slice(1), locked),
    () => lockDigest(addressed, locked).slice('sha256:'.length),
    () =>
      lockDigest(
        addressed.map((entry) => ({ ...entry, tags: ['other'] })),
        locked,
      ),
    () => '',
  ])()
  const lock = JSON.stringify({ dependencies: locked, digest, generated: '2026-01-01T00:00:00Z' })
  if (!isV1) return { 'Chart.yaml': chartYaml(required), 'Chart.lock': lock }
  return {
    'Chart.yaml': 'apiVersion: v1\nname: demo\nversion: 1.0.0\n',
    'requirements.yaml': JSON.stringify({ dependencies: required }),
    'requirements.lock': lock,
  }
}

function whereOwn(repository: string) {
  return repository === '@own' || repository === 'alias:own' ? { repository: OWN } : {}
}
