import type { AdmissionChange, AdmissionEffect, AdmissionRule } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/**
 * In one line, what is decided about more in one mark for each webhook:
 * `webhook pods.example.com: ⚠️ decides about more requests: UPDATE of pods, now in all namespaces, before guarded=yes`.
 */
export function admissionPhrase(changes: readonly AdmissionChange[]): Phrase {
  return joinPhrases(
    deciders(changes).map(({ all, who }) => {
      const [more, others] = [all.filter(isMarked), all.filter((change) => !isMarked(change))]
      const texts = (some: readonly AdmissionChange[]) => some.map((change) => effectPhrase(change, MAX_RULES))
      const onTop = joinPhrases(texts(more), ', ')
      const parts = [...(more.length === 0 ? [] : [marked(onTop, spoken(who, onTop))]), ...texts(others)]
      return spoken(who, joinPhrases(parts, ', '))
    }),
    '; ',
  )
}

/** Rules that one line names. */
const MAX_RULES = 2

export function admissionBullets(changes: readonly AdmissionChange[]): readonly Bullet[] {
  return deciders(changes).flatMap(({ all, who }) => {
    const effects = all.map((change) => {
      const text = effectPhrase(change)
      return isMarked(change) ? marked(text) : text
    })
    const isOne = who.length === 0 || effects.length === 1
    return isOne ? effects.map((one) => ({ text: spoken(who, one), below: [] })) : [{ text: who, below: effects }]
  })
}

function spoken(who: Phrase, what: Phrase): Phrase {
  return who.length === 0 ? what : phrase`${who} ${what}`
}

interface Decider {
  /** Nobody is named where the object itself decides. */
  readonly who: Phrase
  readonly all: readonly AdmissionChange[]
}

function deciders(changes: readonly AdmissionChange[]): readonly Decider[] {
  return [...Map.groupBy(changes, ({ webhook }) => webhook)].map(([webhook, all]) => {
    const isNew = all.some(({ effect }) => effect === 'new')
    return { who: webhook === undefined ? [] : phrase`${[isNew ? 'new webhook' : 'webhook']} ${webhook}:`, all }
  })
}

/** More requests are decided about or refused than before, by others, or some no longer that were refused. */
function isMarked({ effect, isHole }: AdmissionChange): boolean {
  return isHole === true || MARKED.has(effect)
}

const MARKED: ReadonlySet<AdmissionEffect> = new Set<AdmissionEffect>([
  'new',
  'more-requests',
  'too-large',
  'more-namespaces',
  'more-objects',
  'fewer-conditions',
  'fails-closed',
  'other-service',
  'other-authority',
  'new-pods',
  'no-service',
  'cut-off',
  'denies',
  'denies-no-more',
])

/** `maxRules`: how many are named; all where it is absent. */
function effectPhrase(change: AdmissionChange, maxRules?: number): Phrase {
  const { effect, names = [], policies = [], rules = [] } = change
  const selected = selectedPhrase(change)
  if (selected.length > 0) return selected
  const isBrief = maxRules !== undefined
  const refusal = REFUSALS.get(effect)
  const shown = rules.slice(0, maxRules).map((rule) => rulePhrase(rule, isBrief || refusal !== undefined))
  const more = rules.length > shown.length ? [` and ${rules.length - shown.length} more rules`] : []
  const list = phrase`${joinPhrases(shown, ', ')}${more}`
  if (refusal !== undefined) {
    const what = rules.length === 0 ? ['requests'] : list
    const until =
      policies.length === 0
        ? [refusal[1]]
        : phrase`${[refusal[1].replace(/^until its pods answer/, 'while it does not answer')]}, and ${policiesPhrase(policies)}`
    return phrase`${[refusal[0]]} ${what} ${until}`
  }
  if (effect === 'no-service') return phrase`is answered by ${nameList(names)}, which is not of the release`
  if (effect === 'cut-off') return phrase`${policiesPhrase(policies)} (failurePolicy Fail)`
  if (effect === 'cut-off-open') return phrase`${policiesPhrase(policies)} (failurePolicy Ignore: requests pass)`
  const about = rules.length === 0 ? [] : phrase` ${list}`
  if (effect === 'new' && rules.length === 0) return withoutRules(change)
  const where = effect === 'new' ? reachPhrase(change) : []
  const who = effect === 'new-pods' ? phrase` ${nameList(names)}` : []
  return phrase`${[effectText(effect)]}${about}${where}${who}`
}

function policiesPhrase(policies: readonly string[]): Phrase {
  return phrase`${nameList(policies)} ${[policies.length === 1 ? 'lets' : 'let']} nothing pass to its pods unless another policy does`
}

/** A binding takes the rules of its policy; a webhook without rules is never asked. */
function withoutRules(change: AdmissionChange): Phrase {
  if (change.webhook !== undefined) return ['has no rules']
  return phrase`decides about what its policy names${reachPhrase(change)}`
}

