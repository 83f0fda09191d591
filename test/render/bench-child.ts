import { noValues } from '../../src/model/release.ts'
import { startRenderer } from '../../src/render/renderer.ts'

const [folder = '', chartPath = ''] = process.argv.slice(2)
const renderer = startRenderer({ folder })
const rendered = await renderer.render({
  chartPath,
  release: 'demo',
  namespace: 'default',
  revision: 1,
  isUpgrade: false,
  values: noValues,
  apiVersions: [],
})
process.stdout.write(`${rendered.documents.length}\n`)
await renderer.close()
