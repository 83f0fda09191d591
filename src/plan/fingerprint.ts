import { createHash, createHmac } from 'node:crypto'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { isRecreated } from '../manifest/recreation.ts'
import type { FetchedPart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { FETCHED, GONE_HOOK, HOOKS_OFF, INPUT, RECORD_END } from '../model/digest-id.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject, JsonValue, KubeObject } from '../model/object.ts'
import type {
  ApplyOperation,
  AwaitOperation,
  Fingerprint,
  Group,
  IgnoredField,
  Operation,
  Stage,
} from '../model/plan.ts'
import { compareText, refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { changedHookId, digestIds } from './digest-ids.ts'
import { type EndStateInput, endStateOf } from './end-state.ts'
import type { Planned } from './make-plan.ts'

/** An approval does not cover live objects. */
const NOTHING_KEPT: ReadonlySet<string> = new Set()

export interface FingerprintInput {
  /** Fields that may differ between what was approved and what is deployed (input `approval-ignore`). */
  readonly ignored: readonly IgnoredField[]
  /**
   * Key of the HMAC of secret texts. Absent on a first install: then secret values do not count, only their keys and
   * the text around them.
   */
  readonly secretKey?: string
  /** The text without secret values. */
  readonly redact: (text: string) => string
  /** Inputs that let the deploy do more than its operations say: `take-ownership`. */
  readonly inputs?: readonly string[]
  /** As in the plan's input. */
  readonly hideNames?: (text: string) => string
}

/**
 * What approval compares (docs/decisions/0016): release, namespace, verb, the order of the stages, and of each
 * operation its object, its change and its end state; never a revision, a reason, a status, a time or a cluster.
 */
export function fingerprintOf(planned: Planned, input: FingerprintInput): Fingerprint {
  const { plan } = planned
  const ids = digestIds(plan)
  const seal = sealBy(input.secretKey)
  const how = { ...input, seal, sealIn: input.secretKey === undefined ? input.redact : seal }
  const entries: { readonly id: string; readonly digest: string; readonly earlier?: readonly string[] }[] = []
  const definitionOf = (operation: Operation, stage: Stage, group: Group): JsonObject => {
    const id = ids.get(operation.id) ?? operation.id
    if (operation.kind === 'await') return awaitDefinition(operation, id)
    const spot = { stage: stage.name, weight: group.weight, deletionPhase: group.deletionPhase, id }
    const { definition, earlier } = definedParts(operation, planned, how)
    entries.push({
      id,
      digest: digestOf({ ...spot, ...definition }),
      earlier: earlier.map((one) => digestOf({ ...spot, ...one })),
    })
    return { id, ...definition }
  }
  const stages = plan.stages.map((stage) => ({
    name: stage.name,
    groups: stage.groups.map((group) => ({
      weight: group.weight,
      deletionPhase: group.deletionPhase,
      ranks: group.ranks
        .map((rank) => rank.filter(isCovered))
        .filter((rank) => rank.length > 0)
        // Operations of a rank run in parallel: their order does not count.
        .map((rank) => rank.map((operation) => canonicalJson(definitionOf(operation, stage, group))).toSorted()),
    })),
  }))
  const hookStates = (resources: readonly Resource[]) =>
    withOwnIds(
      resources.map((resource) => {
        const { object } = resource.manifest
        const state = sha256(canonicalJson(endStateOf({ resource, body: object, result: object }, how))).toString('hex')
        const id = changedHookId(resource)
        return { id: input.hideNames?.(id) ?? id, state }
      }),
    )
  const hooks = hookStates(planned.changedHooks)
  entries.push(...hooks.map(({ id, state }) => ({ id, digest: digestOf({ id, state }) })))
  const goneHooks = planned.goneHooks.map(({ manifest }) => {
    const id = `${GONE_HOOK}${refKey(manifest.ref)}`
    return input.hideNames?.(id) ?? id
  })
  entries.push(...goneHooks.map((id) => ({ id, digest: digestOf({ id }) })))
  const { release, namespace, verb, comparedBy, recordEnd } = plan
  if (recordEnd !== undefined) entries.push({ id: RECORD_END, digest: digestOf({ recordEnd }) })
  const isOff = plan.untouched.some(({ reason }) => reason === 'hooks-off')
  if (isOff) entries.push({ id: HOOKS_OFF, digest: digestOf({ id: HOOKS_OFF }) })
  const { inputs = [] } = input
  entries.push(...inputs.map((name) => ({ id: `${INPUT}${name}`, digest: digestOf({ input: name }) })))
  const fetched = fetchedStates(plan.fetched ?? [])
  entries.push(...fetched.map(({ id, state }) => ({ id, digest: digestOf({ id, state }) })))
  const definition = {
    release,
    namespace,
    verb,
    stages,
    ...(hooks.length === 0 ? {} : { hooks }),
    ...(goneHooks.length === 0 ? {} : { goneHooks: goneHooks.toSorted(compareText) }),
    ...(isOff ? { hooksOff: true } : {}),
    ...(fetched.length === 0 ? {} : { fetched }),
    ...(inputs.length === 0 ? {} : { inputs: inputs.toSorted(compareText) }),
    ...defined({ recordEnd }),
  }
  const earlierDigests = [
    ...entries.flatMap(({ id, earlier = [] }) => (earlier.length === 0 ? [] : [[id, earlier] as const])),
    // A change of theirs that was approved is recorded by now.
    ...hookStates(planned.unchangedHooks).map(({ id, state }) => [id, [digestOf({ id, state })]] as const),
  ]
  return {
    hash: sha256(canonicalJson(definition)).toString('hex'),
    comparedBy,
    digests: Object.fromEntries(entries.map(({ id, digest }) => [id, digest])),
    earlierDigests: Object.fromEntries(earlierDigests),
  }
}

/**
 * What was fetched counts by its content, wherever it comes from. Two versions of one dependency under one parent are told
 * together.
 */
function fetchedStates(parts: readonly FetchedPart[]) {
  const byId = Map.groupBy(
    parts,
    ({ name, parent }) =>
      `${FETCHED}${[...(parent === undefined ? ['chart'] : ['dependency', ...parent]), name].join('/')}`,
  )
  return [...byId]
    .map(([id, members]) => ({
      id,
      state: members.map(({ digest, version }) => `${version} ${digest}`).toSorted(compareText),
    }))
    .toSorted((a, b) => compareText(a.id, b.id))
}

/** Hooks of one template whose names come out otherwise at each render share an id: they are numbered by their content. */
function withOwnIds(hooks: readonly { readonly id: string; readonly state: string }[]) {
  const byId = Map.groupBy(
    hooks.toSorted((a, b) => compareText(a.id, b.id) || compareText(a.state, b.state)),
    ({ id }) => id,
  )
  return [...byId].flatMap(([id, members]) =>
    members.map(({ state }, index) => ({ id: index === 0 ? id : `${id}#${index + 1}`, state })),
  )
}

/** The wait for what an earlier run left behind is over as soon as that is gone: what comes after it is the same. */
function isCovered(operation: Operation): boolean {
  return operation.kind !== 'await' || operation.isOfEarlierRun !== true
}

interface DefinedParts {
  /** What enters the hash, beside the id, and the digest, beside id and place. */
  readonly definition: JsonObject
  /** The same as it may have been before a run under this approval failed half-way, or asked the API server less. */
  readonly earlier: readonly JsonObject[]
}

function definedParts(
  operation: Exclude<Operation, AwaitOperation>,
  planned: Planned,
  how: EndStateInput,
): DefinedParts {
  const { apiVersion } = operation.ref
  switch (operation.kind) {
    case 'delete': {
      const { onlyIf, propagation } = operation
      return { definition: { kind: 'delete', apiVersion, onlyIf, propagation }, earlier: [] }
    }
    case 'apply': {
      const kind = definedKind(operation, planned)
      const { state, rendered } = endStates(operation, planned, how)
      if (kind === 'none') {
        // It may have been approved as a change that is made by now; of all else that was approved it is not the result.
        const made = [
          { kind: 'apply', apiVersion, state },
          { kind: 'apply', apiVersion, state: rendered ?? state },
          { kind: 'recreate', apiVersion, state: rendered ?? state },
        ]
        return { definition: { kind, apiVersion }, earlier: made }
      }
      const earlier = rendered === undefined ? [] : [{ kind, apiVersion, state: rendered }]
      // The object of an approved recreation was deleted, and not made again yet.
      const isMade = operation.change === 'create' && kind === 'apply'
      const recreated = isMade ? [{ kind: 'recreate', apiVersion, state: rendered ?? state }] : []
      return { definition: { kind, apiVersion, state }, earlier: [...earlier, ...recreated] }
    }
    default:
      return unreachable(operation)
  }
}

/**
 * What is done, as far as an approval covers it (docs/decisions/0016). Create and update count as one. So do all runs of
 * a hook, and of what a policy recreates each time, whether the last object is still there or not: somebody may have
 * deleted it, and a run that failed half-way leaves it behind.
 */
function definedKind({ change, hook, id }: ApplyOperation, { payloads, plan }: Planned): string {
  const resource = payloads.get(id)?.resource
  if (hook !== undefined || (resource !== undefined && isRecreated(resource, { kept: NOTHING_KEPT, verb: plan.verb })))
    return 'run'
  return change === 'none' || change === 'recreate' ? change : 'apply'
}

/** `rendered`: the end state by the body alone, as it was approved where no dry run was possible yet. */
function endStates({ id, change, newSchema, reason }: ApplyOperation, { payloads, plan }: Planned, how: EndStateInput) {
  const payload = payloads.get(id)
  if (payload === undefined) throw new Error(`operation ${id} has no payload`)
  const { body, resource } = payload
  const stateOf = (result: KubeObject) =>
    sha256(canonicalJson(endStateOf({ resource, body, result }, how))).toString('hex')
  const byBody = `rendered ${stateOf(body)}`
  // Once the CRD is applied, the API server itself says what another schema makes of the object.
  const isAnswered = reason.code !== 'unknown-until-applied' && newSchema === undefined
  const isKnown = change !== 'recreate' && isAnswered && !isRecreated(resource, { kept: NOTHING_KEPT, verb: plan.verb })
  if (!isKnown) return { state: byBody }
  return { state: stateOf(payload.result), rendered: byBody }
}

function awaitDefinition({ until, failure, isExternal, properties, ref }: AwaitOperation, id: string): JsonObject {
  const waits = (properties ?? []).map(({ path, value }) => ({ path, value }))
  const { apiVersion } = ref
  return { id, kind: 'await', apiVersion, until, failure, isExternal, properties: waits }
}

function sealBy(key: string | undefined): (text: string) => string {
  if (key === undefined) return () => 'secret'
  return (text) => `secret ${createHmac('sha256', key).update(text).digest('base64url')}`
}

/**
 * 132 bits. The author of a chart chooses both what is reviewed and what comes later: with half as many bits, two
 * operations with the same digest can be found within hours.
 */
const DIGEST_CHARS = 22

function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value)).toString('base64url').slice(0, DIGEST_CHARS)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
