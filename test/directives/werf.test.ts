import { describe, expect, test } from 'vitest'
import { trackingOf } from '../../src/plan/tracking.ts'
import { type Annotations, directives, faults, occasions, read } from './given.ts'

const hook = { 'helm.sh/hook': 'pre-install' }

describe('werf.io/weight (werf-deployment-order)', () => {
  test.each([
    ['0', 0],
    ['-1', -1],
    ['+10', 10],
    [' 7 ', 7],
  ])('%j', (value, weight) => {
    expect(directives({ 'werf.io/weight': value }).weight).toBe(weight)
  })

  test('stands above the weight of a hook', () => {
    const { directives: found, unusedKeys } = read({ ...hook, 'helm.sh/hook-weight': '5', 'werf.io/weight': '-3' })
    expect([found.weight, unusedKeys]).toEqual([-3, ['helm.sh/hook-weight']])
  })

  test('without it a resource has weight 0', () => {
    expect(directives({}).weight).toBe(0)
  })
})

describe('werf.io/deploy-on (werf-resource-lifecycle)', () => {
  test.each([
    ['pre-install', 'install/pre'],
    ['install', 'install/main'],
    ['post-install', 'install/post'],
    ['pre-upgrade', 'upgrade/pre'],
    ['upgrade', 'upgrade/main'],
    ['post-upgrade', 'upgrade/post'],
    ['pre-rollback', 'rollback/pre'],
    ['rollback', 'rollback/main'],
    ['post-rollback', 'rollback/post'],
    ['pre-delete', 'uninstall/pre'],
    ['delete', 'uninstall/main'],
    ['post-delete', 'uninstall/post'],
    ['test', 'test/test'],
    ['test-success', 'test/test'],
    ['install, pre-upgrade ,delete', 'install/main upgrade/pre uninstall/main'],
    ['install,install', 'install/main'],
  ])('%s', (value, expected) => {
    expect(occasions({ 'werf.io/deploy-on': value })).toBe(expected)
  })

  test('default: install, upgrade and rollback in main', () => {
    expect(occasions({})).toBe('install/main upgrade/main rollback/main')
  })

  test('makes no hook: the resource belongs to the release and has no delete policy', () => {
    expect(directives({ 'werf.io/deploy-on': 'pre-install' })).toMatchObject({
      isHook: false,
      ownership: 'release',
      deletePolicies: [],
    })
  })

  test('of a hook: instead of its events, and it stays a hook', () => {
    const resource = read({ 'helm.sh/hook': 'pre-install', 'werf.io/deploy-on': 'post-upgrade' })
    expect(resource.directives).toMatchObject({
      isHook: true,
      ownership: 'anyone',
      deletePolicies: ['before-creation'],
      occasions: [{ verb: 'upgrade', stage: 'post' }],
    })
    expect(resource.unusedKeys).toEqual([])
  })
})

describe('werf.io/ownership (werf-resource-lifecycle)', () => {
  test.each([
    ['a regular resource', {}, 'release'],
    ['a hook', hook, 'anyone'],
    ['a regular resource of anyone', { 'werf.io/ownership': 'anyone' }, 'anyone'],
    ['a hook of the release', { ...hook, 'werf.io/ownership': 'release' }, 'release'],
  ])('%s', (_name, annotations: Annotations, expected) => {
    expect(directives(annotations).ownership).toBe(expected)
  })
})

describe('werf.io/delete-policy (werf-resource-lifecycle)', () => {
  test.each<[string, Annotations, readonly string[]]>([
    ['before-creation', { 'werf.io/delete-policy': 'before-creation' }, ['before-creation']],
    ['several', { 'werf.io/delete-policy': 'succeeded, failed' }, ['succeeded', 'failed']],
    ['if immutable', { 'werf.io/delete-policy': 'before-creation-if-immutable' }, ['before-creation-if-immutable']],
    ['an empty value means none', { 'werf.io/delete-policy': '' }, []],
    ['an empty value means none, on a hook as well', { ...hook, 'werf.io/delete-policy': ' ' }, []],
    [
      'replaces the policy of a hook',
      { ...hook, 'helm.sh/hook-delete-policy': 'hook-failed', 'werf.io/delete-policy': 'succeeded' },
      ['succeeded'],
    ],
    ['a Job without a policy has none', {}, []],
  ])('%s', (_name, annotations, expected) => {
    expect(read(annotations)).toMatchObject({ directives: { deletePolicies: expected }, problems: [] })
  })
})

