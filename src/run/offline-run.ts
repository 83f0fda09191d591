import type { readBaseReleases } from '../inputs/base-releases.ts'
import type { Settings } from '../inputs/inputs.ts'
import { defined } from '../model/defined.ts'
import type { PassResult } from '../model/pass.ts'
import type { ReleaseSpec } from '../model/release.ts'
import type { PassPorts } from '../pass/intent.ts'
import { offlinePass } from '../pass/offline.ts'
import { joinProvided, nothingProvided } from '../pass/provided.ts'
import type { BaseTree } from '../ports.ts'
import type { Reporter } from './reporter.ts'
import { leftOutOf, optionsOf } from './run.ts'

type OfflinePorts = Pick<PassPorts, 'renderer' | 'clock' | 'secrets'>

export interface OfflineRun {
  readonly settings: Settings
  readonly openBase: () => Promise<BaseTree>
  /** The releases as the same inputs name them in the copy of the base. */
  readonly readBase: (folder: string) => ReturnType<typeof readBaseReleases>
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
}

/** The plans of all releases without a cluster, render against render. */
export async function runOffline(
  run: OfflineRun,
  ports: OfflinePorts,
  reporter: Reporter,
): Promise<readonly PassResult[]> {
  const base = await run.openBase()
  try {
    const before = await run.readBase(base.folder)
    const name = base.commitSha?.slice(0, 12) ?? run.settings.basePath ?? ''
    const [problem] = before.problems
    const fault = problem === undefined ? '' : `, where ${problem.what}`
    reporter.note(`Without a cluster: this render against that of the base ${name}${fault}.`)
    const results = await planAll(run, before.releases, { ports, reporter })
    await reporter.finished(results)
    return results
  } finally {
    await base.close()
  }
}

async function planAll(
  { settings, signal }: OfflineRun,
  base: readonly ReleaseSpec[],
  { ports, reporter }: { readonly ports: OfflinePorts; readonly reporter: Reporter },
): Promise<readonly PassResult[]> {
  const results: PassResult[] = []
  let providedEarlier = nothingProvided
  for (const spec of settings.releases) {
    reporter.started(spec.release, spec.namespace ?? 'default', ports.clock.now())
    const isSame = (other: ReleaseSpec) => other.release === spec.release && other.namespace === spec.namespace
    const baseSpec = base.find(isSame)
    const { result, provided } = await offlinePass(
      {
        spec,
        ...defined({ baseSpec, kubeVersion: settings.kubeVersion }),
        apiVersions: settings.apiVersions,
        options: optionsOf(spec, settings),
        prune: settings.prune,
        leftOut: spec === settings.releases[0] ? leftOutOf(settings) : [],
        providedEarlier,
        signal,
        onPlan: (plan) => reporter.planned(plan),
      },
      ports,
    )
    for (const event of result.events) reporter.event(event, () => result)
    results.push(result)
    providedEarlier = joinProvided(providedEarlier, provided)
  }
  return results
}
