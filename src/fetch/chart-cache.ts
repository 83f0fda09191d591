import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { messageOf } from '../model/errors.ts'
import type { Environment } from '../network/proxy.ts'
import type { Clock } from '../ports.ts'
import { DIGEST, readMarks } from './body-marks.ts'
import type { ChartCache } from './cache.ts'
import { ownFolder, readOwnFile, removeOwnFile, shrinkFolders, writeOwnFile } from './cache-folder.ts'
import { sha256Of } from './sha256.ts'

export interface ChartCacheOptions {
  /** Input `chart-cache`; undefined: below the runner's tool cache. */
  readonly folder: string | undefined
  /** What a relative `folder` starts from. */
  readonly workspace: string
  readonly env: Environment
  readonly clock: Pick<Clock, 'now'>
  /** Once, where the folder cannot be used. */
  readonly onWarning: (text: string) => void
  /** Most that may lie there, in bytes; what was used longest ago goes first. */
  readonly limitBytes?: number
}

const LIMIT_BYTES = 1024 ** 3
/** Most that is read of one file: a packed chart may have so much. */
const MAX_BODY_BYTES = 100 * 1024 * 1024
const MAX_MARKS_BYTES = 4 * 1024
/** Changes when older files cannot be read any more. */
const FORMAT = 'v1'
const PACKED = '.tgz'

/**
 * Bodies by their digest in `bodies`, what servers said of an address in `addresses`. Files are renamed to their names, so
 * that jobs at the same time see a whole one or none, and are checked when they are used. Where the folder cannot be
 * written, one of the job takes its place.
 */
export function createChartCache(options: ChartCacheOptions): ChartCache {
  const { clock, env, onWarning, limitBytes = LIMIT_BYTES } = options
  let main: Promise<Place> | undefined
  let spare: Promise<Place> | undefined

  function places(): Promise<Place> {
    const folder = mainFolder(options)
    main ??= folder === undefined ? ownPlace() : openPlace(folder).catch((error: unknown) => insteadOf(error))
    return main
  }

  function insteadOf(error: unknown): Promise<Place> {
    if (spare === undefined) {
      onWarning(`the cache of charts cannot be used, charts are kept for this job only: ${messageOf(error)}`)
    }
    return ownPlace()
  }

  function ownPlace(): Promise<Place> {
    spare ??= mkdtemp(join(temporaryFolder(env), 'charts-')).then((folder) => openPlace(folder))
    return spare
  }

  async function find(digest: string): Promise<string | undefined> {
    const [, hex] = DIGEST.exec(digest) ?? []
    if (hex === undefined) return undefined
    const all = [await places(), ...(spare === undefined ? [] : [await spare])]
    for (const { bodies } of all) {
      for (const path of [join(bodies, `${hex}${PACKED}`), join(bodies, hex)]) {
        const bytes = await readOwnFile(path, { limitBytes: MAX_BODY_BYTES, nowMs: clock.now() })
        if (bytes === 'absent') continue
        if (bytes !== 'foreign' && sha256Of(bytes) === digest) return path
        await removeOwnFile(path)
      }
    }
    return undefined
  }

  async function keep(digest: string, bytes: Uint8Array): Promise<string> {
    if (sha256Of(bytes) !== digest) throw new Error(`what should be kept as ${digest} has another digest`)
    const known = await find(digest)
    if (known !== undefined) return known
    const name = `${digest.slice('sha256:'.length)}${isPacked(bytes) ? PACKED : ''}`
    return write(async ({ bodies, addresses }) => {
      const path = await writeOwnFile(bodies, name, bytes)
      await shrinkFolders([bodies, addresses], { limitBytes, nowMs: clock.now() })
      return path
    })
  }

  async function drop(digest: string): Promise<void> {
    const path = await find(digest)
    if (path !== undefined) await removeOwnFile(path)
  }

  async function write<T>(into: (place: Place) => Promise<T>): Promise<T> {
    try {
      return await into(await places())
    } catch (error) {
      return into(await insteadOf(error))
    }
  }

  return {
    find,
    keep,
    drop,
    async remembered(url) {
      const name = nameOf(url)
      if (name === undefined) return undefined
      const path = join((await places()).addresses, name)
      const bytes = await readOwnFile(path, { limitBytes: MAX_MARKS_BYTES, nowMs: clock.now() })
      const known = typeof bytes === 'string' ? undefined : readMarks(Buffer.from(bytes).toString('utf8'))
      const body = known === undefined ? undefined : await find(known.digest)
      return known === undefined || body === undefined ? undefined : { ...known.marks, path: body }
    },
    async remember(url, marks, bytes) {
      const digest = sha256Of(bytes)
      const path = await keep(digest, bytes)
      const name = nameOf(url)
      const text = Buffer.from(JSON.stringify({ ...marks, digest }))
      if (name !== undefined && text.length <= MAX_MARKS_BYTES) {
        await write(({ addresses }) => writeOwnFile(addresses, name, text))
      }
      return path
    },
  }
}

interface Place {
  readonly bodies: string
  readonly addresses: string
}

/** Undefined where the runner has no folder that outlasts the job. */
function mainFolder({ folder, workspace, env }: ChartCacheOptions): string | undefined {
  if (folder !== undefined) return resolve(workspace, folder)
  return env.RUNNER_TOOL_CACHE ? join(env.RUNNER_TOOL_CACHE, 'staged-helm-deploy', 'charts') : undefined
}

function temporaryFolder(env: Environment): string {
  return env.RUNNER_TEMP || tmpdir()
}

async function openPlace(folder: string): Promise<Place> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const root = await ownFolder(await realpath(folder), FORMAT)
  const [bodies, addresses] = await Promise.all([ownFolder(root, 'bodies'), ownFolder(root, 'addresses')])
  return { bodies, addresses }
}

/** Undefined for an address with a login in it: what it gives is not for others. */
function nameOf(url: string): string | undefined {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  return username === '' && password === '' ? createHash('sha256').update(url).digest('hex') : undefined
}

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
