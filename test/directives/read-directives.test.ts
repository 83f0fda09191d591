import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { formatRef } from '../../src/model/ref.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { type Annotations, directives, faults, manifest, occasions, placed, read, type Shape } from './given.ts'

describe('precedence, directive by directive', () => {
  test('a hook with werf.io/weight is a hook of that weight, and nothing else is lost', () => {
    const resource = read({
      'helm.sh/hook': 'pre-install',
      'helm.sh/hook-weight': '1',
      'helm.sh/hook-delete-policy': 'hook-succeeded',
      'werf.io/weight': '9',
    })
    expect(resource.directives).toMatchObject({ isHook: true, weight: 9, deletePolicies: ['succeeded'] })
    expect(resource.unusedKeys).toEqual(['helm.sh/hook-weight'])
  })

  test('werf.io before kots.io before helm.sh', () => {
    const helm = {
      'helm.sh/hook': 'pre-install',
      'helm.sh/hook-weight': '1',
      'helm.sh/hook-delete-policy': 'hook-failed',
    }
    const kots = { 'kots.io/creation-phase': '2', 'kots.io/hook-delete-policy': 'hook-succeeded' }
    const werf = { 'werf.io/weight': '3', 'werf.io/delete-policy': 'before-creation' }
    const decided = (annotations: Annotations) => {
      const { weight, deletePolicies } = directives(annotations)
      return `${weight} ${deletePolicies.join(',')}`
    }
    expect(decided(helm)).toBe('1 failed')
    expect(decided({ ...helm, ...kots })).toBe('2 succeeded')
    expect(decided({ ...helm, ...kots, ...werf })).toBe('3 before-creation')
    expect(read({ ...helm, ...kots, ...werf }).unusedKeys).toEqual([
      'helm.sh/hook-delete-policy',
      'helm.sh/hook-weight',
      'kots.io/creation-phase',
      'kots.io/hook-delete-policy',
    ])
  })

  test('directives that do not compete add up', () => {
    expect(
      directives({ 'helm.sh/resource-policy': 'keep', 'kots.io/wait-for-ready': 'true', 'werf.io/weight': '1' }),
    ).toMatchObject({ keep: true, isReadyBarrier: true, weight: 1 })
  })

  test('an overridden key is checked all the same', () => {
    expect(faults({ 'werf.io/weight': '1', 'kots.io/creation-phase': 'x' })).toHaveLength(1)
  })
})

test('an object without annotations gets the defaults', () => {
  const { occasions: _occasions, ...rest } = directives({})
  expect(rest).toEqual({
    isHook: false,
    weight: 0,
    isPhased: false,
    ownership: 'release',
    deletePolicies: [],
    keep: false,
    keepOnPrune: false,
    skips: [],
    externalDependencies: [],
    deployDependencies: [],
    deleteDependencies: [],
    deletionPhase: 0,
    isReadyBarrier: false,
    propertyWaits: [],
    excluded: false,
    outputLogsOn: [],
    sensitivePaths: [],
    wait: 'until-ready',
    failMode: 'stop',
    skipLogs: false,
    skipContainers: [],
    onlyContainers: [],
    keepLines: [],
    dropLines: [],
  })
})

