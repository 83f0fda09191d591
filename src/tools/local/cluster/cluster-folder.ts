import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../builds/build-lock.ts'

const PREFIX = 'staged-helm-deploy-cluster-'
const OWNER_FILE = 'owner'

/** A new folder for one cluster; folders of clusters whose process was killed are removed on the way. */
export async function createFolder(): Promise<string> {
  await removeOrphans()
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  await writeFile(join(folder, OWNER_FILE), String(process.pid))
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function removeOrphans(): Promise<void> {
  const names = await readdir(tmpdir())
  for (const name of names.filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    const owner = Number(await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => ''))
    // Without an owner it was made a moment ago.
    if (owner > 0 && !isAlive(owner)) await removeFolder(folder)
  }
}
