import { describe, expect, test } from 'vitest'
import { directives, faults, occasions, read } from './given.ts'

const hook = { 'helm.sh/hook': 'pre-install' }

describe('helm.sh/hook', () => {
  test.each([
    ['pre-install', 'install/pre'],
    ['post-install', 'install/post'],
    ['pre-upgrade', 'upgrade/pre'],
    ['post-upgrade', 'upgrade/post'],
    ['pre-rollback', 'rollback/pre'],
    ['post-rollback', 'rollback/post'],
    ['pre-delete', 'uninstall/pre'],
    ['post-delete', 'uninstall/post'],
    ['test', 'test/test'],
  ])('event %s', (event, expected) => {
    expect(occasions({ 'helm.sh/hook': event })).toBe(expected)
    expect(read({ 'helm.sh/hook': event })).toMatchObject({
      directives: { isHook: true, ownership: 'anyone', weight: 0 },
      problems: [],
      unusedKeys: [],
    })
  })

  test('several events on one object', () => {
    expect(occasions({ 'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback,post-delete' })).toBe(
      'install/pre upgrade/pre rollback/pre uninstall/post',
    )
  })

  test('blanks around commas and capital letters', () => {
    expect(occasions({ 'helm.sh/hook': ' Pre-Install , post-upgrade ' })).toBe('install/pre upgrade/post')
  })

  test('an event written twice counts once', () => {
    expect(occasions({ 'helm.sh/hook': 'pre-install,pre-install' })).toBe('install/pre')
  })

  test.each([
    ['unknown', 'pre-instal', 'unknown: "pre-instal"'],
    ['empty', '', 'empty'],
    ['with an empty item', 'pre-install,', 'an empty item'],
    ['several unknown', 'a,pre-install,b', 'unknown: "a", "b"'],
    ['a main stage, which only werf.io/deploy-on has', 'install', 'unknown: "install"'],
  ])('an event list that is %s is an error, not a document dropped in silence', (_name, value, fault) => {
    expect(faults({ 'helm.sh/hook': value })).toEqual([
      `error: Job/shop/db: helm.sh/hook is ${JSON.stringify(value)}: ${fault}; write a comma list of pre-install, post-install, pre-upgrade, post-upgrade, pre-rollback, post-rollback, pre-delete, post-delete, test`,
    ])
  })
})

describe('Helm 2 events', () => {
  test('crd-install is the crds stage on install', () => {
    expect(occasions({ 'helm.sh/hook': 'crd-install' })).toBe('install/crds')
    expect(directives({ 'helm.sh/hook': 'crd-install', 'helm.sh/hook-weight': '-2' }).weight).toBe(-2)
  })

  test('test-success means test', () => {
    expect(read({ 'helm.sh/hook': 'test-success' })).toMatchObject({
      directives: { occasions: [{ verb: 'test', stage: 'test' }] },
      problems: [],
    })
    expect(directives({ 'helm.sh/hook': 'test-success' })).not.toHaveProperty('expectsFailure')
  })

  test('test and test-success together are one moment', () => {
    expect(occasions({ 'helm.sh/hook': 'test,test-success' })).toBe('test/test')
  })

  test('test-failure is a test that passes when it fails', () => {
    expect(directives({ 'helm.sh/hook': 'test-failure' })).toMatchObject({
      occasions: [{ verb: 'test', stage: 'test' }],
      expectsFailure: true,
    })
  })

  test('test-failure beside test-success expects a success', () => {
    expect(directives({ 'helm.sh/hook': 'test-failure,test-success' })).not.toHaveProperty('expectsFailure')
  })

  test('crd-install beside another event keeps both', () => {
    expect(occasions({ 'helm.sh/hook': 'crd-install,pre-upgrade' })).toBe('install/crds upgrade/pre')
  })

  test('helm.sh/hook-delete-timeout is seen and not used', () => {
    expect(read({ ...hook, 'helm.sh/hook-delete-timeout': '5' })).toMatchObject({
      unusedKeys: ['helm.sh/hook-delete-timeout'],
      problems: [],
    })
  })
})

