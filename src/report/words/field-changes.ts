import type { FieldChange } from '../../model/impact.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** Most fields that are named before the rest is counted. */
const MAX_FIELDS = 4
/** Longer values say more in the diff. */
const MAX_VALUE_CHARS = 24

/** What changes, the field that matters most first: `containers[app].image, replicas 2 → 3, rules +18 -2`. */
export function fieldChangesPhrase(fields: readonly FieldChange[]): Phrase {
  const shown = joinPhrases(fields.slice(0, MAX_FIELDS).map(fieldPhrase), ', ')
  return fields.length > MAX_FIELDS ? [...shown, ` and ${fields.length - MAX_FIELDS} more`] : shown
}

function fieldPhrase({ after, before, itemsAdded, itemsRemoved, kind, path }: FieldChange): Phrase {
  const name = shortFieldPath(path)
  switch (kind) {
    case 'added':
      return phrase`${name} added`
    case 'removed':
      return phrase`${name} removed`
    case 'list':
      return phrase`${name} ${[`+${itemsAdded ?? 0} -${itemsRemoved ?? 0}`]}`
    case 'moved':
      return phrase`order of ${name}`
    default:
      return isShort(before) && isShort(after) ? phrase`${name} ${before} → ${after}` : phrase`${name}`
  }
}

function isShort(value: string | undefined): value is string {
  return value !== undefined && value.length <= MAX_VALUE_CHARS
}

/** The last two keys, with the items that they are in: `containers[app].image`. */
function shortFieldPath(path: string): string {
  const keys = path.match(/\["(?:[^"\\]|\\.)*"\]|(?:\.|^)[\w-]+(?:\[(?!")[^\]]*\])*/g) ?? [path]
  return keys.slice(-2).join('').replace(/^\./, '')
}