describe('objects of crds/', () => {
  const crd: Shape = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: 'a.b.io',
    source: 'crds',
  }

  test('are deployed on install and upgrade, not on rollback, and belong to anyone', () => {
    expect(occasions({}, crd)).toBe('install/crds upgrade/crds')
    expect(directives({}, crd).ownership).toBe('anyone')
  })

  test('crd-install in a file of crds/ changes nothing, one CRD in one stage', () => {
    const resource = read(
      {
        'helm.sh/hook': 'crd-install',
        'helm.sh/hook-delete-policy': 'before-hook-creation',
        'helm.sh/hook-weight': 'x',
      },
      crd,
    )
    expect(resource).toMatchObject({ directives: { isHook: false, deletePolicies: [], weight: 0 }, problems: [] })
    expect(occasions({ 'helm.sh/hook': 'crd-install' }, crd)).toBe('install/crds upgrade/crds')
    expect(resource.unusedKeys).toEqual(['helm.sh/hook', 'helm.sh/hook-delete-policy', 'helm.sh/hook-weight'])
  })

  test('take no ownership and no deploy-on from annotations, but a weight', () => {
    const annotations = { 'werf.io/ownership': 'release', 'werf.io/deploy-on': 'rollback', 'werf.io/weight': '-1' }
    expect(read(annotations, crd)).toMatchObject({
      directives: { ownership: 'anyone', weight: -1 },
      unusedKeys: ['werf.io/deploy-on', 'werf.io/ownership'],
    })
    expect(occasions(annotations, crd)).toBe('install/crds upgrade/crds')
  })

  test('a CRD of two charts counts once; one that differs is a warning', () => {
    const first = manifest({}, { ...crd, line: 1 })
    expect(deployed([first, manifest({}, { ...crd, line: 9 })])).toEqual([
      ['CustomResourceDefinition/shop/a.b.io:1'],
      [],
    ])
    expect(deployed([first, manifest({ x: 'y' }, { ...crd, line: 9 })])).toEqual([
      ['CustomResourceDefinition/shop/a.b.io:1'],
      [
        'warning: CustomResourceDefinition/shop/a.b.io: is also in shop/templates/db.yaml:1, which is the one that is used',
      ],
    ])
  })

  test('a CRD in crds/ and as crd-install counts once, whichever comes first', () => {
    const template = manifest({ 'helm.sh/hook': 'crd-install' }, { ...crd, source: 'template', line: 9 })
    const [kept] = deployed([template, manifest({}, { ...crd, line: 1 })])
    expect(kept).toEqual(['CustomResourceDefinition/shop/a.b.io:1'])
  })
})

describe('duplicates', () => {
  test('an object twice at one moment is an error that names both places', () => {
    expect(deployed([manifest({}, { line: 1 }), manifest({}, { line: 20 })])).toEqual([
      ['Job/shop/db:1'],
      ['error: Job/shop/db: is also in shop/templates/db.yaml:1'],
    ])
  })

  test('two versions of one object are a duplicate; two groups are not', () => {
    const of = (apiVersion: string) => manifest({}, { apiVersion, kind: 'Ingress', name: 'a' })
    expect(deployed([of('networking.k8s.io/v1'), of('networking.k8s.io/v1beta1')])[1]).toHaveLength(1)
    expect(deployed([of('networking.k8s.io/v1'), of('extensions/v1beta1')])[1]).toEqual([])
  })

  test('hooks of one name for different events are not', () => {
    const hooks = ['pre-install', 'pre-upgrade', 'post-install'].map((event) => manifest({ 'helm.sh/hook': event }))
    expect(deployed(hooks)).toEqual([['Job/shop/db:3', 'Job/shop/db:3', 'Job/shop/db:3'], []])
  })

  test('hooks of one name that share an event are', () => {
    const hooks = ['pre-install,pre-upgrade', 'pre-upgrade'].map((event) => manifest({ 'helm.sh/hook': event }))
    expect(deployed(hooks)[1]).toHaveLength(1)
  })

  test('an object that is left out is no duplicate', () => {
    expect(deployed([manifest({}), manifest({ 'kots.io/exclude': 'true' })])[1]).toEqual([])
  })
})

describe('annotations that are seen and not used', () => {
  test('of Argo CD, kapp and Flux, and unknown ones of our families; others are none of our business', () => {
    const resource = read({
      'argocd.argoproj.io/sync-wave': '1',
      'kapp.k14s.io/change-group': 'a',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'helm.toolkit.fluxcd.io/driftDetection': 'disabled',
      'helm.sh/resource-group': 'a',
      'werf.io/version': '1',
      'kots.io/installer-only': 'true',
      'example.com/note': 'x',
      'meta.helm.sh/release-name': 'x',
    })
    expect(resource.unusedKeys).toEqual([
      'argocd.argoproj.io/sync-wave',
      'helm.sh/resource-group',
      'helm.toolkit.fluxcd.io/driftDetection',
      'kapp.k14s.io/change-group',
      'kots.io/installer-only',
      'kustomize.toolkit.fluxcd.io/prune',
      'werf.io/version',
    ])
    expect(resource.problems).toEqual([])
  })

  test.each([
    ['werf.io/wieght', 'werf.io/weight'],
    ['werf.io/wieghts', 'werf.io/weight'],
    ['werf.io/wiegtths', undefined],
    ['werf.io/deploy_on', 'werf.io/deploy-on'],
    ['kots.io/creation-phases', 'kots.io/creation-phase'],
    ['helm.sh/hook-weigth', 'helm.sh/hook-weight'],
    ['helm.sh/hooks', 'helm.sh/hook'],
    ['db.external-dependancy.werf.io/resource', '<id>.external-dependency.werf.io/resource'],
    ['werf.io/deploy-dependancy-db', 'werf.io/deploy-dependency-<id>'],
    ['helm.io/hook', undefined],
    ['werf.io/something-else', undefined],
  ])('a misspelt key is a warning: %s', (key, likely) => {
    expect(faults({ [key]: 'x' })).toEqual(
      likely === undefined
        ? []
        : [`warning: Job/shop/db: ${key} is not a known annotation; write ${likely}, or remove it`],
    )
  })
})

