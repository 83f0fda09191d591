import type { IncomingMessage } from 'node:http'
import type { Page, Pages } from './given-sources.ts'
import { digestOf } from './packed-chart.ts'

export interface PushedChart {
  readonly archive: Uint8Array
  readonly provenance?: string
}

/** What a registry holds below one repository: charts by their tags, as `helm push` puts them there. */
export function registryPages(repository: string, charts: Readonly<Record<string, PushedChart>>): Pages {
  const pages: Record<string, Pages[string]> = {
    [`/v2/${repository}/tags/list`]: JSON.stringify({ tags: Object.keys(charts) }),
  }
  for (const [tag, chart] of Object.entries(charts)) {
    const manifest = manifestOf(chart)
    const page: Page = {
      headers: {
        'content-type': 'application/vnd.oci.image.manifest.v1+json',
        'docker-content-digest': digestOf(manifest),
      },
      body: manifest,
    }
    pages[`/v2/${repository}/manifests/${tag}`] = () => page
    pages[`/v2/${repository}/manifests/${encodeURIComponent(digestOf(manifest))}`] = () => page
    for (const blob of [chart.archive, chart.provenance].filter((one) => one !== undefined)) {
      pages[`/v2/${repository}/blobs/${digestOf(blob)}`] = () => ({ body: blob })
    }
  }
  return pages
}

export function manifestOf({ archive, provenance }: PushedChart): string {
  const layer = (mediaType: string, blob: Uint8Array | string) => ({
    mediaType,
    digest: digestOf(blob),
    size: Buffer.byteLength(blob),
  })
  return JSON.stringify({
    schemaVersion: 2,
    config: layer('application/vnd.cncf.helm.config.v1+json', '{}'),
    layers: [
      ...(provenance === undefined ? [] : [layer('application/vnd.cncf.helm.chart.provenance.v1.prov', provenance)]),
      layer('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive),
    ],
  })
}

/** Pages that are only for those who send this header; others are told `challenge`. */
export function guarded(pages: Pages, authorization: string, challenge: string): Pages {
  return Object.fromEntries(
    Object.entries(pages).map(([path, page]) => [
      path,
      (request: IncomingMessage): Page => {
        if (request.headers.authorization !== authorization) {
          return { status: 401, headers: { 'www-authenticate': challenge }, body: '{"errors":[]}' }
        }
        return typeof page === 'function' ? page(request) : { body: page }
      },
    ]),
  )
}
