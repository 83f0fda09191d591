import { test as base, inject } from 'vitest'
import { createNamespace, type Namespace } from './namespace.ts'

/** vitest's `test` with a namespace of its own: `test('...', async ({ namespace }) => ...)`. Deleted afterwards, not waited for. */
export const test = base.extend<{ readonly namespace: Namespace }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern that the fixture needs no other.
  namespace: async ({}, use) => {
    const namespace = await createNamespace(inject('cluster').kubeconfig)
    await use(namespace)
    await namespace.remove()
  },
})
