import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf, type Pair } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { impactPhrase, unspokenFields } from '../../src/report/words/impact-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const yaml = (text: string) => load(text) as JsonObject
const releases = { before: releaseObjects([]), after: releaseObjects([]) }

/** A Deployment whose only container is `web`; `pod`: of the pod's spec, `web`: of the container. */
function deployment(pod = '{}', web = '{}', annotations = '{}'): KubeObject {
  const spec = { containers: [{ name: 'web', image: 'web:1', ...yaml(web) }], ...yaml(pod) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { paused: true, template: { metadata: { annotations: yaml(annotations) }, spec } },
  }
}

function impact(before: KubeObject | undefined, after: KubeObject, shown?: Pair) {
  const real = { ...(before && { before }), after }
  const change = before === undefined ? 'create' : 'update'
  return impactOf({ ref: refOfObject(after), change, real, shown: shown ?? real, isDrifted: false, releases })
}

function said(before: KubeObject | undefined, after: KubeObject): string {
  const { podSecurity, risk } = impact(before, after)
  const text = podSecurity === undefined ? '' : plainText(impactPhrase({ risk, fields: [], podSecurity }))
  return text === '' ? risk : `${risk}: ${text}`
}

const context = (text: string) => `{ securityContext: ${text} }`

describe('what Baseline forbids', () => {
  test.each<[string, KubeObject, string]>([
    ['nothing', deployment(), 'new'],
    ['a privileged container', deployment('{}', context('{ privileged: true }')), '⚠️ privileged container web'],
    ['the network of the node', deployment('{ hostNetwork: true }'), '⚠️ host network'],
    [
      'process IDs and IPC of the node',
      deployment('{ hostPID: true, hostIPC: true }'),
      '⚠️ process IDs of the node, IPC of the node',
    ],
    [
      'paths of the node',
      deployment('{ volumes: [{ name: a, hostPath: { path: / } }, { name: b, hostPath: { path: /var } }] }'),
      '⚠️ mounts /, /var of the node',
    ],
    ['a volume of another sort', deployment('{ volumes: [{ name: a, emptyDir: {} }] }'), 'new'],
    [
      'a capability',
      deployment('{}', context('{ capabilities: { add: [SYS_ADMIN, CHOWN] } }')),
      '⚠️ capability SYS_ADMIN in web',
    ],
    ['a usual capability', deployment('{}', context('{ capabilities: { add: [NET_BIND_SERVICE] } }')), 'new'],
    ['a host port', deployment('{}', '{ ports: [{ containerPort: 80, hostPort: 8080 }] }'), '⚠️ host port 8080'],
    ['a port of the container', deployment('{}', '{ ports: [{ containerPort: 80, hostPort: 0 }] }'), 'new'],
    ['no seccomp for the pod', deployment(context('{ seccompProfile: { type: Unconfined } }')), '⚠️ no seccomp profile'],
    [
      'no AppArmor for a container',
      deployment('{}', context('{ appArmorProfile: { type: Unconfined } }')),
      '⚠️ no AppArmor profile in web',
    ],
    [
      'no AppArmor by annotation',
      deployment('{}', '{}', '{ container.apparmor.security.beta.kubernetes.io/web: unconfined }'),
      '⚠️ no AppArmor profile in web',
    ],
    ['all of /proc', deployment('{}', context('{ procMount: Unmasked }')), '⚠️ unmasked /proc in web'],
    [
      'an unsafe sysctl',
      deployment(context('{ sysctls: [{ name: kernel.msgmax, value: "1" }] }')),
      '⚠️ unsafe sysctl kernel.msgmax',
    ],
    ['a safe sysctl', deployment(context('{ sysctls: [{ name: net.ipv4.tcp_syncookies, value: "1" }] }')), 'new'],
    ['labels of SELinux', deployment(context('{ seLinuxOptions: { type: spc_t } }')), '⚠️ SELinux options of its own'],
    ['a host process', deployment('{}', context('{ windowsOptions: { hostProcess: true } }')), '⚠️ host process in web'],
    [
      'an init container',
      deployment('{ initContainers: [{ name: init, securityContext: { privileged: true } }] }'),
      '⚠️ privileged container init',
    ],
  ])('a new workload has: %s', (_what, after, expected) => {
    expect(said(undefined, after)).toBe(expected === 'new' ? 'new' : `access: ${expected}`)
  })

  test.each<[string, string, string, JsonObject]>([
    ['Pod', 'v1', 'a pod', { hostNetwork: true, containers: [{ name: 'a' }] }],
    [
      'CronJob',
      'batch/v1',
      'jobs',
      { jobTemplate: { spec: { template: { spec: { hostNetwork: true, containers: [{ name: 'a' }] } } } } },
    ],
    [
      'Rollout',
      'argoproj.io/v1alpha1',
      'a kind of another group',
      { template: { spec: { hostNetwork: true, containers: [{ name: 'a' }] } } },
    ],
  ])('of a %s (%s): %s', (kind, apiVersion, _what, spec) => {
    expect(said(undefined, { apiVersion, kind, metadata: { name: 'web' }, spec })).toBe('access: ⚠️ host network')
  })
})

