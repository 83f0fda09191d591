import { expect, inject, test } from 'vitest'
import { servedByDefault } from '../../src/manifest/served-by-default.ts'
import type { ServedKind } from '../../src/model/served.ts'
import { openCluster } from '../kube/opened.ts'

test('the built-in kinds are what a kube-apiserver serves by itself', async () => {
  const cluster = await openCluster(inject('cluster').kubeconfig)
  const { kinds } = await cluster.discovery()
  await cluster.close()
  const groups = new Set(servedByDefault.map(({ group }) => group))
  // Other tests of this run make CRDs, whose groups are their own.
  expect(
    kinds
      .filter(({ group }) => groups.has(group))
      .map(lineOf)
      .sort(),
  ).toEqual(servedByDefault.map(lineOf).sort())
  const others = kinds.filter(({ group }) => !groups.has(group)).map(({ group }) => group)
  expect(others.filter((group) => group === '' || group.endsWith('.k8s.io') || !group.includes('.'))).toEqual([])
})

function lineOf({ shortNames, ...kind }: ServedKind): string {
  return JSON.stringify({ ...kind, shortNames: [...shortNames].sort() }, Object.keys({ ...kind, shortNames }).sort())
}
