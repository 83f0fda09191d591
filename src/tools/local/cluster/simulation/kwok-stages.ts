import type { Stage } from './kwok-stage.ts'
import { otherStages } from './other-stages.ts'
import { podStages } from './pod-stages.ts'

/** Everything that kwok simulates. Custom resources and container logs: see test/binaries/simulation. */
export function simulationStages(): readonly Stage[] {
  return [...podStages, ...otherStages]
}