describe('problems', () => {
  test('all of all objects, each with object, file, line and key', () => {
    const { problems } = directivesOf(
      [
        manifest({ 'werf.io/weight': 'x', 'kots.io/keep': 'x' }, { line: 4 }),
        manifest({ 'helm.sh/hook': 'x' }, { name: 'b', line: 30 }),
      ],
      { isPlainManifests: false },
    )
    expect(problems.map(({ place: { ref, file, line, key } }) => `${ref?.name} ${file}:${line} ${key}`)).toEqual([
      'db shop/templates/db.yaml:4 kots.io/keep',
      'db shop/templates/db.yaml:4 werf.io/weight',
      'b shop/templates/db.yaml:30 helm.sh/hook',
    ])
    expect(problems.map(({ reason }) => reason)).toEqual(['invalid-input', 'invalid-input', 'invalid-input'])
  })

  test('a value is shown up to 80 characters, control characters escaped', () => {
    const [fault] = faults({ 'werf.io/weight': `\u001b[31m\n${'x'.repeat(5000)}` })
    expect(fault).toContain(`is "\\u001b[31m\\n${'x'.repeat(74)}...": not an integer`)
  })

  test('a value of thousands of characters is refused unread', () => {
    expect(faults({ 'werf.io/log-regex': 'x'.repeat(16_385) })[0]).toContain('longer than 16384 characters')
    expect(faults({ 'werf.io/log-regex': 'x'.repeat(16_384) })).toEqual([])
  })

  test.each([16_384, 250_000])('hostile annotations of %i characters end in time', (length) => {
    const hostile = {
      'werf.io/log-regex': '(a+)+'.repeat(length / 5),
      'werf.io/deploy-dependency-a': `${'k=v '.repeat(length / 4 - 1)}"`,
      'werf.io/deploy-dependency-b': ' '.repeat(length),
      'werf.io/delete-dependency-c': 'k'.repeat(length),
      'kots.io/wait-for-properties': '.a['.repeat(length / 3),
      'werf.io/sensitive-paths': "[?(@.a=='".repeat(length / 9),
      'werf.io/no-activity-timeout': '1'.repeat(length),
      'helm.sh/hook': ' ,'.repeat(length / 2),
      [`werf.io/${'w'.repeat(length)}`]: '',
    }
    const costMs = cpuMsOf(() => void directives(hostile))
    expect(costMs).toBeLessThan(2000)
  })

  test('values that are no strings, as records of other tools may hold them, are passed over', () => {
    const broken = manifest({ 'werf.io/weight': 5 as unknown as string })
    expect(directivesOf([broken], { isPlainManifests: false })).toMatchObject({
      resources: [{ directives: { weight: 0 } }],
      problems: [],
    })
  })
})

/** What is deployed, with its line, and the problems. */
function deployed(manifests: Parameters<typeof directivesOf>[0]): readonly (readonly string[])[] {
  const { resources, problems } = directivesOf(manifests, { isPlainManifests: false })
  return [
    resources.map(({ manifest: { ref, origin } }) => `${formatRef(ref)}:${origin.line}`),
    problems.map((problem) => `${problem.severity}: ${placed(problem)}`),
  ]
}
