import { directivesOf } from '../directives/directives.ts'
import { toManifests } from '../manifest/scope.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { ReleaseSpec } from '../model/release.ts'
import type { Rendered, RenderedDocument } from '../model/rendered.ts'
import type { Secrets } from '../model/secrets.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Discovery, Lookup, Reader, Renderer, ServerVersion } from '../ports.ts'
import { learnSecrets } from './secret-values.ts'

export interface Desired {
  readonly rendered: Rendered
  readonly resources: readonly Resource[]
  readonly problems: readonly Problem[]
}

export interface DesiredContext {
  readonly renderer: Renderer
  readonly reader: Reader
  readonly secrets: Secrets
  readonly namespace: string
  readonly revision: number
  readonly isUpgrade: boolean
  readonly discovery: Discovery
  readonly version: ServerVersion
  readonly signal: AbortSignal
}

/** What the release shall hold: the chart rendered for this cluster, each document with what its annotations ask for. */
export async function desiredOf(spec: ReleaseSpec, context: DesiredContext): Promise<Desired> {
  const { source } = spec
  switch (source.kind) {
    case 'chart': {
      const rendered = await context.renderer.render({
        chartPath: source.path,
        release: spec.release,
        namespace: context.namespace,
        revision: context.revision,
        isUpgrade: context.isUpgrade,
        values: source.values,
        kubeVersion: context.version.gitVersion,
        apiVersions: apiVersionsOf(context.discovery),
        lookup: lookupIn(context),
        signal: context.signal,
      })
      const read = readDocuments(rendered.documents, rendered.crds, context)
      learnSecrets(
        read.resources.map(({ manifest }) => manifest.object),
        context.secrets,
      )
      return { rendered, resources: read.resources, problems: [...warningsOf(rendered), ...read.problems] }
    }
    case 'manifests':
    case 'record':
      throw new Error(`a release from ${source.kind} cannot be deployed yet`)
    default:
      return unreachable(source)
  }
}

/** Parsed documents as resources, with all problems of all of them. */
export function readDocuments(
  templates: readonly RenderedDocument[],
  crds: readonly RenderedDocument[],
  context: Pick<DesiredContext, 'namespace' | 'discovery'>,
): { readonly resources: readonly Resource[]; readonly problems: readonly Problem[] } {
  const documents = [
    ...crds.map((document) => ({ ...document, source: 'crds' as const })),
    ...templates.map((document) => ({ ...document, source: 'template' as const })),
  ]
  const { manifests, problems } = toManifests(documents, {
    namespace: context.namespace,
    served: context.discovery.kinds,
  })
  const read = directivesOf(manifests, { isPlainManifests: false })
  return { resources: read.resources, problems: [...problems, ...read.problems] }
}

/** Every group/version and every group/version/Kind, as Helm lists them (engine-semantics A13). */
function apiVersionsOf(discovery: Discovery): readonly string[] {
  const versions = discovery.kinds.map(({ group, version }) => (group === '' ? version : `${group}/${version}`))
  const kinds = discovery.kinds.map(({ kind }, index) => `${versions[index]}/${kind}`)
  return [...new Set([...versions, ...kinds])]
}

/** Helm's `lookup`, answered through our own client; what it reads of Secrets is never printed. */
function lookupIn(context: DesiredContext): Lookup {
  const { reader, secrets, signal } = context
  return async (apiVersion, kind, namespace, name) => {
    const place = namespace === '' ? {} : { namespace }
    if (name === '') {
      const items = await reader.list({ apiVersion, kind, ...place }, signal)
      learnSecrets(
        items.map((item) => ({ ...item, apiVersion, kind })),
        secrets,
      )
      const list: JsonObject = { apiVersion, kind: `${kind}List`, metadata: {}, items }
      return list
    }
    const found = await reader.get({ apiVersion, kind, ...place, name }, signal)
    if (found !== undefined) learnSecrets([found], secrets)
    return found
  }
}

function warningsOf(rendered: Rendered): readonly Problem[] {
  return rendered.warnings.map((what) => ({
    severity: 'warning',
    reason: 'render-failed',
    place: { file: rendered.chart.name },
    what,
  }))
}