describe('compared with before', () => {
  test('what was there is not said again', () => {
    const before = deployment('{ hostNetwork: true }', context('{ privileged: true }'))
    const after = deployment('{ hostNetwork: true, hostPID: true }', context('{ privileged: true }'))
    expect(said(before, after)).toBe('access: ⚠️ process IDs of the node')
    expect(said(after, after)).toBe('other')
  })

  test('a container that gets another name is the same one', () => {
    const privileged = '{ privileged: true, runAsNonRoot: true }'
    const renamed = (securityContext: string) => deployment('{}', `{ name: app, securityContext: ${securityContext} }`)

    expect(said(deployment('{}', context(privileged)), renamed(privileged))).toBe('other')
    expect(said(deployment('{}', context('{ runAsNonRoot: true }')), renamed('{}'))).toBe(
      'access: ⚠️ app may run as root',
    )
  })

  test('a path of the node that a privileged container reads is nothing new to it', () => {
    const mounts = (readOnly: boolean, privileged: boolean) =>
      deployment(
        '{ volumes: [{ name: id, hostPath: { path: /etc/id } }] }',
        `{ securityContext: { privileged: ${privileged} }, volumeMounts: [{ name: id, mountPath: /id, readOnly: ${readOnly} }] }`,
      )
    const privileged = deployment('{}', context('{ privileged: true }'))
    expect(said(privileged, mounts(true, true))).toBe('other')
    expect(said(privileged, mounts(false, true))).toBe('access: ⚠️ mounts /etc/id of the node')
    expect(said(deployment(), mounts(true, false))).toBe('access: ⚠️ mounts /etc/id of the node')
    expect(said(deployment(), mounts(true, true))).toBe(
      'access: ⚠️ mounts /etc/id of the node, privileged container web',
    )
  })

  test('what is gone is said, and is no risk', () => {
    expect(said(deployment('{ hostNetwork: true }', context('{ privileged: true }')), deployment())).toBe(
      'other: no longer: host network, privileged container web',
    )
  })

  test.each<[string, string, string, string]>([
    ['a user that becomes root', '{ runAsUser: 1000 }', '{ runAsUser: 0 }', '⚠️ web runs as root'],
    ['root where the image decided', '{}', '{ runAsUser: 0 }', '⚠️ web runs as root'],
    ['no longer kept from it', '{ runAsNonRoot: true }', '{}', '⚠️ web may run as root'],
    ['escalation', '{ allowPrivilegeEscalation: false }', '{}', '⚠️ web may escalate privileges'],
    ['capabilities', '{ capabilities: { drop: [all] } }', '{}', '⚠️ web gets its default capabilities back'],
    [
      'some capabilities of those that it had lost',
      '{ capabilities: { drop: [NET_RAW, CHOWN] } }',
      '{ capabilities: { drop: [CHOWN] } }',
      '⚠️ web gets NET_RAW back (capabilities)',
    ],
    [
      'a root that it can write to',
      '{ readOnlyRootFilesystem: true }',
      '{}',
      '⚠️ web may write to its root file system',
    ],
    [
      'no seccomp profile',
      '{ seccompProfile: { type: RuntimeDefault } }',
      '{}',
      '⚠️ web names no seccomp profile any more',
    ],
    [
      'no AppArmor profile of its own',
      '{ appArmorProfile: { type: Localhost, localhostProfile: a } }',
      '{}',
      '⚠️ web names no AppArmor profile any more',
    ],
  ])('looser than Restricted: %s', (_what, before, after, expected) => {
    expect(said(deployment('{}', context(before)), deployment('{}', context(after)))).toBe(`access: ${expected}`)
    expect(said(deployment('{}', context(after)), deployment('{}', context(before)))).toBe('other')
  })

  test('all that hardened the containers is one mark, containers alike are named once', () => {
    const hard = `{ allowPrivilegeEscalation: false, capabilities: { drop: [ALL] }, readOnlyRootFilesystem: true }`
    const pod = (context: string, own: string) =>
      deployment(
        `{ securityContext: ${context}, initContainers: [{ name: init, securityContext: ${own} }] }`,
        `{ securityContext: ${own} }`,
      )
    const profile = '{ runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }'
    expect(said(pod(profile, hard), pod('{}', '{}'))).toBe(
      'access: ⚠️ init, web may run as root, may escalate privileges, get their default capabilities back, may write to their root file systems, name no seccomp profile any more',
    )
    expect(said(pod(profile, hard), pod(profile, '{ allowPrivilegeEscalation: false }'))).toBe(
      'access: ⚠️ init, web get their default capabilities back, may write to their root file systems',
    )
  })

  test.each<[string, string, string]>([
    [
      'the profile of the runtime, which AppArmor takes by itself',
      '{ appArmorProfile: { type: RuntimeDefault } }',
      '{}',
    ],
    [
      'another seccomp profile',
      '{ seccompProfile: { type: RuntimeDefault } }',
      '{ seccompProfile: { type: Localhost } }',
    ],
    ['ALL in the place of a name', '{ capabilities: { drop: [KILL] } }', '{ capabilities: { drop: [ALL] } }'],
    [
      'ALL in the place of ALL and a name',
      '{ capabilities: { drop: [ALL, KILL] } }',
      '{ capabilities: { drop: [ALL] } }',
    ],
  ])('no looser: %s', (_what, before, after) => {
    expect(impact(deployment('{}', context(before)), deployment('{}', context(after))).podSecurity).toBeUndefined()
  })

  test('a profile that moves to the pod stays', () => {
    const before = deployment('{}', context('{ seccompProfile: { type: RuntimeDefault } }'))
    expect(said(before, deployment(context('{ seccompProfile: { type: RuntimeDefault } }')))).toBe('other')
  })

  test('a new workload that is not Restricted is as most are', () => {
    expect(said(undefined, deployment('{}', context('{ runAsUser: 0, allowPrivilegeEscalation: true }')))).toBe('new')
  })

  test('fields that were said are not listed again', () => {
    const found = impact(deployment(), deployment('{ hostNetwork: true, dnsPolicy: Default }'))
    expect(unspokenFields(found).map(({ path }) => path)).toEqual(['spec.template.spec.dnsPolicy'])
    const looser = impact(
      deployment(
        '{}',
        context('{ runAsGroup: 1, readOnlyRootFilesystem: true, capabilities: { drop: [ALL], add: [KILL] } }'),
      ),
      deployment('{}', context('{ runAsGroup: 2, capabilities: { add: [KILL] } }')),
    )
    expect(unspokenFields(looser).map(({ path }) => path)).toEqual([
      'spec.template.spec.containers[web].securityContext.runAsGroup',
    ])
  })

  test('what is masked is a risk that is not told in words', () => {
    const after = deployment('{ volumes: [{ name: a, hostPath: { path: /secret } }] }')
    const shown = deployment('{ volumes: [{ name: a, hostPath: { path: (hidden) } }] }')
    expect(impact(undefined, after, { after: shown })).toEqual({ risk: 'access', fields: [] })
  })
})

