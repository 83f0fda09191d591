import type { Resource } from '../model/directives.ts'
import type { JsonObject } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { Rendered } from '../model/rendered.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Discovery, Lookup, Reader, ServerVersion } from '../ports.ts'
import type { PassPorts, Setting } from './intent.ts'
import { learnSecrets } from './learn-secrets.ts'
import { renderedPlain } from './plain-manifests.ts'
import { readDocuments } from './read-documents.ts'
import { withTestFailures } from './stored-hook.ts'

/** What rendering takes of a setting. Without a cluster the engine takes its own version, and `lookup` finds nothing. */
export interface RenderSetting
  extends Pick<Setting, 'spec' | 'namespace' | 'discovery' | 'comingApiVersions' | 'signal'> {
  readonly version?: Pick<ServerVersion, 'gitVersion'>
  readonly ports: Pick<PassPorts, 'renderer' | 'secrets'> & { readonly cluster?: Reader }
}

export interface Desired {
  readonly rendered: Rendered
  readonly resources: readonly Resource[]
  readonly problems: readonly Problem[]
}

/** What the release shall hold: the chart rendered for this cluster, each document with what its annotations ask for. */
export async function desiredOf(
  setting: RenderSetting,
  target: { readonly revision: number; readonly isUpgrade: boolean },
): Promise<Desired> {
  const rendered = await render(setting, target)
  const isPlainManifests = setting.spec.source.kind === 'manifests'
  const read = readDocuments(rendered.documents, rendered.crds, { ...setting, isPlainManifests })
  learnSecrets(
    read.resources.map(({ manifest }) => manifest.object),
    setting.ports.secrets,
  )
  return { rendered, resources: read.resources, problems: [...warningsOf(rendered), ...read.problems] }
}

async function render(
  setting: RenderSetting,
  { revision, isUpgrade }: { readonly revision: number; readonly isUpgrade: boolean },
): Promise<Rendered> {
  const { spec, ports, discovery, version } = setting
  const { cluster } = ports
  const { source } = spec
  switch (source.kind) {
    case 'chart':
      return withTestFailures(
        await ports.renderer.render({
          chartPath: source.path,
          release: spec.release,
          namespace: setting.namespace,
          revision,
          isUpgrade,
          values: source.values,
          ...(version === undefined ? {} : { kubeVersion: version.gitVersion }),
          apiVersions: [...apiVersionsOf(discovery), ...setting.comingApiVersions],
          ...(cluster === undefined ? {} : { lookup: lookupIn(cluster, setting) }),
          signal: setting.signal,
        }),
      )
    case 'manifests':
      return renderedPlain(spec.release, source.documents)
    case 'record':
      throw new Error('a record is not deployed but rolled back to')
    default:
      return unreachable(source)
  }
}

/** Every group/version and every group/version/Kind, as Helm lists them (docs/sources.md#helm-capabilities). */
function apiVersionsOf(discovery: Discovery): readonly string[] {
  const versions = discovery.kinds.map(({ group, version }) => (group === '' ? version : `${group}/${version}`))
  const kinds = discovery.kinds.map(({ kind }, index) => `${versions[index]}/${kind}`)
  return [...new Set([...versions, ...kinds])]
}

/** Helm's `lookup`, answered through our own client; what it reads of Secrets is never printed. */
function lookupIn(cluster: Reader, { ports: { secrets }, signal }: RenderSetting): Lookup {
  return async (apiVersion, kind, namespace, name) => {
    const place = namespace === '' ? {} : { namespace }
    if (name === '') {
      const items = await cluster.list({ apiVersion, kind, ...place }, signal)
      learnSecrets(
        items.map((item) => ({ ...item, apiVersion, kind })),
        secrets,
      )
      const list: JsonObject = { apiVersion, kind: `${kind}List`, metadata: {}, items }
      return list
    }
    const found = await cluster.get({ apiVersion, kind, ...place, name }, signal)
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
