import { builtInKind } from '../manifest/built-in-kinds.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { defined } from '../model/defined.ts'
import type { AdmissionChange, AdmissionEffect } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { admissionRuleChanges } from './admission-rules.ts'
import { kindAndName } from './custom-objects.ts'
import { policiesBefore } from './policy-cover.ts'
import { labelsOfPods, type Releases } from './release-objects.ts'
import { conditionsWidth, selectorText, selectorWidth, selects, type Width } from './selectors.ts'

/** More webhooks and rules than anybody reads in a plan. */
const MAX_CHANGES = 100
/** More webhooks than any real configuration has. */
const MAX_WEBHOOKS = 50

/** How webhooks and admission policies change in what they decide about; empty where they do not. */
export function admissionChanges(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  releases?: Releases,
): readonly AdmissionChange[] {
  const kind = builtInKind(ref)?.kind
  const found = changesOf(kind, before, after, releases).slice(0, MAX_CHANGES)
  if (kind?.startsWith('Validating') !== true) return found
  return found.map((one) => (isHole(one) ? { ...one, isHole: true } : one))
}

/** Of one that validates: what it would have refused may pass. */
function isHole({ effect }: AdmissionChange): boolean {
  return NO_GROWTH.has(effect)
}

/** Whether more requests are decided about, or more of them may be refused; or some no longer are. */
export function decidesMore({ effect, isHole }: AdmissionChange): boolean {
  return isHole === true || !NO_GROWTH.has(effect)
}

const NO_GROWTH: ReadonlySet<AdmissionEffect> = new Set<AdmissionEffect>([
  'gone',
  'fewer-requests',
  'fewer-namespaces',
  'fewer-objects',
  'more-conditions',
  'fails-open',
  'other-authority-open',
  'cut-off-open',
  'exact-versions',
])

function changesOf(
  kind: string | undefined,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  releases: Releases | undefined,
): readonly AdmissionChange[] {
  switch (kind) {
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return webhookChanges(before, after, releases)
    case 'ValidatingAdmissionPolicy':
    case 'MutatingAdmissionPolicy':
      if (after === undefined) return effects(['gone'])
      return before === undefined ? newPolicy(at(after, 'spec')) : policyChanges(at(before, 'spec'), at(after, 'spec'))
    case 'ValidatingAdmissionPolicyBinding':
    case 'MutatingAdmissionPolicyBinding':
      if (after === undefined) return effects([denies(at(before, 'spec')) ? 'denies-no-more' : 'gone'])
      return before === undefined
        ? newBinding(at(after, 'spec'))
        : bindingChanges(at(before, 'spec'), at(after, 'spec'))
    default:
      return []
  }
}

/** Webhooks are told apart by their names. */
function webhookChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  releases: Releases | undefined,
): readonly AdmissionChange[] {
  const [old, now] = [webhooksOf(before), webhooksOf(after)]
  const changed = [...now].slice(0, MAX_WEBHOOKS).flatMap(([webhook, one]): readonly AdmissionChange[] => {
    const was = old.get(webhook)
    const found =
      was === undefined
        ? [newReach(one, arrayAt(one, 'rules')), ...(isOpen(one) ? [] : closedEffects(one, releases))]
        : webhookEffects(was, one)
    return withBackend(found, one, releases).map((change) => ({ webhook, ...change }))
  })
  const gone = [...old.keys()].filter((name) => !now.has(name))
  return [
    ...effects(now.size > MAX_WEBHOOKS ? ['too-large'] : []),
    ...changed,
    ...gone.map((webhook): AdmissionChange => ({ webhook, effect: 'gone' })),
  ]
}

function webhookEffects(before: JsonObject, after: JsonObject): readonly AdmissionChange[] {
  const address = (webhook: JsonObject) =>
    canonicalJson([at(webhook, 'clientConfig', 'service') ?? null, at(webhook, 'clientConfig', 'url') ?? null])
  return [
    ...ruleEffects(arrayAt(before, 'rules'), arrayAt(after, 'rules'), false),
    ...reachEffects(before, after),
    ...failureEffects(before, after, arrayAt(after, 'rules')),
    ...effects(conditionEffects(before, after)),
    ...effects(address(before) === address(after) ? [] : ['other-service']),
    ...(hasOtherAuthority(before, after)
      ? [about(isOpen(after) ? 'other-authority-open' : 'other-authority', arrayAt(after, 'rules'))]
      : []),
  ]
}

/** What becomes of requests while nobody answers, and of which. */
function failureEffects(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  rules: readonly JsonValue[],
): readonly AdmissionChange[] {
  return isOpen(before) === isOpen(after) ? [] : [about(isOpen(after) ? 'fails-open' : 'fails-closed', rules)]
}

function about(effect: AdmissionEffect, rules: readonly JsonValue[]): AdmissionChange {
  const all = admissionRuleChanges([], rules)?.gained ?? []
  return { effect, ...(all.length > 0 && { rules: all.slice(0, MAX_CHANGES) }) }
}

