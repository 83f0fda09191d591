import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { Problem } from '../model/problem.ts'
import type { Rendered } from '../model/rendered.ts'
import { unreachable } from '../model/unreachable.ts'
import { learnSecrets } from './learn-secrets.ts'
import { renderedPlain } from './plain-manifests.ts'
import type { Provided } from './provided.ts'
import { readResources } from './read-resources.ts'
import type { Capabilities, RenderSetting } from './setting.ts'
import { withTestFailures } from './stored-hook.ts'

export interface Desired {
  readonly rendered: Rendered
  readonly resources: readonly Resource[]
  readonly problems: readonly Problem[]
}

/** What the release shall hold: the rendered documents, each with the directives of its annotations. */
export async function desiredOf(
  setting: RenderSetting,
  target: { readonly revision: number; readonly isUpgrade: boolean },
): Promise<Desired> {
  const rendered = await render(setting, target)
  const isPlainManifests = setting.spec.source.kind === 'manifests'
  const read = readResources(rendered.documents, rendered.crds, {
    namespace: setting.namespace,
    discovery: setting.capabilities.discovery,
    isPlainManifests,
  })
  learnSecrets(
    read.resources.map(({ manifest }) => manifest.object),
    setting.ports.secrets,
  )
  return { rendered, resources: read.resources, problems: [...renderWarnings(rendered), ...read.problems] }
}

async function render(
  setting: RenderSetting,
  { revision, isUpgrade }: { readonly revision: number; readonly isUpgrade: boolean },
): Promise<Rendered> {
  const { spec, ports, capabilities, lookup } = setting
  const { kubeVersion } = capabilities
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
          apiVersions: apiVersionsOf(capabilities, setting.providedEarlier),
          ...defined({ kubeVersion, lookup }),
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
function apiVersionsOf({ discovery, apiVersions }: Capabilities, provided: Provided): readonly string[] {
  const versions = discovery.kinds.map(({ group, version }) => (group === '' ? version : `${group}/${version}`))
  const kinds = discovery.kinds.map(({ kind }, index) => `${versions[index]}/${kind}`)
  return [...new Set([...versions, ...kinds]), ...provided.apiVersions, ...apiVersions]
}

function renderWarnings(rendered: Rendered): readonly Problem[] {
  return rendered.warnings.map((what) => ({
    severity: 'warning',
    reason: 'render-failed',
    place: { file: rendered.chart.name },
    what,
  }))
}
