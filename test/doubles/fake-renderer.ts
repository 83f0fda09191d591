import { loadAll } from 'js-yaml'
import { defined } from '../../src/model/defined.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { Rendered, RenderedDocument } from '../../src/model/rendered.ts'
import type { Renderer, RenderRequest } from '../../src/ports.ts'

/** A renderer whose charts are plain YAML texts. Its manifests are YAML that it can read again, as Helm's are. */
export interface FakeRenderer extends Renderer {
  /** What the next renders give. */
  chart(text: string, options?: ChartOptions): void
  readonly requests: readonly RenderRequest[]
}

export interface ChartOptions {
  readonly crds?: string
  /** Of each render, where they differ. */
  readonly notes?: string | ((request: RenderRequest) => string)
  readonly version?: string
  readonly values?: JsonObject
  /** A template of the chart, as the record keeps it. */
  readonly template?: string
  /** What a second render gives, document by document. */
  readonly again?: string
}

export function fakeRenderer(): FakeRenderer {
  let text = ''
  let given: ChartOptions = {}
  const requests: RenderRequest[] = []
  return {
    requests,
    chart: (next, options = {}) => {
      text = next
      given = options
    },
    render: async (request) => {
      requests.push(request)
      const second = documentsOf(given.again ?? '', 'shop/templates/all.yaml')
      const documents = documentsOf(text, 'shop/templates/all.yaml').map((document, index) => ({
        ...document,
        ...defined({ again: second[index]?.object }),
      }))
      const { notes } = given
      return renderedOf(documents, { ...given, notes: typeof notes === 'function' ? notes(request) : (notes ?? '') })
    },
    parse: async (manifest, file) => documentsOf(manifest, file),
    close: async () => {},
  }
}

function renderedOf(
  documents: readonly RenderedDocument[],
  given: ChartOptions & { readonly notes: string },
): Rendered {
  const { crds = '', notes, template = '', values = {}, version = '1.0.0' } = given
  const isHook = (document: RenderedDocument) => document.object.metadata.annotations?.['helm.sh/hook'] !== undefined
  // Helm drops a document with an event that it does not know, as those of Helm 2.
  const isKnown = ({ object }: RenderedDocument) =>
    !/crd-install|test-failure/.test(object.metadata.annotations?.['helm.sh/hook'] ?? '')
  const hooks = documents
    .filter(isHook)
    .filter(isKnown)
    .map(({ object, text }) => ({
      name: object.metadata.name ?? '',
      kind: object.kind,
      path: 'shop/templates/all.yaml',
      manifest: text,
      events: (object.metadata.annotations?.['helm.sh/hook'] ?? '').split(','),
    }))
  const manifest = documents
    .filter((document) => !isHook(document))
    .map(({ text }) => `---\n${text}\n`)
    .join('')
  const metadata = { name: 'shop', version }
  return {
    documents,
    crds: documentsOf(crds, 'shop/crds/all.yaml'),
    notes,
    chart: metadata,
    record: {
      chart: { metadata, templates: [{ name: 'templates/all.yaml', data: template }] },
      config: values,
      manifest,
      hooks,
    },
    warnings: [],
  }
}

function documentsOf(text: string, file: string): readonly RenderedDocument[] {
  const texts = text.split(/^---$/m).filter((document) => document.trim() !== '')
  return texts.map((document, index) => ({
    object: loadAll(document)[0] as KubeObject,
    text: document.trim(),
    file,
    line: index + 1,
  }))
}