/** Until its pods answer with a certificate of the new authority every request is refused, or passes; where none is named it is injected. */
function hasOtherAuthority(before: JsonObject, after: JsonObject): boolean {
  const [old, now] = [before, after].map((webhook) => stringAt(webhook, 'clientConfig', 'caBundle') ?? '')
  return old !== '' && now !== '' && old !== now
}

/** What a new webhook or policy decides about, and where. */
function newReach(reach: JsonValue | undefined, rules: readonly JsonValue[]): AdmissionChange {
  const [namespaces, objects] = [
    selectorText(at(reach, 'namespaceSelector')),
    selectorText(at(reach, 'objectSelector')),
  ]
  const gained = admissionRuleChanges([], rules)?.gained ?? []
  return { effect: 'new', rules: gained.slice(0, MAX_CHANGES), ...defined({ namespaces, objects }) }
}

/** While nobody answers requests are refused; a backend that this release brings is not there at once. */
function closedEffects(webhook: JsonObject, releases: Releases | undefined): readonly AdmissionChange[] {
  const names = releases === undefined ? [] : newBackends(at(webhook, 'clientConfig', 'service'), releases)
  return [{ effect: 'fails-closed' }, ...(names.length === 0 ? [] : [{ effect: 'new-pods' as const, names }])]
}

/** Whether those who are to answer are of the release, and whether its NetworkPolicies let requests come to them. */
function withBackend(
  found: readonly AdmissionChange[],
  webhook: JsonObject,
  releases: Releases | undefined,
): readonly AdmissionChange[] {
  const backend = at(webhook, 'clientConfig', 'service')
  const [name, namespace] = [stringAt(backend, 'name'), stringAt(backend, 'namespace')]
  if (found.length === 0 || releases === undefined || name === undefined || namespace === undefined) return found
  const { after } = releases
  const service = after.services.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
  if (service === undefined) {
    const isNeeded = !isOpen(webhook) && found.some(({ effect }) => NEEDING.has(effect))
    return isNeeded && !after.hasHidden
      ? [...found, { effect: 'no-service', names: [`Service/${namespace}/${name}`] }]
      : found
  }
  const { isBlocked, policies } = policiesBefore({ namespace }, service, after)
  if (isBlocked !== true || policies === undefined) return found
  const told = found
    .filter(({ effect }) => effect !== 'new-pods')
    .map((one) => (REFUSING.has(one.effect) ? { ...one, policies } : one))
  const isTold = told.some((one) => 'policies' in one)
  return isTold ? told : [...told, { effect: isOpen(webhook) ? 'cut-off-open' : 'cut-off', policies }]
}

/** From now on requests depend on who answers. */
const NEEDING: ReadonlySet<AdmissionEffect> = new Set<AdmissionEffect>(['new', 'other-service', 'fails-closed'])

/** What they say comes from nobody answering. */
const REFUSING: ReadonlySet<AdmissionEffect> = new Set<AdmissionEffect>([
  'fails-closed',
  'fails-open',
  'other-authority',
  'other-authority-open',
])

/** Workloads behind the Service, where none of them was in the release before; empty where the release does not say. */
function newBackends(service: JsonValue | undefined, { after, before }: Releases): readonly string[] {
  const [name, namespace] = [stringAt(service, 'name'), stringAt(service, 'namespace')]
  const matchLabels = at(
    after.all.find(
      (one) =>
        builtInKind(one)?.kind === 'Service' && one.metadata.name === name && one.metadata.namespace === namespace,
    ),
    'spec',
    'selector',
  )
  if (!isJsonObject(matchLabels)) return []
  const isBehind = (one: KubeObject) =>
    one.metadata.namespace === namespace && selects({ matchLabels }, labelsOfPods(one) ?? {})
  if (before.workloads.some(isBehind)) return []
  return after.workloads.filter(isBehind).map(kindAndName)
}

function newPolicy(policy: JsonValue | undefined): readonly AdmissionChange[] {
  const constraints = at(policy, 'matchConstraints')
  return [newReach(constraints, arrayAt(constraints, 'resourceRules'))]
}

/** A binding without rules takes those of its policy. */
function newBinding(binding: JsonValue | undefined): readonly AdmissionChange[] {
  const reach = at(binding, 'matchResources')
  return [newReach(reach, arrayAt(reach, 'resourceRules')), ...effects(denies(binding) ? ['denies'] : [])]
}

function denies(binding: JsonValue | undefined): boolean {
  return arrayAt(binding, 'validationActions').includes('Deny')
}

