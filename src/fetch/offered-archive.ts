import type { FetchedChart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { RenderError } from '../model/errors.ts'
import { packedIdentity } from './chart-archive.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { FetchParts } from './fetch-parts.ts'
import { verifiedSigner } from './provenance.ts'
import { sha256Of } from './sha256.ts'
import { chooseVersion, isSameVersion, shown } from './wanted-version.ts'

export interface Asked {
  readonly name?: string
  readonly version?: string
  /** Where no version is. */
  readonly range?: string
}

/** Bytes that a source gives for a chart, before anything of them was looked at. */
export interface OfferedArchive {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** As messages name it, without credentials. */
  readonly source: string
  /** What it must be, as far as that was asked for. */
  readonly asked: Asked
  /** What counts in the plan. */
  readonly digest: string
  /** Undefined: the source has none. */
  readonly provenance: () => Promise<string | undefined>
  /** Keeps it, once nothing is wrong with it; gives its path. */
  readonly keep: () => Promise<string>
}

/** The chart, where it is what was asked for and its signature is as it must be. Only then it is kept. */
export async function accepted(offered: OfferedArchive, parts: FetchParts): Promise<FetchedChart> {
  const { bytes, source, asked, digest } = offered
  const identity = await packedIdentity(bytes, source)
  const { name, version } = identity
  const isAsked =
    (asked.name === undefined || asked.name === name) &&
    (asked.version === undefined || isSameVersion(asked.version, version))
  if (!isAsked) {
    const wanted = [asked.name, asked.version].filter((part) => part !== undefined).map(shown)
    throw fetchFailure(`${source} holds ${name} ${version}, not ${wanted.join(' ')}`, { kind: 'ask-chart-owner' })
  }
  if (asked.range !== undefined) {
    await chooseVersion({ rules: parts.rules, versions: [version], wanted: asked.range, from: 'index', what: source })
  }
  const signedBy = await verifiedSigner({ bytes, identity, source, provenance: offered.provenance }, parts)
  const path = await offered.keep()
  await requireLoadable(path, offered, parts)
  return { name, version, source, digest, path, ...defined({ signedBy }) }
}

/** What Helm would not load (links, paths that lead out, bombs) is refused here, and not kept for another run. */
async function requireLoadable(path: string, { bytes, source }: OfferedArchive, parts: FetchParts): Promise<void> {
  try {
    await parts.rules.assertLoadable(path)
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    await parts.cache.drop(sha256Of(bytes))
    throw fetchFailure(`${source} cannot be loaded: ${error.details.message}`, { kind: 'ask-chart-owner' }, error)
  }
}