describe('werf.io/resource-policy', () => {
  test.each<[string, { keep: boolean; skips: readonly string[] }]>([
    ['keep', { keep: true, skips: [] }],
    ['skip-delete', { keep: true, skips: [] }],
    ['skip-create', { keep: false, skips: ['create'] }],
    ['skip-update, skip-recreate', { keep: false, skips: ['update', 'recreate'] }],
    ['keep,skip-update', { keep: true, skips: ['update'] }],
  ])('%s', (value, expected) => {
    expect(directives({ 'werf.io/resource-policy': value })).toMatchObject(expected)
  })

  test('does not lift helm.sh/resource-policy: keep, which nothing may delete (werf-resource-lifecycle)', () => {
    const resource = read({ 'helm.sh/resource-policy': 'keep', 'werf.io/resource-policy': 'skip-update' })
    expect(resource).toMatchObject({ directives: { keep: true, skips: ['update'] }, unusedKeys: [] })
  })
})

describe('other werf directives', () => {
  test.each<[Annotations, object]>([
    [{ 'werf.io/delete-propagation': 'Foreground' }, { deletePropagation: 'Foreground' }],
    [{ 'werf.io/delete-propagation': 'Background' }, { deletePropagation: 'Background' }],
    [{ 'werf.io/delete-propagation': 'Orphan' }, { deletePropagation: 'Orphan' }],
    [{ 'werf.io/replicas-on-creation': '0' }, { replicasOnCreation: 0 }],
    [{ 'werf.io/sensitive': 'true' }, { sensitive: true }],
    [{ 'werf.io/sensitive': 'F' }, { sensitive: false }],
    [
      { 'werf.io/sensitive-paths': 'data.password, .spec.env[*].value ,$.a[0\\,1]' },
      { sensitivePaths: ['.data.password', '.spec.env[*].value', '$.a[0,1]'] },
    ],
  ])('%j', (annotations, expected) => {
    expect(read(annotations)).toMatchObject({ directives: expected, problems: [], unusedKeys: [] })
  })

  test('absent, they leave the decision to whoever reads them', () => {
    expect(directives({})).not.toHaveProperty('deletePropagation')
    expect(directives({})).not.toHaveProperty('sensitive')
    expect(directives({})).not.toHaveProperty('replicasOnCreation')
  })
})

describe('external dependencies (werf-deployment-order)', () => {
  test('several on one object, with a namespace for one, in the order of their ids', () => {
    const resource = read({
      'secret.external-dependency.werf.io/resource': 'secret/my-dynamic-vault-secret',
      'secret.external-dependency.werf.io/namespace': 'vault',
      'database.external-dependency.werf.io/resource': ' statefulset/my-database ',
      'cert.external-dependency.werf.io/resource': 'certificates.v1.cert-manager.io/tls',
    })
    expect(resource.directives.externalDependencies).toEqual([
      { key: 'cert.external-dependency.werf.io/resource', type: 'certificates.v1.cert-manager.io', name: 'tls' },
      { key: 'database.external-dependency.werf.io/resource', type: 'statefulset', name: 'my-database' },
      {
        key: 'secret.external-dependency.werf.io/resource',
        type: 'secret',
        name: 'my-dynamic-vault-secret',
        namespace: 'vault',
      },
    ])
    expect([resource.problems, resource.unusedKeys]).toEqual([[], []])
  })

  test('the form with apiVersion and kind, which keeps the weight (in nelm it loses the weight)', () => {
    const found = directives({
      'db.external-dependency.werf.io': 'apps/v1:StatefulSet:data:postgres',
      'key.external-dependency.werf.io': 'v1:Secret:key',
      'werf.io/weight': '5',
    })
    expect(found).toMatchObject({ weight: 5, deployDependencies: [] })
    expect(found.externalDependencies).toEqual([
      { key: 'db.external-dependency.werf.io', type: 'statefulset.v1.apps', name: 'postgres', namespace: 'data' },
      { key: 'key.external-dependency.werf.io', type: 'secret', name: 'key' },
    ])
  })

  test('an id with both forms: apiVersion and kind count, the other is listed as unused', () => {
    const resource = read({
      'db.external-dependency.werf.io': 'v1:Secret:a',
      'db.external-dependency.werf.io/resource': 'secret/b',
    })
    expect(resource.directives.externalDependencies).toEqual([
      { key: 'db.external-dependency.werf.io', type: 'secret', name: 'a' },
    ])
    expect(resource.unusedKeys).toEqual(['db.external-dependency.werf.io/resource'])
  })
})

