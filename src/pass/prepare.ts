import { createHmac } from 'node:crypto'
import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { Fingerprint, IgnoredField, Untouched } from '../model/plan.ts'
import type { History, ReleaseOptions } from '../model/release.ts'
import { type FingerprintInput, fingerprintOf } from '../plan/fingerprint.ts'
import { hiddenOnInstallProblems } from '../plan/hidden-on-install.ts'
import { makePlan, type Planned } from '../plan/make-plan.ts'
import { adoptedObjects } from '../plan/owner.ts'
import type { PlanInput } from '../plan/plan-input.ts'
import { variationProblems } from '../plan/variation.ts'
import type { Secrets } from '../ports.ts'
import { recordDigest } from '../record/digest.ts'
import { lastGood } from '../record/history.ts'
import type { KnownRecord } from '../record/known-record.ts'
import { madeOn } from '../record/made-on.ts'
import { unreadableRecords } from '../record/unreadable-records.ts'
import { createSecrets } from '../secrecy/known-secrets.ts'
import { assertKnown } from './assert-known.ts'
import { fetchedParts } from './fetched-parts.ts'
import type { Intent } from './intent.ts'
import { learnHeld, learnSecrets } from './learn-secrets.ts'
import { answersAfter, objectsAhead } from './lookup-ahead.ts'
import { lostRecords } from './lost-records.ts'
import { noteHistory, noteIntent, type Progress } from './progress.ts'
import { type Provided, plannedChanges } from './provided.ts'
import type { Capabilities, PassPorts, Setting } from './setting.ts'
import type { Task } from './task.ts'
import type { World } from './world.ts'

export interface PrepareRequest
  extends Pick<Setting, 'spec' | 'options' | 'providedEarlier' | 'holder' | 'bundle' | 'mayLackRights'> {
  readonly task: Task
  readonly prune: boolean
  /** Documents of the inputs that are no part of any release; listed in this plan. */
  readonly leftOut: readonly Untouched[]
  /** What the fingerprint leaves out. */
  readonly approvalIgnore: readonly IgnoredField[]
  /** By releases that this run has deployed before: absent where these are only planned, as `providedEarlier` says. */
  readonly madeEarlier?: Provided
  /** The plan has to be approved, or must be one that was. */
  readonly isUnderApproval: boolean
  /** Input `approval-key`. */
  readonly approvalKey?: string
  /** Of a pass that follows a deploy of the same run: what that one knows of the record. */
  readonly knownRecord?: KnownRecord
}

