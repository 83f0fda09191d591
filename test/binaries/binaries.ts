import { createHash } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { goBuild } from './go.ts'
import { isAlive, withLock } from './lock.ts'
import { type BinaryName, moduleFolder, RECIPES, type Recipe } from './recipes.ts'

export type { BinaryName } from './recipes.ts'

export type EnsureOptions = {
  /** Receives the progress of a first build, line by line. */
  readonly report?: (line: string) => void
}

/**
 * The path of a test binary, built on first use. Builds are kept outside the work tree, by a hash of all that goes into
 * them, so that a fresh clone of the same sources finds them again.
 */
export async function ensureBinary(name: BinaryName, options: EnsureOptions = {}): Promise<string> {
  const report = options.report ?? ((line) => process.stderr.write(`${line}\n`))
  const recipe = RECIPES[name]
  const cache = cacheFolder()
  const folder = join(cache, `${name}-${await fingerprint(name, recipe)}`)
  const binary = join(folder, recipe.file)
  if (await exists(binary)) return binary

  await mkdir(cache, { recursive: true })
  // One build at a time: each of them uses all cores and much memory.
  return withLock(join(cache, 'building'), report, async () => {
    if (await exists(binary)) return binary
    await removeUnfinished(cache)
    const unfinished = `${folder}.${process.pid}`
    try {
      await goBuild(moduleFolder(name), recipe, join(unfinished, recipe.file), report)
      // Whoever comes second, after a lock was broken, finds the place taken by an equal binary.
      await rename(unfinished, folder).catch(async (error: unknown) => {
        if (!(await exists(binary))) throw error
      })
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
    return binary
  })
}

/** Where test binaries are kept. */
export function cacheFolder(): string {
  const chosen = process.env.STAGED_HELM_DEPLOY_CACHE
  if (chosen !== undefined && chosen !== '') return chosen
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staged-helm-deploy')
}

/** What builders left behind that were killed. */
async function removeUnfinished(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const owner = Number(/\.(\d+)$/.exec(name)?.[1])
    if (owner > 0 && !isAlive(owner)) await rm(join(cache, name), { recursive: true, force: true })
  }
}

async function fingerprint(name: BinaryName, recipe: Recipe): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify({ package: recipe.package, variables: recipe.variables }))
  hash.update(`${process.platform}/${process.arch}`)
  for (const module of [name, ...recipe.siblings]) {
    for (const file of (await readdir(moduleFolder(module))).sort()) {
      if (!file.endsWith('.go') && file !== 'go.mod' && file !== 'go.sum') continue
      hash.update(`${module}/${file}\n`)
      hash.update(await readFile(join(moduleFolder(module), file)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
