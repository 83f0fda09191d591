import { basename } from 'node:path'
import type { FetchedDependency } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { RenderError } from '../model/errors.ts'
import { MAX_DEPTH, NestingError, parseJson, stringifyJson } from '../model/json.ts'
import { isJsonObject, type JsonObject } from '../model/object.ts'
import type { ReusedValues } from '../model/release.ts'
import type { Rendered } from '../model/rendered.ts'
import type { ChartRequirements, ChartRules, Lookup, Renderer, RenderRequest } from '../ports.ts'
import { type EngineOptions, startEngine } from './engine.ts'
import type { AnswerLookup } from './engine-thread.ts'
import type { EngineRequest } from './protocol.ts'
import { documentsOf } from './rendered-documents.ts'
import { renderedTwice } from './second-render.ts'

/** Helm's engine behind the port. Loading starts at once; the first render waits until it is done. */
export function startRenderer(options: EngineOptions): Renderer & ChartRules {
  const engine = startEngine(options)
  return {
    render: async (request) => {
      const lookup = request.lookup && answerWith(request.lookup)
      const result = await engine.render(toEngine(request), { lookup, signal: request.signal })
      const { name, version, appVersion } = result.metadata
      return {
        documents: renderedTwice(result.documents ?? [], result.again ?? []),
        crds: documentsOf(result.crds ?? []),
        notes: result.notes,
        chart: { name, version, ...defined({ appVersion }) },
        record: {
          chart: objectFromJson(result.chart, `chart ${name}`),
          config: objectFromJson(result.config, 'the values'),
          manifest: result.manifest,
          hooks: result.hooks ?? [],
        },
        warnings: result.warnings ?? [],
      } satisfies Rendered
    },
    parse: async (text, file) => documentsOf(await engine.parse(text, file)),
    choose: async (choose) => (await engine.ask<number | null>({ choose })) ?? undefined,
    requirements: ({ chartPath, values, dependencies }) =>
      engine.ask<readonly ChartRequirements[]>({
        requirements: { chartPath, values, dependencies: dependencies.map(toEngineDependency) },
      }),
    assertLoadable: async (load) => {
      await engine.ask<object>({ load })
    },
    verify: ({ fileName, ...asked }) =>
      engine.ask<{ readonly signedBy: string }>({
        verify: { ...asked, fileName: fileName ?? basename(asked.archivePath) },
      }),
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
    dependencies: (request.dependencies ?? []).map(toEngineDependency),
    ...defined({ reuse: request.reuse && reuseText(request.reuse) }),
    kubeVersion: request.kubeVersion ?? '',
    apiVersions: request.apiVersions,
    extraApiVersions: [],
    hasLookup: request.lookup !== undefined,
  }
}

function toEngineDependency({ parent, path, name }: FetchedDependency) {
  return { parent, path, name }
}

function reuseText({ chartName, chartValues, config, keepsDefaults }: ReusedValues): EngineRequest['reuse'] {
  return { keepsDefaults, chartName, chartValues: stringifyJson(chartValues), config: stringifyJson(config) }
}

function answerWith(lookup: Lookup): AnswerLookup {
  return async ({ apiVersion, kind, namespace, name }) => {
    const found = await lookup(apiVersion, kind, namespace, name)
    return found === undefined ? '' : stringifyJson(found)
  }
}

/** Less deep than what a record may be: a release that could not be read again would be lost. */
const MAX_PART_DEPTH = MAX_DEPTH - 6

function objectFromJson(text: string, what: string): JsonObject {
  try {
    const value = parseJson(text, MAX_PART_DEPTH)
    return isJsonObject(value) ? value : {}
  } catch (error) {
    if (error instanceof NestingError) throw new RenderError({ message: `${what} ${error.message}` })
    throw error
  }
}
