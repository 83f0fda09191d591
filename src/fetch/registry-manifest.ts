import type { FetchError } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { arrayAt, at, type JsonValue, numberAt, stringAt } from '../model/object.ts'
import { fetchFailure } from './fetch-failure.ts'

/** A part of an image, by its digest. */
export interface Layer {
  readonly digest: string
  readonly size: number
}

export interface ChartManifest {
  readonly chart: Layer
  readonly provenance?: Layer
}

const CONFIG = 'application/vnd.cncf.helm.config.v1+json'
/** The second one is what the first versions of Helm 3 wrote. */
const CHART_LAYERS = ['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip']
const PROVENANCE_LAYER = 'application/vnd.cncf.helm.chart.provenance.v1.prov'

const MANIFESTS = ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json']
const INDEXES = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json']

/** What a registry is asked for: with indexes, so that an image for several platforms can be told from a chart. */
export const MANIFEST_TYPES = [...MANIFESTS, ...INDEXES].join(', ')

/** Reads the manifest of a chart as `helm push` writes it. Throws FetchError. */
export function readManifest(text: string, source: string): ChartManifest {
  const manifest = parsedManifest(text, source)
  const config = stringAt(manifest, 'config', 'mediaType')
  if (INDEXES.includes(stringAt(manifest, 'mediaType') ?? '') || arrayAt(manifest, 'manifests').length > 0) {
    throw noChart(`${source} is a container image for several platforms, not a chart`)
  }
  if (config !== CONFIG) throw noChart(`${source} ${whatElse(config, stringAt(manifest, 'artifactType'))}, not a chart`)
  const layers = arrayAt(manifest, 'layers')
  const ofTypes = (types: readonly string[]) =>
    layers.filter((layer) => types.includes(stringAt(layer, 'mediaType') ?? '')).map((layer) => layerOf(layer, source))
  const [chart] = ofTypes(CHART_LAYERS)
  const [provenance] = ofTypes([PROVENANCE_LAYER])
  if (chart === undefined) throw noChart(`${source} says that it is a chart and holds none`)
  return { chart, ...(provenance === undefined ? {} : { provenance }) }
}

function parsedManifest(text: string, source: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    throw fetchFailure(
      `${source}: the registry answers with something that is no manifest`,
      { kind: 'check-address' },
      error,
    )
  }
}

function whatElse(config: string | undefined, artifact: string | undefined): string {
  if (config !== undefined && /\b(?:image|container)\b/.test(config)) return 'is a container image'
  const type = artifact ?? config
  return type === undefined ? 'is an image of an old or unknown form' : `holds ${type.slice(0, 100)}`
}

function layerOf(layer: JsonValue, source: string): Layer {
  const digest = stringAt(layer, 'digest') ?? ''
  const size = numberAt(layer, 'size') ?? -1
  if (/^sha256:[0-9a-f]{64}$/.test(digest) && Number.isSafeInteger(size) && size >= 0) return { digest, size }
  const what = at(layer, 'digest') === undefined ? 'no digest' : 'a digest or a size that is none'
  throw noChart(`${source} has a layer with ${what}`)
}

function noChart(what: string): FetchError {
  return fetchFailure(what, { kind: 'give-chart-address' })
}