/** ` in namespaces with guarded=yes, with app=web`: of a new one. */
function reachPhrase({ namespaces, objects, rules = [] }: AdmissionChange): Phrase {
  const isOfCluster = rules.length > 0 && rules.every(({ scope }) => scope === 'Cluster')
  const inside =
    namespaces === undefined
      ? [' in some namespaces']
      : namespaces === ''
        ? [' in all namespaces']
        : phrase` in namespaces with ${namespaces}`
  const labels =
    objects === undefined ? [', only with some labels'] : objects === '' ? [] : phrase`, only with ${objects}`
  return phrase`${isOfCluster ? [] : inside}${labels}`
}

/** `now in all namespaces, before guarded=yes`; empty where the selectors are too long to be told. */
function selectedPhrase({ effect, selectorAfter, selectorBefore }: AdmissionChange): Phrase {
  if (selectorAfter === undefined || selectorBefore === undefined) return []
  const things = effect.endsWith('-namespaces') ? 'namespaces' : 'objects'
  const where = things === 'namespaces' ? 'in' : 'about'
  const old = selectorBefore === '' ? ['all'] : phrase`${selectorBefore}`
  if (selectorAfter === '') return phrase`now ${[where]} all ${[things]}, before ${old}`
  return phrase`now ${[where]} ${[things]} with ${selectorAfter}, before ${old}`
}

/** `CREATE, UPDATE of pods (v1)`. */
function rulePhrase({ apiGroups, apiVersions, operations, resources, scope }: AdmissionRule, isBrief: boolean): Phrase {
  const how = operations.includes('*') ? ['all operations'] : phrase`${operations.join(', ')}`
  const what = resources.includes('*/*') ? ['all resources'] : phrase`${resources.join(', ')}`
  const groups = groupsPhrase(apiGroups)
  const isUsual = isBrief && apiVersions.join() === 'v1'
  const versions = isUsual || apiVersions.includes('*') ? [] : phrase` (${apiVersions.join(', ')})`
  const where = scope === undefined ? [] : phrase` (${scope} only)`
  return phrase`${how} of ${what}${groups}${versions}${where}`
}

function groupsPhrase(groups: readonly string[]): Phrase {
  if (groups.includes('*')) return [' of all API groups']
  if (groups.every((group) => group === '')) return []
  return phrase` of ${groups.map((group) => (group === '' ? 'core' : group)).join(', ')}`
}

/** What becomes of requests, which are named between the two parts. */
const REFUSALS: ReadonlyMap<AdmissionEffect, readonly [string, string]> = new Map([
  ['fails-closed', ['refuses', 'while it does not answer (failurePolicy Fail)']],
  ['fails-open', ['lets', 'pass while it does not answer (failurePolicy Ignore)']],
  ['other-authority', ['refuses', 'until its pods answer with a certificate of the new CA (failurePolicy Fail)']],
  [
    'other-authority-open',
    ['lets', 'pass until its pods answer with a certificate of the new CA (failurePolicy Ignore)'],
  ],
])

function effectText(effect: AdmissionEffect): string {
  switch (effect) {
    case 'new':
      return 'decides about'
    case 'gone':
      return 'no longer decides about requests'
    case 'more-requests':
      return 'decides about more requests:'
    case 'fewer-requests':
      return 'no longer decides about'
    case 'too-large':
      return 'more rules than are compared here'
    case 'more-namespaces':
      return 'counts in more namespaces'
    case 'fewer-namespaces':
      return 'counts in fewer namespaces'
    case 'other-namespaces':
      return 'counts in other namespaces'
    case 'more-objects':
      return 'decides about more objects, by their labels'
    case 'fewer-objects':
      return 'decides about fewer objects, by their labels'
    case 'other-objects':
      return 'decides about other objects, by their labels'
    case 'fewer-conditions':
      return 'decides about more requests: fewer match conditions'
    case 'more-conditions':
      return 'decides about fewer requests: more match conditions'
    case 'other-conditions':
      return 'has other match conditions'
    case 'fails-closed':
    case 'fails-open':
    case 'other-authority':
    case 'other-authority-open':
      return (REFUSALS.get(effect) ?? []).join(' requests ')
    case 'all-versions':
      return 'decides about all versions of a kind (matchPolicy Equivalent)'
    case 'exact-versions':
      return 'decides about the listed versions of a kind only (matchPolicy Exact)'
    case 'other-service':
      return 'another service decides'
    case 'new-pods':
      return 'is answered by pods that are new as well:'
    case 'no-service':
      return 'is answered by a Service that is not of the release'
    case 'cut-off':
    case 'cut-off-open':
      return 'nothing passes to its pods'
    case 'other-checks':
      return 'decides otherwise'
    case 'denies':
      return 'refuses requests (validationActions Deny)'
    case 'denies-no-more':
      return 'no longer refuses requests'
    default:
      return unreachable(effect)
  }
}
