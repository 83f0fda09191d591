import type { PlanInput } from '../../src/plan/plan-input.ts'

/** The same input with its lists and maps in another order, which the seed decides. */
export function inputInAnyOrder(input: PlanInput, seed: number): PlanInput {
  const random = randomOf(seed)
  const list = <T>(items: readonly T[]): readonly T[] => shuffled(items, random)
  const map = <T>(entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map(list([...entries]))
  const { observed, previousHooks } = input
  return {
    ...input,
    desired: list(input.desired),
    previous: list(input.previous),
    ...(previousHooks === undefined ? {} : { previousHooks: list(previousHooks) }),
    served: list(input.served),
    comingKinds: list(input.comingKinds),
    observed: {
      ...observed,
      live: map(observed.live),
      bodies: map(observed.bodies),
      dryRuns: map(observed.dryRuns),
      unreadable: map(observed.unreadable),
    },
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const keyed = items.map((item) => ({ item, place: random() }))
  return keyed.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
}

/** Numbers from 0 to 1 that look random (a linear congruential generator). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
