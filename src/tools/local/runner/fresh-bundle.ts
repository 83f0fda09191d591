import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
/** A checkout writes `dist/` and `src/` within this time, in any order, in ms. */
const CHECKOUT_MS = 20_000

let checked: Promise<void> | undefined

/** Throws one sentence where the bundle is missing or older than its sources: the tests would prove something else. */
export function assertBuilt(): Promise<void> {
  checked ??= staleness(ROOT).then((what) => {
    if (what !== undefined) throw new Error(`${what}: run npm run build, then the e2e tests again`)
  })
  return checked
}

/** What is wrong with `dist/index.js` of a work tree, or undefined. */
export async function staleness(root: string): Promise<string | undefined> {
  const builtAtMs = await modifiedMs(join(root, 'dist', 'index.js'))
  if (builtAtMs === undefined) return 'dist/index.js is missing'
  for (const file of await sourcesOf(join(root, 'src'))) {
    const changedAtMs = await modifiedMs(join(root, 'src', file))
    if (changedAtMs !== undefined && changedAtMs > builtAtMs + CHECKOUT_MS) {
      return `dist/index.js is older than src/${file}`
    }
  }
  return undefined
}

/** Sources of the bundle: all but the tools, which never are in it. */
async function sourcesOf(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => /\.(ts|go)$/.test(file) && !file.startsWith('tools')).sort()
}

async function modifiedMs(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  )
}
