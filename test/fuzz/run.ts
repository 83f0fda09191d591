import { parseArgs } from 'node:util'
import { mutated, randomFrom } from './mutate.ts'
import { targets } from './targets.ts'

/**
 * Gives mutated texts to every reader of foreign text, for one minute: `npm run fuzz`, `npm run fuzz -- --minutes 60`,
 * `--seed 7` for the same texts again, `--only JSONPath`. A reader that throws a mistake of the program, takes long or
 * changes what all objects inherit is printed with its text, and the run fails.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } },
})
/** Of the processor; a text has at most 20,000 characters. */
const SLOW_MS = 1_000
const SHOWN_CHARS = 400

const seed = Number(values.seed ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const inherited = Object.getOwnPropertyNames(Object.prototype).length
const chosen = targets.filter(({ name }) => values.only === undefined || name === values.only)
const counts = new Map<string, number>()
const slowest = new Map<string, number>()
const failures = new Map<string, string>()

const endMs = Date.now() + Number(values.minutes) * 60_000
while (Date.now() < endMs) {
  for (const { name, seeds, read } of chosen) {
    const text = mutated(seeds[Math.floor(random() * seeds.length)] ?? '', seeds, random)
    const before = process.cpuUsage()
    let failure: string | undefined
    try {
      await read(text)
    } catch (error) {
      failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    const { user, system } = process.cpuUsage(before)
    const tookMs = (user + system) / 1_000
    if (tookMs > SLOW_MS) failure ??= `took ${Math.round(tookMs)} ms`
    if (Object.getOwnPropertyNames(Object.prototype).length !== inherited) failure ??= 'changed Object.prototype'
    counts.set(name, (counts.get(name) ?? 0) + 1)
    slowest.set(name, Math.max(slowest.get(name) ?? 0, tookMs))
    if (failure !== undefined && !failures.has(name)) {
      failures.set(name, failure)
      console.log(
        `${name}: ${failure}\n  text: ${JSON.stringify(text).slice(0, SHOWN_CHARS)} (${text.length} characters)`,
      )
    }
  }
}

for (const { name } of chosen) {
  console.log(`${name}: ${counts.get(name)} texts, slowest ${Math.round(slowest.get(name) ?? 0)} ms`)
}
const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
console.log(`seed ${seed}: ${total} texts for ${chosen.length} readers, ${failures.size} with a failure`)
process.exitCode = failures.size === 0 ? 0 : 1
