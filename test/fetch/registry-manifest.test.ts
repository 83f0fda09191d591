import { describe, expect, test } from 'vitest'
import { readManifest } from '../../src/fetch/registry-manifest.ts'
import { refusal } from './given-http.ts'

const CONFIG = { mediaType: 'application/vnd.cncf.helm.config.v1+json', digest: `sha256:${'0'.repeat(64)}`, size: 2 }
const CHART = {
  mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  digest: `sha256:${'a'.repeat(64)}`,
  size: 10,
}
const PROVENANCE = {
  mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov',
  digest: `sha256:${'b'.repeat(64)}`,
  size: 20,
}

const read = (manifest: unknown) =>
  readManifest(typeof manifest === 'string' ? manifest : JSON.stringify(manifest), 'oci://r.example/shop 1.0.0')

describe('a manifest of a chart', () => {
  test('names the chart and its provenance, in whatever order', () => {
    const { digest, size } = CHART
    expect(read({ schemaVersion: 2, config: CONFIG, layers: [PROVENANCE, CHART] })).toEqual({
      chart: { digest, size },
      provenance: { digest: PROVENANCE.digest, size: 20 },
    })
    expect(read({ config: CONFIG, layers: [{ ...CHART, mediaType: 'application/tar+gzip' }] })).toEqual({
      chart: { digest, size },
    })
  })

  test.each([
    [
      'an image',
      { config: { ...CONFIG, mediaType: 'application/vnd.oci.image.config.v1+json' } },
      'is a container image, not a chart',
    ],
    [
      'an image of Docker',
      { config: { ...CONFIG, mediaType: 'application/vnd.docker.container.image.v1+json' } },
      'is a container image, not a chart',
    ],
    ['an index', { manifests: [{ digest: 'a' }] }, 'is a container image for several platforms, not a chart'],
    [
      'a list of manifests',
      { mediaType: 'application/vnd.docker.distribution.manifest.list.v2+json' },
      'is a container image for several platforms, not a chart',
    ],
    [
      'something else',
      { config: { mediaType: 'application/vnd.wasm.config.v1+json' } },
      'holds application/vnd.wasm.config.v1+json, not a chart',
    ],
    ['schema 1', { schemaVersion: 1, fsLayers: [] }, 'is an image of an old or unknown form, not a chart'],
    ['a chart without one', { config: CONFIG, layers: [PROVENANCE] }, 'says that it is a chart and holds none'],
    [
      'another kind of digest',
      { config: CONFIG, layers: [{ ...CHART, digest: `sha512:${'a'.repeat(128)}` }] },
      'has a layer with a digest or a size that is none',
    ],
    ['no digest', { config: CONFIG, layers: [{ ...CHART, digest: undefined }] }, 'has a layer with no digest'],
    [
      'a size below zero',
      { config: CONFIG, layers: [{ ...CHART, size: -1 }] },
      'has a layer with a digest or a size that is none',
    ],
  ])('%s is told apart', async (_name, manifest, what) => {
    expect(await refusal(new Promise((resolve) => resolve(read(manifest))))).toBe(
      `oci://r.example/shop 1.0.0 ${what}; give the address of a chart that helm package made`,
    )
  })

  test('a page is no manifest', async () => {
    expect(await refusal(new Promise((resolve) => resolve(read('<html>'))))).toContain(
      'the registry answers with something that is no manifest',
    )
  })
})
