import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { RenderError } from '../model/errors.ts'
import type { Problem } from '../model/problem.ts'
import type { Rendered } from '../model/rendered.ts'
import { unreachable } from '../model/unreachable.ts'
import { shownText } from '../plan/open-fields.ts'
import type { Lookup } from '../ports.ts'
import { withOpenFields } from './found-open.ts'
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
export async function desiredOf(setting: RenderSetting, target: Target): Promise<Desired> {
  const { answers } = setting
  const first = await render(setting, target, answers?.lookup)
  const resourcesIn = ({ crds, documents }: Rendered) =>
    readResources(documents, crds, {
      namespace: setting.namespace,
      discovery: setting.capabilities.discovery,
      isPlainManifests: setting.spec.source.kind === 'manifests',
    })
  const values = answers?.values() ?? []
  const other = values.length === 0 ? undefined : await renderOtherwise(setting, target, answers?.other)
  const read =
    other === undefined ? resourcesIn(first) : withOpenFields(resourcesIn(first), resourcesIn(other).resources, values)
  const rendered = other === undefined ? first : { ...first, notes: shownText([first.notes, other.notes], values) }
  learnSecrets(
    read.resources.map(({ manifest }) => manifest.object),
    setting.ports.secrets,
  )
  return { rendered, resources: read.resources, problems: [...renderWarnings(rendered), ...read.problems] }
}

/** With other values of what only the cluster knows; undefined: the chart refuses these. */
async function renderOtherwise(
  setting: RenderSetting,
  target: Target,
  lookup: Lookup | undefined,
): Promise<Rendered | undefined> {
  try {
    return await render(setting, target, lookup)
  } catch (error) {
    if (error instanceof RenderError) return undefined
    throw error
  }
}

interface Target {
  readonly revision: number
  readonly isUpgrade: boolean
}

async function render(
  setting: RenderSetting,
  { revision, isUpgrade }: Target,
  lookup: Lookup | undefined,
): Promise<Rendered> {
  const { spec, ports, capabilities, reuse } = setting
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
          ...defined({ kubeVersion, lookup, reuse, dependencies: source.dependencies }),
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
