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

/** Each moment once: `test` and `test-success` are the same one. */
export function distinct(occasions: readonly Occasion[]): readonly Occasion[] {
  const byName = new Map(occasions.map((occasion) => [`${occasion.verb}/${occasion.stage}`, occasion]))
  return [...byName.values()]
}
