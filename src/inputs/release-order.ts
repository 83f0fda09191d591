import { type Command, commands } from '../model/command.ts'
import type { ReleaseSpec } from '../model/release.ts'

/** Releases by their source. `charts` in the order that decides between equal weights. */
export interface Unordered {
  readonly manifests: readonly ReleaseSpec[]
  readonly charts: readonly ReleaseSpec[]
}

/**
 * The order in which `command` works on releases: manifests first, whatever the weights, then charts by weight, lowest
 * first; uninstall in reverse. Sources: docs/sources.md#kots-helmchart,
 * docs/sources.md#kots-orchestrating-resource-deployment.
 */
export function inReleaseOrder({ manifests, charts }: Unordered, command: Command): readonly ReleaseSpec[] {
  const order = [...manifests, ...charts.toSorted((a, b) => a.weight - b.weight)]
  return commands[command].isReversed === true ? order.toReversed() : order
}
