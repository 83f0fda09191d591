import { keptIn } from '../directives/kept-live.ts'
import type { NeededRight } from '../model/access.ts'
import { defined } from '../model/defined.ts'
import { DeployError, isApiError } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { Fingerprint, IgnoredField, Untouched } from '../model/plan.ts'
import type { History, ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import { missingRights } from '../observe/missing-rights.ts'
import { observe } from '../observe/observe.ts'
import { type FingerprintInput, fingerprintOf } from '../plan/fingerprint.ts'
import { makePlan, type Planned } from '../plan/make-plan.ts'
import type { PlanInput } from '../plan/plan-input.ts'
import { neededRights, recordRights } from '../plan/rights.ts'
import { withRightsProblems } from '../plan/rights-problems.ts'
import type { Discovery, Reader, Secrets, ServerVersion } from '../ports.ts'
import { recordDigest } from '../record/digest.ts'
import { lastGood, newest, readHistory } from '../record/history.ts'
import { unreadableRecords } from '../record/unreadable-records.ts'
import { createSecrets } from '../secrecy/known-secrets.ts'
import { deployIntent } from './deploy-release.ts'
import type { Intent, PassPorts, Setting } from './intent.ts'
import { learnSecrets } from './learn-secrets.ts'
import { namespaceExists } from './namespace.ts'
import { noteHistory, noteIntent, type Progress } from './progress.ts'
import type { Provided } from './provided.ts'
import { rollbackIntent } from './rollback-release.ts'
import { type TestFilter, testIntent } from './test-release.ts'
import { uninstallIntent } from './uninstall-release.ts'

/** What is done with the release. */
export type Task =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'rollback'; readonly revision?: number }
  | { readonly kind: 'uninstall'; readonly keepHistory: boolean }
  | { readonly kind: 'test'; readonly filter: TestFilter }

export interface PrepareRequest {
  readonly task: Task
  readonly spec: ReleaseSpec
  readonly options: ReleaseOptions
  readonly prune: boolean
  /** Of a release that is one of a list: the id of the list. */
  readonly bundle?: string
  /** Documents of the inputs that are no part of any release; listed in this plan. */
  readonly leftOut: readonly Untouched[]
  /** What earlier releases of the run will serve. */
  readonly providedEarlier: Provided
  /** Identity in the lock: the run's URL. */
  readonly holder: string
  /** For review alone: an account without the rights of a deploy gets a plan all the same. */
  readonly mayLackRights: boolean
  /** What the fingerprint leaves out. */
  readonly approvalIgnore: readonly IgnoredField[]
}

/** What is known of the place before the lock is taken. */
export interface Surroundings {
  readonly version: ServerVersion
  readonly discovery: Discovery
  readonly hasNamespace: boolean
}

/** All that is known right before the first write. */
export interface Prepared {
  readonly history: History
  readonly intent: Intent
  readonly planInput: PlanInput
  readonly planned: Planned
  readonly fingerprint: Fingerprint
  readonly fingerprintInput: FingerprintInput
}

export async function lookAround(reader: Reader, namespace: string, signal: AbortSignal): Promise<Surroundings> {
  const [version, discovery, hasNamespace] = await Promise.all([
    reader.version(signal),
    reader.discovery({ signal }),
    namespaceExists(reader, namespace, signal),
  ])
  return { version, discovery, hasNamespace }
}