describe('dependencies within the release', () => {
  test('deploy and delete dependencies, blanks, quotes and capital keys', () => {
    const found = directives({
      'werf.io/deploy-dependency-db': 'state=ready, Kind=StatefulSet ,name="a,b"',
      'werf.io/delete-dependency-app': "state=absent,group='apps',version=v1,namespace=x",
      'cfg.dependency.werf.io': 'v1:ConfigMap:other:cfg',
    })
    expect(found.deployDependencies).toEqual([
      { id: 'cfg', state: 'present', kind: 'ConfigMap', namespace: 'other', name: 'cfg', group: '', version: 'v1' },
      { id: 'db', state: 'ready', kind: 'StatefulSet', name: 'a,b' },
    ])
    expect(found.deleteDependencies).toEqual([
      { id: 'app', state: 'absent', namespace: 'x', group: 'apps', version: 'v1' },
    ])
  })

  test('an empty <id>.dependency.werf.io means none', () => {
    expect(read({ 'a.dependency.werf.io': '' })).toMatchObject({ directives: { deployDependencies: [] }, problems: [] })
  })
})

describe('tracking', () => {
  test.each<[Annotations, object]>([
    [{ 'werf.io/track-termination-mode': 'NonBlocking' }, { wait: 'non-blocking' }],
    [{ 'werf.io/track-termination-mode': 'WaitUntilResourceReady' }, { wait: 'until-ready' }],
    [{ 'werf.io/fail-mode': 'FailWholeDeployProcessImmediately' }, { failMode: 'stop' }],
    [{ 'werf.io/fail-mode': 'IgnoreAndContinueDeployProcess' }, { failMode: 'ignore' }],
    [{ 'werf.io/fail-mode': 'HopeUntilEndOfDeployProcess' }, { failMode: 'last' }],
    [{ 'werf.io/failures-allowed-per-replica': '2' }, { failuresAllowedPerReplica: 2 }],
    [{ 'werf.io/no-activity-timeout': '1h2m3.5s' }, { noActivitySeconds: 3723.5 }],
    [{ 'werf.io/no-activity-timeout': '1500ms' }, { noActivitySeconds: 1.5 }],
    [{ 'werf.io/no-activity-timeout': '0' }, { noActivitySeconds: 0 }],
    [{ 'werf.io/skip-logs': '1' }, { skipLogs: true }],
    [{ 'werf.io/skip-logs-for-containers': 'a, b' }, { skipContainers: ['a', 'b'] }],
    [{ 'werf.io/show-logs-only-for-containers': 'a' }, { onlyContainers: ['a'] }],
    [{ 'werf.io/show-logs-only-for-number-of-replicas': '0' }, { logReplicas: 0 }],
    [
      { 'werf.io/log-regex': '^a+$', 'werf.io/log-regex-for-web': 'b' },
      { keepLines: [{ pattern: '^a+$' }, { pattern: 'b', container: 'web' }] },
    ],
    [
      { 'werf.io/log-regex-skip': '(?i)c', 'werf.io/log-regex-skip-for-web': 'd' },
      { dropLines: [{ pattern: '(?i)c' }, { pattern: 'd', container: 'web' }] },
    ],
  ])('%j', (annotations, expected) => {
    expect(read(annotations)).toMatchObject({ directives: expected, problems: [], unusedKeys: [] })
  })

  test('defaults', () => {
    expect(directives({})).toMatchObject({ wait: 'until-ready', failMode: 'stop' })
    expect(trackingOf(directives({}))).toEqual({
      logs: { skip: false, skipContainers: [], onlyContainers: [], keep: [], drop: [] },
    })
  })

  test.each([
    ['werf.io/ignore-readiness-probe-fails-for-web', '90s'],
    ['werf.io/ignore-readiness-probe-fails-for-__proto__', '1s'],
    ['werf.io/show-service-messages', 'true'],
  ])('%s is accepted, without effect, and listed as not used', (key, value) => {
    const found = read({ [key]: value })
    expect(found).toMatchObject({ problems: [], unusedKeys: [key] })
    expect(found.directives).toEqual(directives({}))
  })
})

