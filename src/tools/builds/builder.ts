import { createHash } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isAlive, withLock } from './build-lock.ts'
import { type Output, withProgress } from './build-progress.ts'
import type { Meter } from './meter.ts'

/** Set while tests run, see `refuseDuringTests`. */
export const TESTS_RUN_VARIABLE = 'STAGED_HELM_DEPLOY_TESTS_RUN'

/** Something that is built once and kept in a folder of its own. */
export interface Product {
  /** Begins the name of its folder. */
  readonly name: string
  /** As in `Helm v4.3.1`. */
  readonly title: string
  /** What building it takes on two quiet cores with empty caches, beside the others. */
  readonly usualSeconds: number
  /** A hash of all that goes into it. */
  key(): Promise<string>
  /** Builds products of one workshop together. */
  readonly workshop: Workshop
}

export interface Workshop {
  /** Fetches what the products need and tells the meter how much is to be done; nothing is compiled yet. */
  prepare(orders: readonly Order[], meter: Meter): Promise<() => Promise<void>>
}

/** A product, and the folder that it is to be built into; the folder exists. */
export interface Order {
  readonly product: Product
  readonly folder: string
}

/**
 * The folders of products, those that are missing built first, all of them in one go and by one process at a time.
 * Builds are kept outside the work tree, so that a fresh clone of the same sources finds them again.
 */
export async function ensureBuilt(
  products: readonly Product[],
  output: Output = process.stderr,
): Promise<ReadonlyMap<Product, string>> {
  const cache = cacheFolder()
  const folders = await foldersOf(products)
  const wanted = await missingOf(folders)
  if (wanted.length > 0) {
    refuseDuringTests(wanted.map(({ product }) => product))
    await mkdir(cache, { recursive: true })
    const waiting = (line: string) => output.write(`${line}\n`)
    await withLock(join(cache, 'building'), waiting, async () => {
      await removeUnfinished(cache)
      const missing = await missingOf(folders)
      if (missing.length > 0) await build(missing, output)
    })
  }
  return folders
}

/** Whether nothing of this would be built now. */
export async function areBuilt(products: readonly Product[]): Promise<boolean> {
  return (await missingOf(await foldersOf(products))).length === 0
}

async function foldersOf(products: readonly Product[]): Promise<ReadonlyMap<Product, string>> {
  const folders = new Map<Product, string>()
  for (const product of products) folders.set(product, join(cacheFolder(), `${product.name}-${await product.key()}`))
  return folders
}

/** A build inside a test would count as the test's time, and only on the first run of a machine. */
function refuseDuringTests(missing: readonly Product[]): void {
  if (process.env[TESTS_RUN_VARIABLE] === undefined) return
  const titles = missing.map(({ title }) => title).join(', ')
  throw new Error(`not built: ${titles}. Nothing is built while a test runs: run npm run tools first.`)
}

async function build(orders: readonly Order[], output: Output): Promise<void> {
  const unfinished = orders.map(({ product, folder }) => ({ product, folder: unfinishedOf(folder) }))
  try {
    const products = orders.map(({ product }) => product)
    const what = products.map(({ title }) => title).join(', ')
    const usualSeconds = products.reduce((sum, product) => sum + product.usualSeconds, 0)
    await withProgress({ what, usualSeconds, output }, async (meter) => {
      for (const { folder } of unfinished) await mkdir(folder, { recursive: true })
      const work: (() => Promise<void>)[] = []
      for (const [workshop, own] of Map.groupBy(unfinished, ({ product }) => product.workshop)) {
        work.push(await workshop.prepare(own, meter))
      }
      meter.begin(Date.now())
      // Side by side: what one of them does on one core alone (linking, compressing), the others fill up.
      const ended = await Promise.allSettled(work.map((run) => run()))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    })
    for (const [index, { folder }] of orders.entries()) await putInPlace(unfinished[index]?.folder ?? folder, folder)
  } finally {
    for (const { folder } of unfinished) await rm(folder, { recursive: true, force: true })
  }
}

/** A folder of the cache that takes a moment only to fill, such as files that are copied together. */
export async function ensureFilled(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name)
  if (await exists(folder)) return folder
  const unfinished = unfinishedOf(folder)
  await mkdir(unfinished, { recursive: true })
  try {
    await fill(unfinished)
    await putInPlace(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** Found by `removeUnfinished` should this process be killed. */
function unfinishedOf(folder: string): string {
  return `${folder}.${process.pid}`
}

/** Whoever comes second, after a lock was broken, finds the place taken by an equal product. */
async function putInPlace(unfinished: string, folder: string): Promise<void> {
  await rename(unfinished, folder).catch(async (error: unknown) => {
    if (!(await exists(folder))) throw error
  })
}

async function missingOf(folders: ReadonlyMap<Product, string>): Promise<readonly Order[]> {
  const missing: Order[] = []
  for (const [product, folder] of folders) if (!(await exists(folder))) missing.push({ product, folder })
  return missing
}

/** Where builds are kept. */
export function cacheFolder(): string {
  const chosen = process.env.STAGED_HELM_DEPLOY_CACHE
  if (chosen !== undefined && chosen !== '') return chosen
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staged-helm-deploy')
}

/** What builders left behind that were killed. What they had compiled is in Go's own cache, and is found there again. */
async function removeUnfinished(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const owner = Number(/\.(\d+)$/.exec(name)?.[1])
    if (owner > 0 && !isAlive(owner)) await rm(join(cache, name), { recursive: true, force: true })
  }
}

/** Hashes texts and the content of files, which count by the names given. */
export async function keyOf(texts: readonly string[], files: ReadonlyMap<string, string>): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0${texts.join('\0')}`)
  for (const [name, path] of files) hash.update(`\0${name}\0`).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