describe('what containers may no longer do', () => {
  const limited = (before: KubeObject, after: KubeObject) => {
    const { fields, podLimits, risk } = impact(before, after)
    const facts = { risk, fields, ...(podLimits && { podLimits }) }
    const left = unspokenFields(facts).map(({ path }) => path.replace('spec.template.spec.', ''))
    return [podLimits === undefined ? '' : plainText(impactPhrase(facts)), ...left]
  }
  const CONTEXT = 'containers[web].securityContext'
  const scratch = '{ volumes: [{ name: tmp, emptyDir: {} }, { name: conf, configMap: { name: a } }] }'
  const mounting = (mounts: string, context: string) => `{ volumeMounts: ${mounts}, securityContext: ${context} }`
  const readOnly = '{ readOnlyRootFilesystem: true }'
  const writable = '{ readOnlyRootFilesystem: false }'

  test.each<[string, KubeObject, KubeObject, readonly string[]]>([
    [
      'a root that it cannot write to, and nothing else that it can',
      deployment('{}', context(writable)),
      deployment('{}', context(readOnly)),
      ['⚠️ web can no longer write to its root file system and has no writable volume'],
    ],
    [
      'a volume that it can write to',
      deployment(scratch, mounting('[{ name: tmp, mountPath: /tmp }]', writable)),
      deployment(scratch, mounting('[{ name: tmp, mountPath: /tmp }]', readOnly)),
      ['web can no longer write to its root file system'],
    ],
    [
      'a claim of a StatefulSet, which is no volume of the template',
      deployment('{}', mounting('[{ name: data, mountPath: /data }]', writable)),
      deployment('{}', mounting('[{ name: data, mountPath: /data }]', readOnly)),
      ['web can no longer write to its root file system'],
    ],
    [
      'volumes that nobody can write to',
      deployment(
        scratch,
        mounting('[{ name: conf, mountPath: /a }, { name: tmp, mountPath: /b, readOnly: true }]', '{}'),
      ),
      deployment(
        scratch,
        mounting('[{ name: conf, mountPath: /a }, { name: tmp, mountPath: /b, readOnly: true }]', readOnly),
      ),
      ['⚠️ web can no longer write to its root file system and has no writable volume'],
    ],
    [
      'all capabilities',
      deployment('{}', context('{ privileged: false }')),
      deployment('{}', context('{ privileged: false, capabilities: { drop: [all] } }')),
      ['web loses all capabilities'],
    ],
    [
      'all capabilities but one',
      deployment('{}', context('{ capabilities: { add: [NET_BIND_SERVICE], drop: [CHOWN] } }')),
      deployment('{}', context('{ capabilities: { add: [NET_BIND_SERVICE], drop: [CHOWN, ALL] } }')),
      ['web loses all capabilities but NET_BIND_SERVICE'],
    ],
    [
      'some capabilities',
      deployment('{}', context('{ capabilities: { drop: [CHOWN] } }')),
      deployment('{}', context('{ capabilities: { drop: [CHOWN, KILL, SETUID] } }')),
      ['web loses capabilities KILL, SETUID'],
    ],
    [
      'none that it had still',
      deployment('{}', context('{ capabilities: { drop: [ALL] } }')),
      deployment('{}', context('{ capabilities: { drop: [ALL, KILL] } }')),
      ['', `${CONTEXT}.capabilities.drop`],
    ],
    [
      'root, by a setting of the pod',
      deployment('{ securityContext: { fsGroup: 1 } }'),
      deployment('{ securityContext: { fsGroup: 1, runAsNonRoot: true } }'),
      ['web does not start if its image runs as root'],
    ],
    [
      'root, where the user is named',
      deployment('{}', context('{ runAsUser: 1000 }')),
      deployment('{}', context('{ runAsUser: 1000, runAsNonRoot: true }')),
      ['', `${CONTEXT}.runAsNonRoot`],
    ],
    [
      'the token',
      deployment(),
      deployment('{ automountServiceAccountToken: false }'),
      ['its pods get no token of the API server'],
    ],
    [
      'several things in several containers',
      deployment('{ initContainers: [{ name: init }] }', context('{ privileged: false }')),
      deployment(
        `{ initContainers: [{ name: init, securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } } }] }`,
        context('{ privileged: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }'),
      ),
      [
        '⚠️ init, web can no longer write to their root file systems and have no writable volumes, lose all capabilities',
        'initContainers[init].securityContext',
      ],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(limited(before, after)).toEqual(expected)
  })

  test('a new container has lost nothing, and less that is limited is told by its field', () => {
    const after = deployment('{}', context(readOnly))
    expect(impact(undefined, after).podLimits).toBeUndefined()
    expect(limited(after, deployment('{}', context(writable)))).toEqual(['', `${CONTEXT}.readOnlyRootFilesystem`])
  })
})
