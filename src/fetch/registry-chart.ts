import { readFile } from 'node:fs/promises'
import type { FetchedChart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import type { FetchError } from '../model/errors.ts'
import { MAX_ARCHIVE_BYTES, MAX_PROVENANCE_BYTES } from './archive-address.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { FetchParts } from './fetch-parts.ts'
import { nearestVersions } from './nearest.ts'
import { accepted } from './offered-archive.ts'
import { createRegistry } from './registry.ts'
import {
  type RegistryAddress,
  readRegistryAddress,
  registrySource,
  requireRegistryAddress,
} from './registry-address.ts'
import { readManifest } from './registry-manifest.ts'
import { chooseVersion, isVersion, shown } from './wanted-version.ts'

export interface RegistryChart extends RegistryAddress {
  /** A version, a range, or absent for the newest. */
  readonly version?: string
  /** Of the manifest. */
  readonly digest?: string
  /** What the chart must be called, where that is known. */
  readonly name?: string
}

export interface RegistryCharts {
  fetch(chart: RegistryChart): Promise<FetchedChart>
  /** One that an index of a repository names as `oci://host/repository:tag`. */
  fetchListed(listed: ListedChart): Promise<FetchedChart>
}

interface ListedChart {
  readonly url: string
  readonly asked: { readonly name: string; readonly version: string }
  /** Of the archive, or of the manifest: those who write indexes do both. */
  readonly digest?: string
}

export function createRegistryCharts(parts: FetchParts): RegistryCharts {
  const registry = createRegistry({ ...parts, registries: parts.settings.registries })

  async function fetch(chart: RegistryChart): Promise<FetchedChart> {
    requireRegistryAddress(chart)
    const { version = '' } = chart
    if (chart.digest !== undefined) return take(chart, { reference: chart.digest, version })
    if (isVersion(version)) return take(chart, { reference: tagOf(version), version })
    const tags = await tagsOf(chart)
    const what = registrySource(chart)
    const tag = tags[await chooseVersion({ rules: parts.rules, versions: tags, wanted: version, from: 'tags', what })]
    if (tag === undefined) throw new Error(`the rules chose a tag of ${what} that it has not`)
    return take(chart, { reference: tag, version: versionOf(tag) })
  }

  async function take(
    chart: RegistryChart,
    { reference, version }: { readonly reference: string; readonly version: string },
    listedDigest?: string,
  ): Promise<FetchedChart> {
    const source = registrySource(chart)
    const found = await registry.manifest(chart, reference)
    if (found === undefined) throw await missing(chart, reference)
    const { chart: layer, provenance } = readManifest(found.text, `${source} ${versionOf(reference)}`)
    if (listedDigest !== undefined && listedDigest !== found.digest && listedDigest !== layer.digest) {
      throw fetchFailure(
        `${source} has the digest ${layer.digest}, and the index of its repository names ${listedDigest}`,
        { kind: 'ask-chart-owner' },
      )
    }
    const cached = await parts.cache.find(layer.digest)
    const bytes =
      cached === undefined
        ? await registry.blob(chart, layer, MAX_ARCHIVE_BYTES)
        : new Uint8Array(await readFile(cached))
    return accepted(
      {
        bytes,
        source,
        asked: {
          ...defined({ name: chart.name }),
          ...(isVersion(version) ? { version } : version === '' ? {} : { range: version }),
        },
        digest: found.digest,
        provenance: async () =>
          provenance && new TextDecoder().decode(await registry.blob(chart, provenance, MAX_PROVENANCE_BYTES)),
        keep: async () => cached ?? parts.cache.keep(layer.digest, bytes),
      },
      parts,
    )
  }

  async function tagsOf(address: RegistryAddress): Promise<readonly string[]> {
    const tags = await registry.tags(address)
    if (tags !== undefined) return tags
    throw fetchFailure(`${registrySource(address)} does not exist (404)`, { kind: 'check-address-and-login' })
  }

  /** Why there is no such tag: the list of tags is asked for only now. */
  async function missing(address: RegistryAddress, reference: string): Promise<FetchError> {
    const tags = await tagsOf(address)
    const versions = tags.map(versionOf).filter(isVersion)
    return fetchFailure(
      `${registrySource(address)} has no ${reference.includes(':') ? 'manifest' : 'version'} ${shown(versionOf(reference))}`,
      { kind: 'choose-version', versions: nearestVersions(versions, versionOf(reference)) },
    )
  }

  async function fetchListed({ url, asked, digest }: ListedChart): Promise<FetchedChart> {
    const [, address = '', tag] = /^(oci:\/\/.*):([\w.+-]+)$/.exec(url) ?? []
    if (tag === undefined) {
      throw fetchFailure(
        `the index names "${shown(url)}" for ${asked.name} ${shown(asked.version)}, which is no address with a tag`,
        { kind: 'ask-chart-owner' },
      )
    }
    const chart = { ...readRegistryAddress(address), name: asked.name }
    return take(chart, { reference: tagOf(tag), version: asked.version }, digest)
  }

  return { fetch, fetchListed }
}

/** A tag has no `+`: Helm writes `_` for it. */
function tagOf(version: string): string {
  return version.replaceAll('+', '_')
}

function versionOf(tag: string): string {
  return tag.replaceAll('_', '+')
}