export interface PrepareContext {
  readonly capabilities: Capabilities
  readonly hasNamespace: boolean
  readonly ports: PassPorts
  readonly progress: Progress
  readonly signal: AbortSignal
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

/** Record, render, observation, plan. Writes nothing; `progress` notes each step. */
export async function prepare(request: PrepareRequest, world: World, context: PrepareContext): Promise<Prepared> {
  const { capabilities, hasNamespace, progress, signal } = context
  const { secrets, ownSecrets, unsaid } = withOwn(context.ports.secrets, [request.spec.release, progress.namespace])
  const ports = { ...context.ports, secrets }
  const { spec, options } = request
  const place = { release: spec.release, namespace: progress.namespace }

  progress.doing = 'read the release record'
  const history = hasNamespace ? await world.history(place, signal) : { revisions: [], unreadable: [] }
  noteHistory(progress, history)
  if (request.knownRecord !== undefined) assertKnown(request.knownRecord, history, request.task)
  progress.problems = unreadableRecords(history, place)

  const asked = world.lookup?.(secrets, signal)
  const { madeEarlier = request.providedEarlier, providedEarlier } = request
  const earlier = {
    ahead: providedEarlier.contents ?? [],
    made: madeEarlier.contents ?? [],
    objects: madeEarlier.objects,
  }
  const answers = asked && answersAfter(asked, earlier, secrets)
  progress.doing = commands[request.task.kind].usesWorkspace ? 'render the chart' : 'read the release record'
  const setting: Setting = {
    spec,
    namespace: place.namespace,
    capabilities,
    hasNamespace,
    history,
    providedEarlier: request.providedEarlier,
    holder: request.holder,
    options,
    mayLackRights: request.mayLackRights,
    ...defined({ bundle: request.bundle, answers }),
    ports,
    signal,
  }
  const wanted = await world.intent(request.task, setting)
  const intent = options.withHooks ? wanted : withoutHooks(wanted)
  noteIntent(progress, intent)
  // Earlier values of a Secret may still be in other live objects, and a rollback takes its values from a record.
  const recorded = [...intent.previous, ...(intent.previousHooks ?? [])]
  const objectOf = ({ manifest }: Resource) => manifest.object
  const said = [...intent.desired, ...recorded]
  learnSecrets(intent.desired.map(objectOf), secrets)
  learnHeld(recorded.map(objectOf), said, secrets)

  progress.doing = world.comparison
  const hasCluster = world.cluster !== undefined
  if (hasCluster) progress.readAtMs = ports.clock.now()
  const comparison = await world.compare(intent, setting)
  learnHeld(comparison.observed.live.values(), said, secrets)
  const { verb, revision, desired, previousHooks, failedHooks, recordEnd, revisionCauses } = intent
  const live = lastGood(history)
  const secretKey = live === undefined ? installKey(request, place) : recordDigest(live)
  const isApproved = request.isUnderApproval && hasCluster
  const planInput: PlanInput = {
    ...place,
    verb,
    revision,
    desired,
    ...defined({ previousHooks, failedHooks, recordEnd, fetched: fetchedParts(spec.source) }),
    ...comparison,
    comingKinds: request.providedEarlier.kinds,
    comingTypes: request.providedEarlier.types,
    comingNamespaces: request.providedEarlier.namespaces,
    comingObjects: request.providedEarlier.objects,
    ...defined({ comingChanges: request.providedEarlier.changes }),
    options: { ...options, prune: request.prune, ...comparison.options },
    leftOut: request.leftOut,
    revisionCauses,
    problems: [
      ...progress.problems,
      ...(hasCluster ? lostRecords(history, comparison.observed.live.values(), place) : []),
      ...(isApproved ? variationProblems(desired, request.approvalIgnore) : []),
      ...(isApproved && secretKey === undefined
        ? hiddenOnInstallProblems(desired, {
            ignored: request.approvalIgnore,
            redact: unsaid.redact,
            hideNames: ownSecrets.redactNames,
          })
        : []),
    ],
    hideNames: ownSecrets.redactNames,
  }
  const planned = await world.complete(makePlan(planInput), intent, setting)
  if (planned.plan.writesRevision) intent.record.requireFit?.(history)
  const fingerprintInput: FingerprintInput = {
    ignored: request.approvalIgnore,
    inputs: hasCluster ? coveredInputs(options, hasNamespace) : [],
    redact: ownSecrets.redact,
    hideNames: ownSecrets.redactNames,
    ...defined({ secretKey }),
  }
  const fingerprint = { ...fingerprintOf(planned, fingerprintInput), madeOn: madeOn(history) }
  progress.planned = planned
  progress.adopted = adoptedObjects(planInput)
  progress.provided = { ...progress.provided, changes: plannedChanges(planned), contents: [objectsAhead(planned)] }
  progress.problems = planned.plan.problems
  if (hasCluster) progress.fingerprint = fingerprint
  progress.doing = 'plan'
  return { history, intent, planInput, planned, fingerprint, fingerprintInput }
}

/** Where nothing is deployed yet, no record holds a secret: only `approval-key` is one that plan and deploy have and readers of the comment have not. */
function installKey(
  { approvalKey }: PrepareRequest,
  { namespace, release }: { readonly namespace: string; readonly release: string },
) {
  if (approvalKey === undefined) return undefined
  return createHmac('sha256', approvalKey)
    .update(JSON.stringify(['first install', namespace, release]))
    .digest('hex')
}

/** What no operation of the plan says: a namespace that is made, objects of others that are adopted, groups that do not wait. */
function coveredInputs(options: ReleaseOptions, hasNamespace: boolean): readonly string[] {
  return [
    ...(options.createNamespace && !hasNamespace ? ['create-namespace'] : []),
    ...(options.takeOwnership ? ['take-ownership'] : []),
    ...(options.wait ? [] : ['wait: false']),
  ]
}

/** Hooks are off; tests run all the same, as in Helm. */
function withoutHooks(intent: Intent): Intent {
  if (intent.verb === 'test') return intent
  const desired = intent.desired.map((resource): Resource => {
    const { directives } = resource
    return directives.isHook ? { ...resource, directives: { ...directives, isSwitchedOff: true } } : resource
  })
  return { ...intent, desired }
}

/** The secrets of this pass alone decide how a value enters the fingerprint: it must not depend on other releases. */
function withOwn(
  shared: Secrets,
  inputs: readonly string[],
): {
  readonly secrets: Secrets
  readonly ownSecrets: Secrets
  /** Those that the workflow does not say in the open. */
  readonly unsaid: Secrets
} {
  const [ownSecrets, unsaid] = [createSecrets(), createSecrets()]
  const isSaid = (value: string) => inputs.some((input) => input.includes(value.trim()))
  const add = (value: string) => {
    shared.add(value)
    ownSecrets.add(value)
    if (!isSaid(value)) unsaid.add(value)
  }
  // What the workflow says in the open is no secret in names: a database is often called as its release.
  const addLookedUp = (value: string) => {
    add(value)
    if (isSaid(value)) return
    shared.addLookedUp(value)
    ownSecrets.addLookedUp(value)
  }
  return { secrets: { ...shared, add, addLookedUp }, ownSecrets, unsaid }
}
