import type { AdmissionChange, AdmissionEffect, AdmissionRule } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, marked, type Phrase, phrase } from './phrase.ts'

/** In one line: `webhook pods.example.com: decides about more requests: UPDATE of pods (v1); now in all namespaces, before guarded=yes`. */
export function admissionPhrase(changes: readonly AdmissionChange[]): Phrase {
  return joinPhrases(
    deciders(changes).map(({ effects, who }) => spoken(who, joinPhrases(effects, '; '))),
    '; ',
  )
}

export function admissionBullets(changes: readonly AdmissionChange[]): readonly Bullet[] {
  return deciders(changes).flatMap(({ effects, who }) => {
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
  readonly effects: readonly Phrase[]
}

function deciders(changes: readonly AdmissionChange[]): readonly Decider[] {
  return [...Map.groupBy(changes, ({ webhook }) => webhook)].map(([webhook, all]) => ({
    who: webhook === undefined ? [] : phrase`webhook ${webhook}:`,
    effects: all.map((change) => {
      const { effect, rules = [] } = change
      const selected = selectedPhrase(change)
      if (selected.length > 0) return selected
      const about = rules.length === 0 ? [] : phrase` ${joinPhrases(rules.map(rulePhrase), ', ')}`
      return phrase`${effectPhrase(effect)}${about}`
    }),
  }))
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
function rulePhrase({ apiGroups, apiVersions, operations, resources, scope }: AdmissionRule): Phrase {
  const how = operations.includes('*') ? ['all operations'] : phrase`${operations.join(', ')}`
  const what = resources.includes('*/*') ? ['all resources'] : phrase`${resources.join(', ')}`
  const groups = groupsPhrase(apiGroups)
  const versions = apiVersions.includes('*') ? [] : phrase` (${apiVersions.join(', ')})`
  const where = scope === undefined ? [] : phrase` (${scope} only)`
  return phrase`${how} of ${what}${groups}${versions}${where}`
}

function groupsPhrase(groups: readonly string[]): Phrase {
  if (groups.includes('*')) return [' of all API groups']
  if (groups.every((group) => group === '')) return []
  return phrase` of ${groups.map((group) => (group === '' ? 'core' : group)).join(', ')}`
}

function effectPhrase(effect: AdmissionEffect): Phrase {
  switch (effect) {
    case 'new':
      return ['new, is asked about']
    case 'gone':
      return ['is asked no more']
    case 'more-requests':
      return ['decides about more requests:']
    case 'fewer-requests':
      return ['decides no longer about']
    case 'too-large':
      return marked(['more rules than are compared here'])
    case 'more-namespaces':
      return ['counts in more namespaces']
    case 'fewer-namespaces':
      return ['counts in fewer namespaces']
    case 'other-namespaces':
      return ['counts in other namespaces']
    case 'more-objects':
      return ['decides about more objects, by their labels']
    case 'fewer-objects':
      return ['decides about fewer objects, by their labels']
    case 'other-objects':
      return ['decides about other objects, by their labels']
    case 'fewer-conditions':
      return ['decides about more requests: fewer match conditions']
    case 'more-conditions':
      return ['decides about fewer requests: more match conditions']
    case 'other-conditions':
      return ['has other match conditions']
    case 'fails-closed':
      return marked(['refuses requests while it does not answer (failurePolicy Fail)'])
    case 'fails-open':
      return ['lets requests pass while it does not answer (failurePolicy Ignore)']
    case 'all-versions':
      return ['decides about all versions of a kind (matchPolicy Equivalent)']
    case 'exact-versions':
      return ['decides about the listed versions of a kind only (matchPolicy Exact)']
    case 'other-service':
      return marked(['another service decides'])
    case 'other-checks':
      return ['decides otherwise']
    case 'denies':
      return marked(['refuses requests (validationActions Deny)'])
    case 'denies-no-more':
      return marked(['refuses no more requests (validationActions without Deny)'])
    default:
      return unreachable(effect)
  }
}
