import { expect, test } from 'vitest'
import { mutated, randomFrom } from './mutate.ts'
import { targets } from './targets.ts'

/** A glance at each start; `npm run fuzz` looks for longer. */
const TEXTS = 20

test.each(targets)(
  'S-08 $name: nothing but a refusal comes of $seeds.length texts and what is made of them',
  async (target) => {
    const random = randomFrom(1)
    for (const seed of target.seeds) await target.read(seed)
    for (let count = 0; count < TEXTS; count += 1) {
      const seed = target.seeds[count % target.seeds.length] ?? ''
      await expect(Promise.resolve(target.read(mutated(seed, target.seeds, random)))).resolves.not.toThrow()
    }
  },
)
