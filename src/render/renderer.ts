import { RenderError } from '../model/errors.ts'
import { parseJson, stringifyJson } from '../model/json.ts'
import { arrayAt, isJsonArray, isJsonObject, type JsonObject, type KubeObject, stringAt } from '../model/object.ts'
import type { Rendered, RenderedDocument } from '../model/rendered.ts'
import type { Lookup, Renderer, RenderRequest } from '../ports.ts'
import { startEngine } from './engine.ts'
import type { AnswerLookup, ThreadOptions } from './engine-thread.ts'
import type { EngineDocument } from './protocol.ts'

/** Helm's engine behind the port. Loading starts here; the first render waits for the rest of it. */
export function startRenderer(options: ThreadOptions): Renderer {
  const engine = startEngine(options)
  return {
    render: async (request) => {
      const lookedUp: KubeObject[] = []
      const lookup = request.lookup && answerWith(request.lookup, lookedUp)
      const result = await engine.render(toEngine(request), { lookup, signal: request.signal })
      const { name, version, appVersion, icon } = result.metadata
      return {
        documents: documentsOf(result.documents ?? []),
        crds: documentsOf(result.crds ?? []),
        notes: result.notes,
        chart: { name, version, ...(appVersion !== undefined && { appVersion }), ...(icon !== undefined && { icon }) },
        record: {
          chart: objectOf(result.chart),
          config: objectOf(result.config),
          manifest: result.manifest,
          hooks: result.hooks ?? [],
        },
        warnings: result.warnings ?? [],
        lookedUp,
      } satisfies Rendered
    },
    parse: async (text, file) => documentsOf(await engine.parse(text, file)),
    close: () => engine.close(),
  }
}

function toEngine(request: RenderRequest) {
  return {
    chartPath: request.chartPath,
    release: request.release,
    namespace: request.namespace,
    revision: request.revision,
    isUpgrade: request.isUpgrade,
    values: request.values,
    kubeVersion: request.kubeVersion ?? '',
    apiVersions: request.apiVersions,
    extraApiVersions: [],
    hasLookup: request.lookup !== undefined,
  }
}

function answerWith(lookup: Lookup, lookedUp: KubeObject[]): AnswerLookup {
  return async ({ apiVersion, kind, namespace, name }) => {
    const found = await lookup(apiVersion, kind, namespace, name)
    if (found === undefined) return ''
    for (const object of name === '' ? arrayAt(found, 'items') : [found]) {
      // Items of a list come without their kind.
      const typed = isJsonObject(object) ? { apiVersion, kind, metadata: {}, ...object } : undefined
      if (typed !== undefined && isKubeObject(typed)) lookedUp.push(typed)
    }
    return stringifyJson(found)
  }
}

/** Drops documents of comments only, refuses what is no Kubernetes object, and takes lists apart as kubectl does. */
function documentsOf(documents: readonly EngineDocument[]): readonly RenderedDocument[] {
  return documents.flatMap((document) => {
    const value = parseJson(document.json)
    if (value === null) return []
    if (!isJsonObject(value)) throw refused(document, 'is not an object')
    return objectsIn(value, document).map((object) => ({
      object,
      text: document.text,
      // A stored manifest names the file that each document came from.
      file: document.source ?? document.file,
      line: document.line,
    }))
  })
}

function objectsIn(value: JsonObject, document: EngineDocument): readonly KubeObject[] {
  if (stringAt(value, 'kind')?.endsWith('List') && isJsonArray(value.items)) {
    return value.items.flatMap((item) => {
      if (!isJsonObject(item)) throw refused(document, 'has a list item that is not an object')
      return objectsIn(item, document)
    })
  }
  const object = { ...value, metadata: value.metadata ?? {} }
  if (!isKubeObject(object)) throw refused(document, `has no ${missingIn(object)}`)
  return [object]
}

function isKubeObject(value: JsonObject): value is KubeObject {
  return missingIn(value) === undefined
}

function missingIn(value: JsonObject): string | undefined {
  if (!stringAt(value, 'apiVersion')) return 'apiVersion'
  if (!stringAt(value, 'kind')) return 'kind'
  return isJsonObject(value.metadata) ? undefined : 'metadata'
}

function refused(document: EngineDocument, why: string): RenderError {
  const file = document.source ?? document.file
  const message = `document at line ${document.line} of ${file} ${why}`
  return new RenderError({ message, template: file, line: document.line })
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text)
  return isJsonObject(value) ? value : {}
}