describe('a malformed value is an error that names the accepted form', () => {
  const integer = 'write an integer in quotes, as "-1"'
  const count = 'write an integer from 0 on in quotes, as "3"'
  const duration = 'write a duration that is not negative, as "90s" or "1h30m"'
  const boolean = 'write "true" or "false"'
  const regex = 'write a regular expression (RE2)'
  const words = 'write a comma list of container names'
  const external =
    'write type[.version.group]/name, as "statefulset/my-database" or "certificates.v1.cert-manager.io/tls"'
  const object = 'write apiVersion:kind[:namespace]:name, as "apps/v1:Deployment:db:postgres"'
  const deploy =
    'write state=present|ready and one or more of kind, name, namespace, group, version, as "state=ready,kind=Job,name=migrate"'
  const remove =
    'write state=absent and one or more of kind, name, namespace, group, version, as "state=absent,kind=Job,name=a"'
  const deployOn =
    'write a comma list of pre-install, post-install, pre-upgrade, post-upgrade, pre-rollback, post-rollback, pre-delete, post-delete, install, upgrade, rollback, delete, test'
  const policy = 'write a comma list of before-creation, before-creation-if-immutable, succeeded, failed'
  const resource = 'write a comma list of keep, skip-delete, skip-create, skip-update, skip-recreate'

  test.each([
    ['werf.io/weight', '', 'not an integer', integer],
    ['werf.io/weight', '1.5', 'not an integer', integer],
    ['werf.io/weight', '0x1', 'not an integer', integer],
    ['werf.io/deploy-on', '', 'empty', deployOn],
    ['werf.io/deploy-on', 'install,', 'an empty item', deployOn],
    ['werf.io/deploy-on', 'Install', 'unknown: "Install"', deployOn],
    ['werf.io/deploy-on', 'crd-install', 'unknown: "crd-install"', deployOn],
    ['werf.io/ownership', '', 'empty', 'write release or anyone'],
    ['werf.io/ownership', 'me', 'unknown value', 'write release or anyone'],
    ['werf.io/delete-policy', 'succeeded,', 'an empty item', policy],
    ['werf.io/delete-policy', 'hook-succeeded', 'unknown: "hook-succeeded"', policy],
    ['werf.io/delete-propagation', 'foreground', 'unknown value', 'write Foreground, Background or Orphan'],
    ['werf.io/delete-propagation', '', 'empty', 'write Foreground, Background or Orphan'],
    ['werf.io/resource-policy', '', 'empty', resource],
    ['werf.io/resource-policy', 'keep,x', 'unknown: "x"', resource],
    ['werf.io/replicas-on-creation', '-1', 'less than 0', count],
    ['werf.io/replicas-on-creation', 'x', 'not an integer', count],
    ['werf.io/sensitive', 'yes', 'neither true nor false', boolean],
    [
      'werf.io/sensitive-paths',
      '',
      'JSONPath "": empty path',
      'write a comma list of JSONPath, as "data.password,spec.env[*].value"; a comma within a path as \\,',
    ],
    [
      'werf.io/sensitive-paths',
      'a,b[',
      'JSONPath "b[": unclosed [',
      'write a comma list of JSONPath, as "data.password,spec.env[*].value"; a comma within a path as \\,',
    ],
    ['werf.io/track-termination-mode', 'x', 'unknown value', 'write WaitUntilResourceReady or NonBlocking'],
    [
      'werf.io/fail-mode',
      '',
      'empty',
      'write FailWholeDeployProcessImmediately, IgnoreAndContinueDeployProcess or HopeUntilEndOfDeployProcess',
    ],
    ['werf.io/failures-allowed-per-replica', '-1', 'less than 0', count],
    ['werf.io/no-activity-timeout', '5', 'not a duration', duration],
    ['werf.io/no-activity-timeout', '-5s', 'a negative duration', duration],
    ['werf.io/no-activity-timeout', '', 'not a duration', duration],
    ['werf.io/ignore-readiness-probe-fails-for-web', '1 s', 'not a duration', duration],
    ['werf.io/log-regex', '(', 'error parsing regexp: missing closing ): `(`', regex],
    ['werf.io/log-regex-for-web', '', 'empty', regex],
    ['werf.io/log-regex-skip', '(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`', regex],
    ['werf.io/log-regex-skip-for-web', '', 'empty', regex],
    ['werf.io/skip-logs', '', 'neither true nor false', boolean],
    ['werf.io/skip-logs-for-containers', '', 'empty', words],
    ['werf.io/show-logs-only-for-containers', 'a,,b', 'an empty item', words],
    ['werf.io/show-logs-only-for-number-of-replicas', '-1', 'less than 0', count],
    ['werf.io/show-service-messages', 'x', 'neither true nor false', boolean],
    ['a.external-dependency.werf.io/resource', 'secret', 'not two parts around one slash', external],
    ['a.external-dependency.werf.io/resource', 'a/b/c', 'not two parts around one slash', external],
    ['a.external-dependency.werf.io/resource', '/b', 'an empty type', external],
    ['a.external-dependency.werf.io/resource', 'a..b/c', 'an empty type', external],
    ['a.external-dependency.werf.io/resource', 'all/c', 'the type may not be "all"', external],
    ['a.external-dependency.werf.io/resource', 'secret/', 'an empty name', external],
    [
      'a.external-dependency.werf.io/namespace',
      'x',
      'there is no a.external-dependency.werf.io/resource',
      'write a namespace, together with <id>.external-dependency.werf.io/resource',
    ],
    [
      'a.external-dependency.werf.io/namespace',
      ' ',
      'empty',
      'write a namespace, together with <id>.external-dependency.werf.io/resource',
    ],
    ['a.external-dependency.werf.io', 'v1:Secret', 'not three or four parts between colons', object],
    ['a.external-dependency.werf.io', 'v1:Secret::a', 'not three or four parts between colons', object],
    [
      'a.dependency.werf.io',
      'x',
      'not three or four parts between colons',
      'write apiVersion:kind[:namespace]:name, as "v1:Secret:db-password"',
    ],
    ['werf.io/deploy-dependency-a', '', 'empty', deploy],
    ['werf.io/deploy-dependency-a', 'state=ready', 'none of kind, name, namespace, group, version', deploy],
    ['werf.io/deploy-dependency-a', 'kind=Job', 'state must be present or ready', deploy],
    ['werf.io/deploy-dependency-a', 'state=absent,kind=Job', 'state must be present or ready', deploy],
    ['werf.io/deploy-dependency-a', 'state=ready,color=red', 'unknown property "color"', deploy],
    ['werf.io/deploy-dependency-a', 'state=ready,kind=', 'property "kind" is empty', deploy],
    ['werf.io/deploy-dependency-a', 'state=ready,name', 'not a property: "name"', deploy],
    ['werf.io/deploy-dependency-a', 'state=ready,kind=A,kind=B', 'property "kind" is given twice', deploy],
    ['werf.io/delete-dependency-a', 'state=ready,kind=Job', 'state must be absent', remove],
  ])('%s: %j', (key, value, fault, hint) => {
    expect(faults({ [key]: value })).toEqual([
      `error: Job/shop/db: ${key} is ${JSON.stringify(value)}: ${fault}; ${hint}`,
    ])
  })
})
