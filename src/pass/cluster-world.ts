import { keptIn } from '../directives/kept-live.ts'
import type { NeededRight } from '../model/access.ts'
import { DeployError, isApiError } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { JsonObject } from '../model/object.ts'
import type { History } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import { missingRights } from '../observe/missing-rights.ts'
import { observe } from '../observe/observe.ts'
import type { Planned } from '../plan/make-plan.ts'
import { neededRights, recordRights } from '../plan/rights.ts'
import { withRightsProblems } from '../plan/rights-problems.ts'
import type { Cluster, Lookup, Reader, Secrets } from '../ports.ts'
import { newest, readHistory } from '../record/history.ts'
import { deployIntent } from './deploy-release.ts'
import type { Intent } from './intent.ts'
import { learnLookedUp } from './learn-secrets.ts'
import { namespaceExists } from './namespace.ts'
import { rollbackIntent } from './rollback-release.ts'
import type { Capabilities, Setting } from './setting.ts'
import type { Task } from './task.ts'
import { testIntent } from './test-release.ts'
import { uninstallIntent } from './uninstall-release.ts'
import type { Comparison, ReleasePlace, World } from './world.ts'

/** Releases are compared with their live objects, by the API server's dry runs. */
export function clusterWorld(cluster: Cluster): World {
  return {
    defaultNamespace: cluster.defaultNamespace,
    cluster,
    comparison: 'compare the release with the cluster',
    lookup: (secrets, signal) => lookupIn(cluster, secrets, signal),
    requestCount: () => cluster.requestCount(),
    capabilities: (signal) => capabilitiesOf(cluster, signal),
    hasNamespace: (name, signal) => namespaceExists(cluster, name, signal),
    history: (release, signal) => readRecord(cluster, release, signal),
    intent: intentOf,
    compare: (intent, setting) => compareWithLive(cluster, intent, setting),
    complete: (planned, _intent, setting) => withMissingRights(planned, cluster, setting),
  }
}

/** Helm's `lookup`, answered through our own client; what it reads of Secrets is never printed. */
function lookupIn(reader: Reader, secrets: Secrets, signal: AbortSignal): Lookup {
  return async (apiVersion, kind, namespace, name) => {
    const place = namespace === '' ? {} : { namespace }
    if (name === '') {
      const items = await reader.list({ apiVersion, kind, ...place }, signal)
      learnLookedUp(
        items.map((item) => ({ ...item, apiVersion, kind })),
        secrets,
      )
      const list: JsonObject = { apiVersion, kind: `${kind}List`, metadata: {}, items }
      return list
    }
    const found = await reader.get({ apiVersion, kind, ...place, name }, signal)
    if (found !== undefined) learnLookedUp([found], secrets)
    return found
  }
}

async function capabilitiesOf(reader: Reader, signal: AbortSignal): Promise<Capabilities> {
  const [version, discovery] = await Promise.all([reader.version(signal), reader.discovery({ signal })])
  return { kubeVersion: version.gitVersion, discovery, apiVersions: [] }
}

async function readRecord(reader: Reader, { release, namespace }: ReleasePlace, signal: AbortSignal): Promise<History> {
  try {
    return await readHistory(reader, release, namespace, signal)
  } catch (error) {
    if (!isApiError(error, 'Forbidden')) throw error
    const hint: Hint = { kind: 'bind-role', rights: recordRights({ namespace, verb: 'upgrade' }) }
    const doing = 'read the release record'
    const { message } = error.details
    throw new DeployError({ reason: 'forbidden', doing, message, hint }, { cause: error })
  }
}

function intentOf(task: Task, setting: Setting): Promise<Intent> {
  switch (task.kind) {
    case 'deploy':
      return deployIntent(setting)
    case 'rollback':
      return rollbackIntent(setting, task.revision)
    case 'uninstall':
      return uninstallIntent(setting, task)
    case 'test':
      return testIntent(setting, task.filter)
    default:
      return unreachable(task)
  }
}

async function compareWithLive(
  reader: Reader,
  { verb, desired, previous }: Intent,
  { spec, namespace, capabilities, history, options, mayLackRights, signal }: Setting,
): Promise<Comparison> {
  const { discovery } = capabilities
  const last = newest(history)?.record
  const observed = await observe({
    release: spec.release,
    namespace,
    reader,
    discovery,
    verb,
    desired,
    previous,
    previousIsServerSide: last?.info.status === 'deployed' && last.apply_method === 'ssa',
    force: options.forceConflicts,
    keptIn,
    mayDryRunBeForbidden: mayLackRights,
    signal,
  })
  return { observed, previous, served: discovery.kinds }
}

/** The plan with all rights that the account lacks, in place of the refusals of single objects. */
async function withMissingRights(
  planned: Planned,
  reader: Reader,
  { capabilities, hasNamespace, mayLackRights, signal }: Setting,
): Promise<Planned> {
  const { plan } = planned
  const needed = neededRights(plan, capabilities.discovery.kinds)
  const namespace: NeededRight = { verb: 'create', group: '', resource: 'namespaces' }
  const all = needed.length === 0 || hasNamespace ? needed : [namespace, ...needed]
  const missing = await missingRights(reader, all, signal)
  if (missing.length === 0) return planned
  const severity = mayLackRights ? 'warning' : 'error'
  const problems = withRightsProblems(plan.problems, missing, { severity, needed: all })
  return { ...planned, plan: { ...plan, problems } }
}