/** Record, render, observation, plan. Writes nothing; `progress` learns each step as it is made. */
export async function prepare(
  request: PrepareRequest,
  around: Surroundings,
  context: { readonly ports: PassPorts; readonly progress: Progress; readonly signal: AbortSignal },
): Promise<Prepared> {
  const { progress, signal } = context
  const { secrets, ownSecrets } = withOwn(context.ports.secrets)
  const ports = { ...context.ports, secrets }
  const { cluster, clock } = ports
  const place = { release: request.spec.release, namespace: progress.namespace }

  progress.doing = 'read the release record'
  const history = around.hasNamespace ? await readRecord(cluster, place, signal) : { revisions: [], unreadable: [] }
  noteHistory(progress, history)
  progress.problems = unreadableRecords(history, place)

  progress.doing = request.task.kind === 'deploy' ? 'render the chart' : 'read the release record'
  const intent = await intentOf(request.task, {
    ...place,
    ...around,
    spec: request.spec,
    history,
    comingApiVersions: request.providedEarlier.apiVersions,
    holder: request.holder,
    options: request.options,
    ...defined({ bundle: request.bundle }),
    ports,
    signal,
  })
  noteIntent(progress, intent)
  // What a Secret held before may still stand in other live objects, and what it shall hold again comes from a record.
  learnSecrets(
    [...intent.desired, ...intent.previous, ...(intent.previousHooks ?? [])].map(({ manifest }) => manifest.object),
    secrets,
  )

  progress.doing = 'compare the release with the cluster'
  progress.readAtMs = clock.now()
  const last = newest(history)?.record
  const { verb, revision, desired, previous, previousHooks, isSameAsDeployed } = intent
  const observed = await observe({
    ...place,
    reader: cluster,
    discovery: around.discovery,
    verb,
    desired,
    previous,
    previousIsServerSide: last?.info.status === 'deployed' && last.apply_method === 'ssa',
    force: request.options.forceConflicts,
    keptIn,
    mayDryRunBeForbidden: request.mayLackRights,
    signal,
  })
  learnSecrets(observed.live.values(), secrets)
  const planInput: PlanInput = {
    ...place,
    verb,
    revision,
    desired,
    previous,
    ...defined({ previousHooks }),
    observed,
    served: around.discovery.kinds,
    comingKinds: request.providedEarlier.kinds,
    comingNamespaces: request.providedEarlier.namespaces,
    options: { ...request.options, prune: request.prune },
    leftOut: request.leftOut,
    isSameAsDeployed,
    problems: progress.problems,
  }
  const planned = await withMissingRights(makePlan(planInput), around, { request, reader: cluster, signal })
  const live = lastGood(history)
  const fingerprintInput: FingerprintInput = {
    ignored: request.approvalIgnore,
    redact: ownSecrets.redact,
    ...(live === undefined ? {} : { secretKey: recordDigest(live) }),
  }
  const fingerprint = fingerprintOf(planned, fingerprintInput)
  progress.planned = planned
  progress.problems = planned.plan.problems
  progress.fingerprint = fingerprint
  progress.doing = 'plan'
  return { history, intent, planInput, planned, fingerprint, fingerprintInput }
}

async function readRecord(
  reader: Reader,
  { release, namespace }: { readonly release: string; readonly namespace: string },
  signal: AbortSignal,
): Promise<History> {
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

/** All rights that the plan needs and the account has not, in the place of the refusals that single objects met. */
async function withMissingRights(
  planned: Planned,
  { discovery, hasNamespace }: Surroundings,
  how: { readonly request: PrepareRequest; readonly reader: Reader; readonly signal: AbortSignal },
): Promise<Planned> {
  const { plan } = planned
  const needed = neededRights(plan, discovery.kinds)
  const namespace: NeededRight = { verb: 'create', group: '', resource: 'namespaces' }
  const all = needed.length === 0 || hasNamespace ? needed : [namespace, ...needed]
  const missing = await missingRights(how.reader, all, how.signal)
  if (missing.length === 0) return planned
  const severity = how.request.mayLackRights ? 'warning' : 'error'
  const problems = withRightsProblems(plan.problems, missing, { severity, needed: all })
  return { ...planned, plan: { ...plan, problems } }
}

/** The secrets of this pass alone decide how a value enters the fingerprint: it must not depend on other releases. */
function withOwn(shared: Secrets): { readonly secrets: Secrets; readonly ownSecrets: Secrets } {
  const ownSecrets = createSecrets()
  const add = (value: string) => {
    shared.add(value)
    ownSecrets.add(value)
  }
  return { secrets: { add, redact: shared.redact }, ownSecrets }
}

function intentOf(task: Task, setting: Setting): Promise<Intent> {
  switch (task.kind) {
    case 'deploy':
      return deployIntent(setting)
    case 'rollback':
      return rollbackIntent(setting, task.revision)
    case 'uninstall':
      return uninstallIntent(setting, task.keepHistory)
    case 'test':
      return testIntent(setting, task.filter)
    default:
      return unreachable(task)
  }
}
