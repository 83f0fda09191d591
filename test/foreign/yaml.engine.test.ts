import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseKubeconfig } from '../../src/kube/kubeconfig-document.ts'
import type { Renderer } from '../../src/ports.ts'
import { refusing, refusingLater } from '../fuzz/refusals.ts'
import { readGiven } from '../inputs/given.ts'
import { rendererForTests } from '../render/fixtures.ts'
import { type HostileYaml, indented, mutatedManifests, polluters, yamlBombs } from './hostile-yaml.ts'

/** Of all readers together, which are ten: js-yaml and Go's. */
const MAX_CPU_MS = 5_000

/** Each takes half a minute alone, more on a busy machine. */
const SLOW_MS = 600_000

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

/** Places of a kubeconfig, whose entries are walked. */
const PLACES = [
  (text: string) => text,
  (text: string) => `clusters:\n${indented(text)}`,
  (text: string) => `users:\n- name: a\n  user:\n  ${indented(indented(text))}`,
  (text: string) => `users:\n- name: a\n  user:\n    exec:\n${indented(indented(indented(text)))}`,
  (text: string) => `contexts:\n- name: a\n  context:\n${indented(indented(text))}`,
]

const CHART = { 'c/Chart.yaml': 'name: c\nversion: 1.0.0\n' }

/** Everything that reads YAML: kubeconfigs, inputs, charts, documents. Whatever is thrown beside a refusal is a mistake. */
async function readByAll({ title, text }: HostileYaml): Promise<void> {
  const before = process.cpuUsage()
  for (const put of PLACES) refusing(() => parseKubeconfig({ text: put(text) }))
  await readGiven({ chart: 'c', values: text }, CHART, { renderer })
  await readGiven({ charts: text }, CHART, { renderer })
  await readGiven({ charts: `- chart: c\n  values:\n${indented(indented(text))}` }, CHART, { renderer })
  await readGiven({ chart: 'c' }, { 'c/Chart.yaml': text }, { renderer })
  await refusingLater(() => renderer.parse(text, 'given.yaml'))
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000, title).toBeLessThan(MAX_CPU_MS)
}

/** What everything inherits. */
const inherited = () =>
  [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one).map(String))

const BOMBS = 837
test(
  `S-13 ${BOMBS} texts of YAML that nest, multiply or go in circles are read or refused within bounds`,
  async () => {
    const bombs = yamlBombs()
    expect(new Set(bombs.map(({ text }) => text)).size).toBe(BOMBS)
    for (const bomb of bombs) await readByAll(bomb)
  },
  SLOW_MS,
)

const MUTATED = 2_000
test(
  `S-13 ${MUTATED} damaged manifests are read or refused within bounds`,
  async () => {
    const manifests = mutatedManifests(MUTATED, 13)
    expect(new Set(manifests.map(({ text }) => text)).size).toBeGreaterThan(MUTATED * 0.95)
    for (const manifest of manifests) await readByAll(manifest)
  },
  SLOW_MS,
)

const POLLUTERS = 1_260
test(
  `S-12 ${POLLUTERS} texts of YAML with names of the language change no other object`,
  async () => {
    const texts = polluters()
    expect(new Set(texts.map(({ text }) => text)).size).toBe(POLLUTERS)
    const before = inherited()
    for (const text of texts) await readByAll(text)
    expect(inherited()).toEqual(before)
    expect('polluted' in {}).toBe(false)
  },
  SLOW_MS,
)