describe('helm.sh/hook-weight', () => {
  test.each([
    ['5', 5],
    ['-5', -5],
    ['+5', 5],
    ['007', 7],
    ['-0', 0],
  ])('%s', (value, weight) => {
    expect(directives({ ...hook, 'helm.sh/hook-weight': value }).weight).toBe(weight)
  })

  test.each(['1.5', ' 1', '', 'x', '1e3', '99999999999999999999'])(
    '%j counts as 0 with a warning, as Helm does',
    (value) => {
      expect(directives({ ...hook, 'helm.sh/hook-weight': value }).weight).toBe(0)
      expect(faults({ ...hook, 'helm.sh/hook-weight': value })).toEqual([
        `warning: Job/shop/db: helm.sh/hook-weight is ${JSON.stringify(value)}: not an integer, counts as 0; write an integer in quotes, as "-5"`,
      ])
    },
  )
})

describe('helm.sh/hook-delete-policy', () => {
  test.each<[string, string | undefined, readonly string[]]>([
    ['no key: the default', undefined, ['before-creation']],
    ['before-hook-creation', 'before-hook-creation', ['before-creation']],
    ['hook-succeeded replaces the default', 'hook-succeeded', ['succeeded']],
    ['hook-failed', 'hook-failed', ['failed']],
    [
      'several, blanks and capitals',
      'hook-failed , Hook-Succeeded,before-hook-creation ',
      ['failed', 'succeeded', 'before-creation'],
    ],
  ])('%s', (_name, value, expected) => {
    const { directives: found, problems } = read(
      value === undefined ? hook : { ...hook, 'helm.sh/hook-delete-policy': value },
    )
    expect([found.deletePolicies, problems]).toEqual([expected, []])
  })

  test.each<[string, string, readonly string[], string]>([
    ['an empty value is empty, not absent', '', [], 'empty; the hook is never deleted'],
    ['a list of garbage has no default', 'never', [], 'unknown: "never"; the hook is never deleted'],
    ['an unknown word beside a known one', 'hook-succeeded,x', ['succeeded'], 'unknown: "x"'],
  ])('%s: nothing is deleted for it, with a warning', (_name, value, policies, fault) => {
    const annotations = { ...hook, 'helm.sh/hook-delete-policy': value }
    expect(directives(annotations).deletePolicies).toEqual(policies)
    expect(faults(annotations)).toEqual([
      `warning: Job/shop/db: helm.sh/hook-delete-policy is ${JSON.stringify(value)}: ${fault}; write a comma list of before-hook-creation, hook-succeeded, hook-failed`,
    ])
  })
})

describe('helm.sh/hook-output-log-policy', () => {
  test.each<[string, readonly string[]]>([
    ['hook-succeeded', ['succeeded']],
    ['hook-failed', ['failed']],
    ['Hook-Succeeded, hook-failed', ['succeeded', 'failed']],
  ])('%s', (value, expected) => {
    expect(directives({ ...hook, 'helm.sh/hook-output-log-policy': value }).outputLogsOn).toEqual(expected)
  })

  test('an unknown word is a warning', () => {
    expect(faults({ ...hook, 'helm.sh/hook-output-log-policy': 'always' })).toEqual([
      'warning: Job/shop/db: helm.sh/hook-output-log-policy is "always": unknown: "always"; write a comma list of hook-succeeded, hook-failed',
    ])
  })
})

describe('hook keys on an object that is no hook', () => {
  test('mean nothing, malformed or not, and are listed', () => {
    const resource = read({
      'helm.sh/hook-weight': 'x',
      'helm.sh/hook-delete-policy': 'hook-succeeded',
      'helm.sh/hook-output-log-policy': 'hook-failed',
    })
    expect(resource).toMatchObject({ directives: { weight: 0, deletePolicies: [], outputLogsOn: [] }, problems: [] })
    expect(resource.unusedKeys).toEqual([
      'helm.sh/hook-delete-policy',
      'helm.sh/hook-output-log-policy',
      'helm.sh/hook-weight',
    ])
  })
})

describe('helm.sh/resource-policy', () => {
  test.each(['keep', ' Keep '])('%j keeps the object, hook or not', (value) => {
    expect(read({ 'helm.sh/resource-policy': value })).toMatchObject({ directives: { keep: true }, problems: [] })
    expect(directives({ ...hook, 'helm.sh/resource-policy': value }).keep).toBe(true)
  })

  test.each(['nil', '', 'delete'])('%j is not keep; the object is left on deletion, with a warning', (value) => {
    expect(directives({ 'helm.sh/resource-policy': value })).toMatchObject({ keep: false, leaveOnDelete: true })
    expect(faults({ 'helm.sh/resource-policy': value })).toEqual([
      `warning: Job/shop/db: helm.sh/resource-policy is ${JSON.stringify(value)}: unknown policy; the object is not deleted when it leaves the release; write keep`,
    ])
  })
})
