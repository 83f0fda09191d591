import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { evaluate, parseJsonPath, printedValues } from '../../src/manifest/jsonpath.ts'
import type { JsonValue } from '../../src/model/object.ts'
import { type Annotations, directives, faults, manifest, read } from './given.ts'

const plain = { isPlainManifests: true }

describe('kots.io/creation-phase (kots-orchestrating-resource-deployment)', () => {
  test('V1: phases are signed integers, lowest first', () => {
    const { resources } = directivesOf(
      ['1', '-9999', '0', '-2'].map((phase, index) =>
        manifest({ 'kots.io/creation-phase': phase }, { name: `${index}` }),
      ),
      plain,
    )
    expect(resources.map((resource) => resource.directives.weight).toSorted((a, b) => a - b)).toEqual([-9999, -2, 0, 1])
  })

  test('V2: "01" and "1" are one phase', () => {
    expect(directives({ 'kots.io/creation-phase': '01' }, plain).weight).toBe(1)
  })

  test.each([
    ['x', 'not an integer'],
    [' 1', 'not an integer'],
    ['', 'not an integer'],
    ['-10000', 'less than -9999'],
    ['10000', 'more than 9999'],
  ])('V2, with our decision: %j is an error', (value, fault) => {
    const hint = 'write an integer from -9999 to 9999 in quotes, as "-1"'
    expect(faults({ 'kots.io/creation-phase': value, 'kots.io/deletion-phase': value }, plain)).toEqual([
      `error: Job/shop/db: kots.io/creation-phase is ${JSON.stringify(value)}: ${fault}; ${hint}`,
      `error: Job/shop/db: kots.io/deletion-phase is ${JSON.stringify(value)}: ${fault}; ${hint}`,
    ])
  })

  test('default phase 0, and the resource is phased', () => {
    expect(directives({}, plain)).toMatchObject({ weight: 0, isPhased: true })
  })

  test('werf.io/weight stands above it, and the resource is not phased', () => {
    const resource = read({ 'kots.io/creation-phase': '3', 'werf.io/weight': '-1' }, plain)
    expect(resource.directives.weight).toBe(-1)
    expect(resource.directives.isPhased).toBe(false)
    expect(resource.unusedKeys).toEqual(['kots.io/creation-phase'])
  })

  test('in a chart it is the weight, and readiness is awaited as for any weight', () => {
    expect(directives({ 'kots.io/creation-phase': '3' }).weight).toBe(3)
    expect(directives({ 'kots.io/creation-phase': '3' }).isPhased).toBe(false)
  })

  test('a hook among plain manifests is a hook', () => {
    expect(directives({ 'helm.sh/hook': 'pre-install' }, plain).isPhased).toBe(false)
  })
})

test('kots.io/deletion-phase is its own axis', () => {
  expect(directives({ 'kots.io/creation-phase': '-1', 'kots.io/deletion-phase': '1' }, plain)).toMatchObject({
    weight: -1,
    deletionPhase: 1,
  })
})

describe('barriers', () => {
  test.each<[string, boolean]>([
    ['true', true],
    ['false', false],
  ])('kots.io/wait-for-ready %s', (value, ready) => {
    expect(directives({ 'kots.io/wait-for-ready': value }).isReadyBarrier).toBe(ready)
  })

  test.each(['True', '1', ''])('kots.io/wait-for-ready takes nothing but true and false: %j', (value) => {
    expect(faults({ 'kots.io/wait-for-ready': value })).toEqual([
      `error: Job/shop/db: kots.io/wait-for-ready is ${JSON.stringify(value)}: neither "true" nor "false"; write "true" or "false"`,
    ])
  })

  test('V6: wait-for-properties is a list of equalities, in this order', () => {
    expect(properties('.status.a=true,.status.b=false')).toEqual([
      { path: '.status.a', value: 'true' },
      { path: '.status.b', value: 'false' },
    ])
  })

  test('V7: the value goes from the first equal sign on', () => {
    expect(properties('.status.x=a=b')).toEqual([{ path: '.status.x', value: 'a=b' }])
  })

  test('V8, with our decision: a part without "=" is an error, and the other condition is left', () => {
    expect(properties('.status.x,.status.y=1')).toEqual([{ path: '.status.y', value: '1' }])
    expect(faults({ 'kots.io/wait-for-properties': '.status.x,.status.y=1' })).toEqual([
      'error: Job/shop/db: kots.io/wait-for-properties is ".status.x,.status.y=1": no "=" in ".status.x"; write a comma list of <JSONPath>=<value>, as ".status.phase=Ready,.status.count=3"',
    ])
  })

  test('V9: numbers and booleans are compared as text', () => {
    const [wait] = properties('.status.n=1')
    const path = parseJsonPath(wait?.path ?? '')
    if ('error' in path) throw new Error(path.error)
    const printed = (n: JsonValue) => printedValues(evaluate(path, { status: { n } }) as readonly JsonValue[])
    expect(printed(1)).toBe(wait?.value)
    expect(printed('1')).toBe(wait?.value)
    expect(printed(true)).not.toBe(wait?.value)
  })

  test.each<[string, string, readonly object[]]>([
    [
      'commas and equal signs within a filter belong to the path',
      '.c[?(@.type=="Ready")].status=True,.l[0,1]=a b',
      [
        { path: '.c[?(@.type=="Ready")].status', value: 'True' },
        { path: '.l[0,1]', value: 'a b' },
      ],
    ],
    [
      'a blank before a path is no part of it',
      '.a=1, .b=2',
      [
        { path: '.a', value: '1' },
        { path: '.b', value: '2' },
      ],
    ],
    ['braces around a path', '{.a}=1', [{ path: '.a', value: '1' }]],
    ['values are not trimmed', '.a= x ', [{ path: '.a', value: ' x ' }]],
    ['an empty value is a value', '.a=', [{ path: '.a', value: '' }]],
    ['an empty annotation is off', '', []],
  ])('%s', (_name, value, expected) => {
    expect(read({ 'kots.io/wait-for-properties': value })).toMatchObject({
      directives: { propertyWaits: expected },
      problems: [],
    })
  })

  test.each([
    ['invalid][path=1', 'no "=" in "invalid][path=1"'],
    ['invalid]path=1', 'JSONPath "invalid]path": unexpected "invalid]path"'],
    ['=1', 'JSONPath "": empty path'],
    ['.a=1,', 'no "=" in ""'],
    [Array.from({ length: 101 }, () => '.a=1').join(','), 'more than 100 properties'],
  ])('a malformed list is an error: %s', (value, fault) => {
    expect(faults({ 'kots.io/wait-for-properties': value })[0]).toContain(`: ${fault}; write`)
  })
})

