import type { Occasion } from '../model/verb.ts'

/** Hook events of Helm 3 and 4, and the moments they stand for. Source: docs/sources.md#helm-3-chart-hooks. */
export const hookEvents: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ['pre-install', { verb: 'install', stage: 'pre' }],
  ['post-install', { verb: 'install', stage: 'post' }],
  ['pre-upgrade', { verb: 'upgrade', stage: 'pre' }],
  ['post-upgrade', { verb: 'upgrade', stage: 'post' }],
  ['pre-rollback', { verb: 'rollback', stage: 'pre' }],
  ['post-rollback', { verb: 'rollback', stage: 'post' }],
  ['pre-delete', { verb: 'uninstall', stage: 'pre' }],
  ['post-delete', { verb: 'uninstall', stage: 'post' }],
  ['test', { verb: 'test', stage: 'test' }],
])

/** Events that only Helm 2 knows. Sources: docs/sources.md#helm-2-hooks, docs/sources.md#helm-2-source. */
export const helm2Events: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ['crd-install', { verb: 'install', stage: 'crds' }],
  ['test-success', { verb: 'test', stage: 'test' }],
  ['test-failure', { verb: 'test', stage: 'test' }],
])

/** What `werf.io/deploy-on` adds: the main stage of each verb. Source: docs/sources.md#werf-resource-lifecycle. */
export const mainEvents: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ['install', { verb: 'install', stage: 'main' }],
  ['upgrade', { verb: 'upgrade', stage: 'main' }],
  ['rollback', { verb: 'rollback', stage: 'main' }],
  ['delete', { verb: 'uninstall', stage: 'main' }],
])

/** Each moment once: `test` and `test-success` are the same one. */
export function distinct(occasions: readonly Occasion[]): readonly Occasion[] {
  const byName = new Map(occasions.map((occasion) => [`${occasion.verb}/${occasion.stage}`, occasion]))
  return [...byName.values()]
}