function policyChanges(before: JsonValue | undefined, after: JsonValue | undefined): readonly AdmissionChange[] {
  const checks = (policy: JsonValue | undefined) =>
    canonicalJson(['validations', 'mutations', 'variables', 'paramKind'].map((key) => at(policy, key) ?? null))
  const [old, now] = [at(before, 'matchConstraints'), at(after, 'matchConstraints')]
  return [
    ...ruleEffects(arrayAt(old, 'resourceRules'), arrayAt(now, 'resourceRules'), false),
    ...ruleEffects(arrayAt(old, 'excludeResourceRules'), arrayAt(now, 'excludeResourceRules'), true),
    ...reachEffects(old, now),
    ...failureEffects(before, after, arrayAt(now, 'resourceRules')),
    ...effects(conditionEffects(before, after)),
    ...effects(checks(before) === checks(after) ? [] : ['other-checks']),
  ]
}

function bindingChanges(before: JsonValue | undefined, after: JsonValue | undefined): readonly AdmissionChange[] {
  const [old, now] = [at(before, 'matchResources'), at(after, 'matchResources')]
  const isOther = (key: string) => canonicalJson(at(before, key) ?? null) !== canonicalJson(at(after, key) ?? null)
  return [
    ...ruleEffects(rulesOfBinding(old), rulesOfBinding(now), false),
    ...ruleEffects(arrayAt(old, 'excludeResourceRules'), arrayAt(now, 'excludeResourceRules'), true),
    ...reachEffects(old, now),
    ...effects(denies(before) === denies(after) ? [] : [denies(after) ? 'denies' : 'denies-no-more']),
    ...effects(isOther('policyName') || isOther('paramRef') ? ['other-checks'] : []),
  ]
}

/** A binding without rules takes those of its policy. */
function rulesOfBinding(reach: JsonValue | undefined): readonly JsonValue[] {
  const rules = arrayAt(reach, 'resourceRules')
  return rules.length > 0 ? rules : [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]
}

/** `isExclusion`: the rules name what is left out. */
function ruleEffects(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  isExclusion: boolean,
): readonly AdmissionChange[] {
  const changes = admissionRuleChanges(before, after)
  if (changes === undefined) return effects(['too-large'])
  const [more, fewer] = isExclusion ? [changes.lost, changes.gained] : [changes.gained, changes.lost]
  return [
    ...(more.length === 0 ? [] : [{ effect: 'more-requests' as const, rules: more.slice(0, MAX_CHANGES) }]),
    ...(fewer.length === 0 ? [] : [{ effect: 'fewer-requests' as const, rules: fewer.slice(0, MAX_CHANGES) }]),
  ]
}

/** What webhooks and policies alike narrow their rules by. */
function reachEffects(before: JsonValue | undefined, after: JsonValue | undefined): readonly AdmissionChange[] {
  const width = (key: string) => selectorWidth(at(before, key), at(after, key))
  // Equivalent is the default.
  const isExact = (reach: JsonValue | undefined) => stringAt(reach, 'matchPolicy') === 'Exact'
  const texts = (key: string) => {
    const [selectorBefore, selectorAfter] = [selectorText(at(before, key)), selectorText(at(after, key))]
    return selectorBefore === undefined || selectorAfter === undefined ? {} : { selectorBefore, selectorAfter }
  }
  const ofSelector = (key: string, words: readonly [AdmissionEffect, AdmissionEffect, AdmissionEffect]) =>
    byWidth(width(key), words).map((effect) => ({ effect, ...texts(key) }))
  return [
    ...ofSelector('namespaceSelector', ['more-namespaces', 'fewer-namespaces', 'other-namespaces']),
    ...ofSelector('objectSelector', ['more-objects', 'fewer-objects', 'other-objects']),
    ...effects(
      isExact(before) === isExact(after)
        ? []
        : [isExact(after) ? ('exact-versions' as const) : ('all-versions' as const)],
    ),
  ]
}

function conditionEffects(before: JsonValue | undefined, after: JsonValue | undefined): readonly AdmissionEffect[] {
  const width = conditionsWidth(arrayAt(before, 'matchConditions'), arrayAt(after, 'matchConditions'))
  return byWidth(width, ['fewer-conditions', 'more-conditions', 'other-conditions'])
}

function byWidth(
  width: Width,
  [wider, narrower, other]: readonly [AdmissionEffect, AdmissionEffect, AdmissionEffect],
): readonly AdmissionEffect[] {
  if (width === 'same') return []
  return [width === 'wider' ? wider : width === 'narrower' ? narrower : other]
}

function effects(all: readonly AdmissionEffect[]): readonly AdmissionChange[] {
  return all.map((effect) => ({ effect }))
}

/** Requests pass while it does not answer, or cannot be evaluated. */
function isOpen(decider: JsonValue | undefined): boolean {
  return stringAt(decider, 'failurePolicy') === 'Ignore'
}

function webhooksOf(configuration: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const webhooks = arrayAt(configuration, 'webhooks').filter(isJsonObject)
  return new Map(webhooks.map((webhook) => [stringAt(webhook, 'name') ?? '', webhook]))
}