describe('inclusion', () => {
  test.each<[string, Annotations, boolean]>([
    ['exclude "true" and when "true"', { 'kots.io/exclude': 'true', 'kots.io/when': 'true' }, true],
    ['exclude "false" wins over when "false"', { 'kots.io/exclude': 'false', 'kots.io/when': 'false' }, false],
    ['when "false" alone', { 'kots.io/when': 'false' }, true],
    ['when "1" alone', { 'kots.io/when': '1' }, false],
    ['exclude "T", as Go parses it', { 'kots.io/exclude': 'T' }, true],
    ['neither', {}, false],
  ])('%s', (_name, annotations, excluded) => {
    expect(read(annotations, plain)).toMatchObject({ directives: { excluded }, problems: [] })
  })

  test.each(['kots.io/exclude', 'kots.io/when'])('a value of %s that is no boolean is an error', (key) => {
    expect(faults({ [key]: 'maybe' })).toEqual([
      `error: Job/shop/db: ${key} is "maybe": neither true nor false; write "true" or "false"`,
    ])
  })

  test.each([
    ['kots.io/v1beta2', 'HelmChart', true],
    ['kots.io/v1beta1', 'Config', true],
    ['troubleshoot.sh/v1beta2', 'Preflight', true],
    ['app.k8s.io/v1beta1', 'Application', true],
    ['velero.io/v1', 'Backup', true],
    ['velero.io/v1', 'Schedule', false],
    ['v1', 'ConfigMap', false],
  ])('%s %s among plain manifests: left out %s', (apiVersion, kind, excluded) => {
    expect(directives({}, { apiVersion, kind, ...plain }).excluded).toBe(excluded)
  })

  test('a chart may deploy kinds of KOTS', () => {
    expect(directives({}, { apiVersion: 'velero.io/v1', kind: 'Backup' }).excluded).toBe(false)
  })
})

describe('kots.io/keep', () => {
  test('true keeps an object that left the release, until uninstall', () => {
    expect(directives({ 'kots.io/keep': 'true' })).toMatchObject({ keepOnPrune: true, keep: false })
    expect(directives({ 'kots.io/keep': 'false' }).keepOnPrune).toBe(false)
  })

  test('nothing but true and false', () => {
    expect(faults({ 'kots.io/keep': 'yes' })).toEqual([
      'error: Job/shop/db: kots.io/keep is "yes": neither "true" nor "false"; write "true" or "false"',
    ])
  })
})

describe('kots.io/hook-delete-policy', () => {
  test.each<[string, readonly string[]]>([
    ['hook-succeeded', ['succeeded']],
    ['hook-succeeded, hook-failed', ['succeeded', 'failed']],
    ['before-hook-creation', []],
    ['before-hook-creation,hook-failed', ['failed']],
  ])('%s', (value, expected) => {
    expect(read({ 'kots.io/hook-delete-policy': value })).toMatchObject({
      directives: { deletePolicies: expected },
      problems: [],
    })
  })

  test('means nothing on other kinds', () => {
    const resource = read({ 'kots.io/hook-delete-policy': 'hook-failed' }, { apiVersion: 'v1', kind: 'Pod' })
    expect(resource).toMatchObject({ directives: { deletePolicies: [] }, unusedKeys: ['kots.io/hook-delete-policy'] })
  })

  test('an unknown word is an error', () => {
    expect(faults({ 'kots.io/hook-delete-policy': 'never' })).toEqual([
      'error: Job/shop/db: kots.io/hook-delete-policy is "never": unknown: "never"; write a comma list of hook-succeeded, hook-failed',
    ])
  })
})

function properties(value: string) {
  return directives({ 'kots.io/wait-for-properties': value }).propertyWaits
}
