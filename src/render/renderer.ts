import { parseJson, stringifyJson } from '../model/json.ts'
import { arrayAt, isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import type { Rendered } from '../model/rendered.ts'
import type { Lookup, Renderer, RenderRequest } from '../ports.ts'
import { renderedTwice } from './again.ts'
import { documentsOf, isKubeObject } from './documents.ts'
import { startEngine } from './engine.ts'
import type { AnswerLookup, ThreadOptions } from './engine-thread.ts'

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
        documents: renderedTwice(result.documents ?? [], result.again ?? []),
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

function objectOf(text: string): JsonObject {
  const value = parseJson(text)
  return isJsonObject(value) ? value : {}
}
