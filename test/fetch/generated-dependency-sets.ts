import { seededRandom } from '../seeded-random.ts'
import { type ChartFiles, tellingChart } from './chart-files.ts'
import type { PublishedChart } from './chart-world.ts'
import type { DependencySet, Requirement } from './dependency-set.ts'

const STABLE = 'https://charts.example/stable'
const TEAM = 'https://charts.example/team/'
const REGISTRY = 'oci://registry.example/charts'

/** Where the generated sets fetch from, by the names that helm knows. */
export const GENERATED_REPOSITORIES = { stable: STABLE, team: TEAM }
export const GENERATED_REGISTRIES = ['registry.example']

const CHARTS: Readonly<Record<string, string>> = {
  alpha: STABLE,
  beta: STABLE,
  nest: STABLE,
  gamma: TEAM,
  delta: TEAM,
  omega: REGISTRY,
  sigma: REGISTRY,
}

/** What is published when locks are written, and what is new when they are read. */
const VERSIONS = {
  before: ['0.9.0', '1.0.0', '1.1.0', '1.2.0-rc.1', '1.2.0', '2.0.0-alpha.1'],
  after: ['1.2.1+build.1', '1.2.1+build.7', '1.3.0', '1.4.0-beta.2', '2.0.0', '2.1.0-alpha.1'],
}

/** Ways to ask for a version; all are met before, too. */
const WANTED = [
  '1.0.0',
  '=1.1.0',
  '^1.0.0',
  '~1.2.0',
  '>=1.0.0 <2.0.0',
  '>= 0.9, < 1.2',
  '1.x',
  '1.1.x',
  '*',
  '>=1.0.0-0',
  '^1.2.0-0',
  '~1.2.0-rc.0',
  '<1.2.0 || >=2.0.0',
  '1.0.0 - 1.2.0',
  '!=1.1.0',
  '>0.9.0',
  '2.0.0-alpha.1',
  '1.2.0-rc.1',
]
/**
 * For a chart that is required twice. Where both of its versions fit one of the ranges, helm takes now this one and now that
 * one: it reads what lies in `charts/` in random order.
 */
const DISJOINT = [
  ['1.0.0', '~1.2.0'],
  ['<1.0.0', '^1.1.0'],
  ['1.1.x', '1.2.0-rc.1'],
  ['2.0.0-alpha.1', '0.9.0'],
] as const
/** Met by what is published later only: for sets without a lock. */
const WANTED_LATER = ['1.2.1+build.7', '1.4.0-beta.2', '^1.3', '>=1.4.0-beta <2.0.0-0', '2.x']

export function generatedCharts(when: keyof typeof VERSIONS): readonly PublishedChart[] {
  return Object.entries(CHARTS).flatMap(([name, repository]) =>
    VERSIONS[when].map((version) => ({ repository, name, version, files: publishedFiles(name, version) })),
  )
}

/** `nest` is published with charts below it, which a condition and a tag of its own switch. */
function publishedFiles(name: string, version: string): ChartFiles {
  const values = { color: `${name}-${version}`, exports: { data: { [`from-${name}`]: version } } }
  if (name !== 'nest') return tellingChart({ name, version }, values)
  const below = (inner: string) =>
    Object.entries(tellingChart({ name: inner, version: '0.1.0' }, { of: version })).map(
      ([file, content]) => [`charts/${inner}/${file}`, content] as const,
    )
  const dependencies = [
    { name: 'egg', version: '0.x', condition: 'egg.enabled' },
    { name: 'chick', version: '0.1.0', tags: ['young'] },
  ]
  const own = tellingChart({ name, version, dependencies }, { ...values, egg: { enabled: version !== '1.0.0' } })
  return { ...own, ...Object.fromEntries([...below('egg'), ...below('chick')]) }
}

