import type { FieldChange } from '../../model/impact.ts'
import { fieldName } from './field-changes.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** More fields than one over this are counted: the diff has them all. */
const MAX_NAMED = 2
/** Where others write a value, too: an autoscaler, `kubectl scale`, a queue. */
const WRITTEN_BY_OTHERS = /^spec\.(replicas|suspend)$/

/** `stored as before: states the defaults of progressDeadlineSeconds, strategy and 12 more`: of an object of which nothing else changes. */
export function respelledPhrase(fields: readonly FieldChange[]): Phrase {
  return fields.length === 0
    ? ['stored as before, written otherwise']
    : phrase`stored as before: ${fieldsPhrase(fields)}`
}

/** The same beside what changes. */
export function besidePhrase(fields: readonly FieldChange[]): Phrase {
  return phrase`the rest is stored as before: ${fieldsPhrase(fields)}`
}

function fieldsPhrase(fields: readonly FieldChange[]): Phrase {
  return joinPhrases([joinPhrases(whatPhrases(fields), ', '), ...othersPhrases(fields)], '; ')
}

type Way = 'stated' | 'left-out' | 'otherwise'

function wayOf({ kind, path }: FieldChange): Way {
  // A Secret is stored with `data` alone: that is no default.
  if (/^(stringData|data)\b/.test(path)) return 'otherwise'
  return kind === 'added' ? 'stated' : kind === 'removed' ? 'left-out' : 'otherwise'
}

function whatPhrases(fields: readonly FieldChange[]): readonly Phrase[] {
  const ways = Map.groupBy(fields, wayOf)
  const named = (way: Way) => namesPhrase(ways.get(way) ?? [])
  const [stated, leftOut, otherwise] = [named('stated'), named('left-out'), named('otherwise')]
  return [
    ...(stated.length === 0 ? [] : [phrase`states the defaults of ${stated}`]),
    ...(leftOut.length === 0 ? [] : [phrase`no longer states the defaults of ${leftOut}`]),
    ...(otherwise.length === 0 ? [] : [phrase`writes ${otherwise} otherwise`]),
  ]
}

/** The default takes its place in the render; what a cluster has by others is known to nobody. */
function othersPhrases(fields: readonly FieldChange[]): readonly Phrase[] {
  return fields
    .filter((field) => wayOf(field) === 'left-out' && WRITTEN_BY_OTHERS.test(field.path))
    .map(
      (field) => phrase`for ${fieldName(field)} this holds in the render only: others may have set it in the cluster`,
    )
}

/** What others write stands first. */
function namesPhrase(fields: readonly FieldChange[]): Phrase {
  const names = [...new Set(fields.toSorted((a, b) => rankOf(a) - rankOf(b)).map(fieldName))]
  const shown = names.length <= MAX_NAMED + 1 ? names : names.slice(0, MAX_NAMED)
  const list = joinPhrases(
    shown.map((name) => phrase`${name}`),
    ', ',
  )
  return shown.length === names.length ? list : phrase`${list} and ${names.length - shown.length} more`
}

function rankOf({ path }: FieldChange): number {
  return WRITTEN_BY_OTHERS.test(path) ? 0 : 1
}
