import type { Settings } from './inputs/inputs.ts'
import type { PassResult } from './model/pass.ts'
import type { ReleaseSpec } from './model/release.ts'
import { type PassPorts, runPass } from './pass/pass.ts'
import type { Reporter } from './reporter.ts'

export interface RunRequest {
  readonly settings: Settings
  /** Identity in the lock. */
  readonly holder: string
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
  /** Keeps what the post step needs, should this process die. */
  readonly onHeld: (held: { readonly release: string; readonly namespace: string; readonly claim: string }) => void
}

/** All releases of the run, one after the other; the first that fails ends it. */
export async function run(request: RunRequest, ports: PassPorts, reporter: Reporter): Promise<readonly PassResult[]> {
  const results: PassResult[] = []
  for (const spec of request.settings.releases) {
    const result = await onePass(spec, request, { ports, reporter })
    results.push(result)
    if (result.outcome.failure !== undefined) break
  }
  await reporter.finished(results)
  return results
}

async function onePass(
  spec: ReleaseSpec,
  { settings, holder, signal, onHeld }: RunRequest,
  { ports, reporter }: { readonly ports: PassPorts; readonly reporter: Reporter },
): Promise<PassResult> {
  reporter.started(spec.release, spec.namespace ?? ports.cluster.defaultNamespace)
  return runPass(
    {
      command: settings.command === 'plan' ? 'plan' : 'deploy',
      spec,
      createNamespace: settings.createNamespace,
      takeOwnership: settings.takeOwnership,
      forceConflicts: settings.forceConflicts,
      holder,
      signal,
      onHeld,
      onPlan: (plan) => reporter.planned(plan),
      onEvent: (event, soFar) => reporter.event(event, soFar),
    },
    ports,
  )
}