/** `count` sets, the same for the same seed. Locks, present archives and local charts take turns; the rest is chance. */
export function generatedSets(count: number, seed: number): readonly DependencySet[] {
  const random = seededRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const lock = LOCKS[index % LOCKS.length] ?? 'absent'
    const wanted = lock === 'absent' ? [...WANTED, ...WANTED_LATER] : WANTED
    const required = new Map<string, Requirement>()
    const set: string[] = []
    for (let left = 1 + below(4); left > 0; left -= 1) {
      const name = pick(Object.keys(CHARTS))
      const others = [...required].filter(([, requirement]) => requirement.name === name)
      if (others.length > 1) continue
      const alias = others.length > 0 || below(4) === 0 ? `${name}-${left}` : undefined
      const [first, second] = pick(DISJOINT)
      for (const [key, other] of others) required.set(key, { ...other, version: first })
      required.set(alias ?? name, {
        name,
        version: others.length > 0 ? second : pick(wanted),
        repository: writtenRepository(CHARTS[name] ?? STABLE, below(3)),
        ...(alias === undefined ? {} : { alias }),
        ...switchOf(alias ?? name, below(6)),
        ...(below(5) === 0 ? { 'import-values': ['data'] } : {}),
      })
      if (below(3) === 0) set.push(`${alias ?? name}.color=set-${left}`)
    }
    const local = LOCALS[index % LOCALS.length] ?? []
    if (local.length > 0) required.set('lib', { name: 'lib', version: '>=1', repository: 'file://../lib' })
    // What is switched on by name and off by its tag is on.
    set.push(...[`tags.back=${below(2) === 0}`, `tags.young=${below(2) === 0}`])
    const requirements = [...required.values()]
    return {
      name: `${index + 1}: ${requirements.map(({ name, version }) => `${name} ${version}`).join(', ')}; lock ${lock}`,
      requirements,
      files: { ...chartIn('app', requirements, switches(requirements)), ...localCharts(local) },
      inner: local.filter((name) => name !== 'base').reverse(),
      lock,
      presentCount: index % 4 === 3 ? 1 : 0,
      set,
    }
  })
}

const LOCKS = ['absent', 'fitting', 'outdated'] as const
/** Charts beside the chart: one without dependencies, one with one, and one whose dependency lies beside it. */
const LOCALS: readonly (readonly ('lib' | 'mid' | 'base')[])[] = [[], [], ['lib'], [], [], [], ['lib', 'mid', 'base']]

/** As people write one and the same repository. */
function writtenRepository(url: string, way: number): string {
  const name = Object.entries(GENERATED_REPOSITORIES).find(([, known]) => known === url)?.[0]
  return (name === undefined || way === 2 ? undefined : [`@${name}`, `alias:${name}`][way]) ?? url
}

function switchOf(name: string, way: number): Pick<Requirement, 'condition' | 'tags'> {
  const condition = `${name}.enabled`
  const ways = [
    { condition },
    { condition: `${name}.absent,${condition}` },
    { tags: ['back'] },
    { condition, tags: ['back'] },
  ]
  return ways[way] ?? {}
}

/** Every third condition switches off. */
function switches(requirements: readonly Requirement[]): object {
  const names = requirements.filter(({ condition }) => condition !== undefined).map(({ name, alias }) => alias ?? name)
  return Object.fromEntries(names.map((name, index) => [name, { enabled: index % 3 !== 1 }]))
}

function localCharts(names: readonly string[]): ChartFiles {
  const below: Readonly<Record<string, readonly Requirement[]>> = {
    lib: [
      { name: 'gamma', version: '^1.0.0', repository: TEAM, condition: 'gamma.enabled' },
      ...(names.includes('mid') ? [{ name: 'mid', version: '1.0.0', repository: 'file://../mid' }] : []),
    ],
    mid: [
      { name: 'omega', version: '<2', repository: REGISTRY },
      { name: 'base', version: '1.0.0', repository: 'file://../base' },
    ],
    base: [],
  }
  return Object.assign({}, ...names.map((name) => chartIn(name, below[name] ?? [], {})))
}

function chartIn(name: string, dependencies: readonly Requirement[], values: object): ChartFiles {
  const files = tellingChart({ name, version: '1.0.0', dependencies }, { own: name, ...values })
  return Object.fromEntries(Object.entries(files).map(([file, content]) => [`${name}/${file}`, content]))
}
