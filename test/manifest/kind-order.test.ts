import { describe, expect, test } from 'vitest'
import {
  compareForInstall,
  compareForUninstall,
  installOrder,
  installRank,
  uninstallOrder,
  uninstallRank,
} from '../../src/manifest/kind-order.ts'
import type { Ref } from '../../src/model/ref.ts'

describe('kind order', () => {
  test('install order has 38 kinds, from PriorityClass to the webhook configurations', () => {
    expect(installOrder.join(' ')).toBe(
      'PriorityClass Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ' +
        'ServiceAccount Secret SecretList ConfigMap StorageClass PersistentVolume PersistentVolumeClaim ' +
        'CustomResourceDefinition ClusterRole ClusterRoleList ClusterRoleBinding ClusterRoleBindingList Role RoleList ' +
        'RoleBinding RoleBindingList Service DaemonSet Pod ReplicationController ReplicaSet Deployment ' +
        'HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService ' +
        'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    )
  })

  test('uninstall order is its reverse, but Service goes right after IngressClass', () => {
    expect(uninstallOrder.join(' ')).toBe(
      'ValidatingWebhookConfiguration MutatingWebhookConfiguration APIService Ingress IngressClass Service CronJob Job ' +
        'StatefulSet HorizontalPodAutoscaler Deployment ReplicaSet ReplicationController Pod DaemonSet RoleBindingList ' +
        'RoleBinding RoleList Role ClusterRoleBindingList ClusterRoleBinding ClusterRoleList ClusterRole ' +
        'CustomResourceDefinition PersistentVolumeClaim PersistentVolume StorageClass ConfigMap SecretList Secret ' +
        'ServiceAccount PodDisruptionBudget PodSecurityPolicy LimitRange ResourceQuota NetworkPolicy Namespace ' +
        'PriorityClass',
    )
  })

  test('V3: unknown kinds are created last, by kind', () => {
    expect(
      sorted(['Deployment', 'Foo', 'Secret', 'Bar', 'CustomResourceDefinition', 'Service'], compareForInstall),
    ).toEqual(['Secret', 'CustomResourceDefinition', 'Service', 'Deployment', 'Bar', 'Foo'])
  })

  test('V4: unknown kinds are deleted first', () => {
    expect(sorted(['Deployment', 'Foo', 'Secret', 'CustomResourceDefinition', 'Service'], compareForUninstall)).toEqual(
      ['Foo', 'Service', 'Deployment', 'CustomResourceDefinition', 'Secret'],
    )
  })

  test('only known kinds have ranks of their own', () => {
    expect([installRank('PriorityClass'), installRank('Foo'), installRank('Bar')]).toEqual([0, 38, 38])
    expect([uninstallRank('ValidatingWebhookConfiguration'), uninstallRank('Foo')]).toEqual([0, -1])
  })

  test('one kind is ordered by name, then namespace, then API version, for install and uninstall', () => {
    const refs = [ref('b', 'y'), ref('a', 'z'), ref('a', 'y', 'b/v1'), ref('a', 'y', 'a/v1')]
    const expected = ['a y a/v1', 'a y b/v1', 'a z v1', 'b y v1']
    const texts = (compare: typeof compareForInstall) =>
      refs.toSorted(compare).map(({ name, namespace, apiVersion }) => `${name} ${namespace} ${apiVersion}`)
    expect(texts(compareForInstall)).toEqual(expected)
    expect(texts(compareForUninstall)).toEqual(expected)
  })
})

function ref(name: string, namespace: string, apiVersion = 'v1'): Ref {
  return { apiVersion, kind: 'Secret', namespace, name }
}

function sorted(kinds: readonly string[], compare: (a: Ref, b: Ref) => number): readonly string[] {
  return kinds
    .map((kind) => ({ apiVersion: 'v1', kind, name: 'x' }))
    .toSorted(compare)
    .map(({ kind }) => kind)
}
