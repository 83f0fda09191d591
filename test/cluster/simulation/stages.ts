import { otherStages } from './others.ts'
import { podStages } from './pods.ts'
import type { Stage } from './stage.ts'

/** Everything that kwok simulates. Custom resources and container logs: see test/binaries/simulation. */
export function simulationStages(): readonly Stage[] {
  return [...podStages, ...otherStages]
}
