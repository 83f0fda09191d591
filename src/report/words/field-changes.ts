import type { ContainerImage, FieldChange, TextChange } from '../../model/impact.ts'
import { imageChangePhrase } from './image-changes.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'
import { jumpText } from './version-text.ts'

/** Most names of all parents together before the rest is counted, once. */
const MAX_NAMED = 8
/** Most names of one parent, where there are others. */
const MAX_OF_PARENT = 5
/** Most names before one word for all. */
const MAX_RUN = 6
/** More fields of one parent are named by their keys: `env` for each of its items. */
const MAX_FIELDS = 4
/** Longer values say more in the diff. */
const MAX_VALUE_CHARS = 24
const MAX_IMAGE_CHARS = 80
/** A path is code, which browsers do not break: a longer one makes a table wider than the page. */
const MAX_NAME_CHARS = 32
/** What stands in the place of a secret value. */
const MASKED = /^\(hidden\b/
/** Values that nobody compares by eye. */
const CERTIFICATE = /\bcaBundle$/

/**
 * What changes, the field that matters most first, fields of one parent together, labels of the pod template in
 * one word: `containers[app]: image 4.2.0 → 4.3.1, env, ports and 3 more fields, replicas 2 → 3, template labels`. Labels of the
 * object itself are told beside the diff.
 */
export function fieldChangesPhrase(fields: readonly FieldChange[]): Phrase {
  const named = fields.map(namedField)
  const others = named.filter(({ metadata }) => metadata === undefined)
  // Where nothing else changes, metadata is told like any other field.
  if (others.length === 0) return groupsPhrase(named)
  const words = new Set(named.flatMap(({ metadata }) => (metadata?.startsWith('template') === true ? metadata : [])))
  return joinPhrases([groupsPhrase(others), ...[...words].map((word) => [word])], ', ')
}

/** The parts of the object in which something changes, labels and annotations of its own aside: `data, rules`. */
export function fieldPartsPhrase(fields: readonly FieldChange[]): Phrase {
  const parts = fields.map(namedField).filter(({ metadata }) => metadata === undefined)
  const names = new Set(parts.map(({ parent, rest }) => withoutItem(parent === '' ? (rest[0] ?? '') : parent)))
  return nameList([...names])
}

/** One field by its whole path, with its values: `spec.replicas 2 → 3`. */
export function wholeFieldPhrase(field: FieldChange): Phrase {
  const { after, before, containers, kind, path } = field
  if (containers !== undefined) {
    const textOf = path.endsWith(']') ? ({ image }: ContainerImage) => phrase`${image}` : runsPhrase
    return phrase`${path} ${[kind]}: ${joinPhrases(containers.map(textOf), ', ')}`
  }
  if (kind === 'added') return phrase`${path} added${after === undefined ? [] : phrase`: ${after}`}`
  if (kind === 'removed') return phrase`${path} removed${before === undefined ? [] : phrase`: ${before}`}`
  const isShown = !MASKED.test(before ?? '') && !CERTIFICATE.test(path)
  const hasBoth = before !== undefined && after !== undefined && before !== after && isShown
  return kind === 'changed' && hasBoth ? phrase`${path} ${before} → ${after}` : changePhrase(field, path)
}

/** One field with its values, without the parts of the path that every object has: `replicas 2 → 3`. */
function fieldPhrase(field: FieldChange): Phrase {
  return changePhrase(field, fieldName(field))
}

/** Without the parts of the path that every object has: `containers[app].imagePullPolicy`. */
export function fieldName(field: FieldChange): string {
  const { parent, rest } = namedField(field)
  return shortName([parent, ...rest])
}

/** With who has set what is there now: `maxReplicas 9 (by kubectl-edit) → 5`. */
export function revertedFieldPhrase(field: FieldChange, manager: string): Phrase {
  const { after, before, kind } = field
  const hasBoth = kind === 'changed' && isShort(before) && isShort(after) && before !== after && !MASKED.test(before)
  if (!hasBoth) return phrase`${fieldPhrase(field)} (by ${manager})`
  return phrase`${fieldPhrase({ path: field.path, pointer: field.pointer, kind })} ${before} (by ${manager}) → ${after}`
}

interface NamedField {
  readonly field: FieldChange
  /** `containers[app]`: the first key below the roots that every object has; empty where there is no other. */
  readonly parent: string
  /** The keys below the parent. */
  readonly rest: readonly string[]
  /** What a label or an annotation is told as. */
  readonly metadata?: string
}

/** Where kinds keep what they are about: told once more in each path, it would say nothing. */
const ROOTS: readonly string[] = [
  'spec.jobTemplate.spec.template.spec.',
  'spec.template.spec.',
  'spec.template.',
  'spec.',
]

function namedField(field: FieldChange): NamedField {
  const root = ROOTS.find((one) => field.path.startsWith(one)) ?? ''
  const keys = keysOf(field.path.slice(root.length))
  const [first = field.path, ...rest] = keys
  const metadata = /^metadata\.(labels|annotations)\b/.exec(field.path.slice(root.length))?.[1]
  if (metadata !== undefined) {
    return { field, parent: metadata, rest: rest.slice(1), metadata: root === '' ? metadata : `template ${metadata}` }
  }
  // Beside fields of a container it would read as one of them.
  const isOfPod = first === 'securityContext' && root.endsWith('template.spec.')
  if (rest.length === 0) return { field, parent: '', rest: [isOfPod ? 'template.spec.securityContext' : first] }
  return { field, parent: first, rest }
}

/** `spec.ports[http].port` as `spec`, `ports[http]`, `port`; `data["a.b"]` as `data`, `["a.b"]`. */
function keysOf(path: string): readonly string[] {
  const keys = path.match(/(?:\["(?:[^"\\]|\\.)*\\?(?:"\])?|(?:\.|^)[\w-]+)(?:\[(?!")[^\]]*\]?)*/g) ?? []
  return keys.map((key) => key.replace(/^\./, ''))
}

function groupsPhrase(fields: readonly NamedField[]): Phrase {
  const groups = groupsOf(fields)
  let room = MAX_NAMED
  let left = 0
  const told = groups.flatMap((group) => {
    const members = alikeTogether(membersOf(group))
    const most = groups.length === 1 ? room : Math.min(room, MAX_OF_PARENT)
    // A name takes no more room than a count of one.
    const shown = members.slice(0, members.length === most + 1 && room > 0 ? most + 1 : most)
    room = Math.max(0, room - shown.length)
    left += members.slice(shown.length).flatMap(({ fields: unsaid }) => unsaid).length
    const isRun = group[0]?.parent === '' && shown[0]?.isRun === true
    return shown.length === 0 ? [] : [{ text: groupPhrase(group, shown), isRun }]
  })
  const all = listed(told)
  return left === 0 ? all : phrase`${all} and ${[String(left)]} more ${[left === 1 ? 'field' : 'fields']}`
}

/** Fields of one parent; of those without a parent, each by itself, and neighbours that one word tells. */
function groupsOf(fields: readonly NamedField[]): readonly (readonly NamedField[])[] {
  const byParent = Map.groupBy(fields, ({ field, parent }) => (parent === '' ? field.path : `${parent} `))
  const groups: NamedField[][] = []
  for (const group of byParent.values()) {
    const last = groups.at(-1)
    const areAlike = group[0]?.parent === '' && isOneWord(group[0]) && last?.[0]?.parent === '' && isOneWord(last[0])
    if (areAlike && last[0]?.field.kind === group[0]?.field.kind) last.push(...group)
    else groups.push([...group])
  }
  return groups
}

/** What one name tells, or several names and one word. */
interface Member {
  readonly fields: readonly NamedField[]
  readonly isRun: boolean
}

function membersOf(group: readonly NamedField[]): readonly Member[] {
  const alone = (field: NamedField): Member => ({ fields: [field], isRun: false })
  if (group.length <= MAX_FIELDS || group[0]?.parent === '') return group.map(alone)
  const byKey = Map.groupBy(group, ({ rest }) => withoutItem(rest[0] ?? '')).values()
  return [...byKey].map((fields) => ({ fields, isRun: false }))
}

/** Neighbours that are all added, or all removed, and have no short value: `args, resources and livenessProbe removed`. */
function alikeTogether(members: readonly Member[]): readonly Member[] {
  const runs: Member[] = []
  for (const member of members) {
    const last = runs.at(-1)
    const [one, other] = [last?.fields[0], member.fields[0]]
    const isAlike =
      (last?.isRun === true || last?.fields.length === 1) &&
      member.fields.length === 1 &&
      isOneWord(one) &&
      isOneWord(other) &&
      one?.field.kind === other?.field.kind &&
      (last?.fields.length ?? 0) < MAX_RUN
    if (isAlike && last !== undefined)
      runs[runs.length - 1] = { fields: [...last.fields, ...member.fields], isRun: true }
    else runs.push(member)
  }
  return runs
}

/** Told by its name and `added` or `removed`, and no more. */
function isOneWord(one: NamedField | undefined): boolean {
  if (one === undefined) return false
  const { after, before, containers, kind } = one.field
  if (isLongText(one.field)) return false
  return containers === undefined && ((kind === 'added' && !isShort(after)) || (kind === 'removed' && !isShort(before)))
}

function groupPhrase(group: readonly NamedField[], shown: readonly Member[]): Phrase {
  const [first] = group
  if (first === undefined) return []
  if (group.length === 1) return fieldPhrase(first.field)
  const members = listed(shown.map((member) => ({ text: memberPhrase(member), isRun: member.isRun })))
  return first.parent === '' ? members : phrase`${first.parent}: ${members}`
}

/** A bare name before a run would read as a part of it: `args changed, resources and livenessProbe removed`. */
function listed(parts: readonly { readonly text: Phrase; readonly isRun: boolean }[]): Phrase {
  const texts = parts.map(({ text }, index) =>
    text.length === 1 && parts[index + 1]?.isRun === true ? phrase`${text} changed` : text,
  )
  return joinPhrases(texts, ', ')
}

/** One field with its values, or what several have in common: `env`. */
function memberPhrase({ fields, isRun }: Member): Phrase {
  const [first, second] = fields
  if (first === undefined) return []
  if (isRun) {
    const names = fields.map(({ rest }) => phrase`${shortName(rest)}`)
    return phrase`${joinPhrases(names.slice(0, -1), ', ')} and ${names.at(-1) ?? []} ${[first.field.kind]}`
  }
  const name = second === undefined ? shortName(first.rest) : withoutItem(first.rest[0] ?? '')
  return second === undefined ? changePhrase(first.field, name) : phrase`${unquoted(name)}`
}

function changePhrase(field: FieldChange, name: string): Phrase {
  const { after, before, containers, itemsAdded, itemsRemoved, jump, kind, path } = field
  if (containers !== undefined) return containersPhrase(containers, field)
  if (isNewName(field)) return newNamePhrase(field, name === 'name' ? [] : phrase`${name.replace(/\.name$/, '')} `)
  switch (kind) {
    case 'added':
      // Of a live object it is never missing: without a cluster nobody knows what it is there.
      if (path === 'spec.replicas' && isShort(after))
        return phrase`${name} ${after} added (an autoscaler or ${'kubectl scale'} may have set another number)`
      if (isLongText(field)) return phrase`${name} added (${field.text?.linesAdded ?? 0} lines)`
      return isShort(after) ? phrase`${name} ${after} added` : phrase`${name} added`
    case 'removed':
      return isShort(before) ? phrase`${name} ${before} removed` : phrase`${name} removed`
    case 'list':
      return phrase`${name} ${[countText(itemsAdded, itemsRemoved)]}`
    case 'moved':
      return phrase`order of ${name}`
    default:
      if (CERTIFICATE.test(path)) return phrase`${name} changed`
      // A short text without values inside says more itself.
      if (field.text !== undefined && (field.text.values !== undefined || before === undefined || after === undefined))
        return phrase`${name}${textPhrase(field.text)}`
      if (before === undefined || after === undefined) return phrase`${name}`
      if (before === after || MASKED.test(before)) return phrase`${name} changed`
      if (/\bimage$/.test(path) && before.length <= MAX_IMAGE_CHARS && after.length <= MAX_IMAGE_CHARS) {
        return phrase`${name} ${imageChangePhrase(before, after)}${[jumpText(jump)]}`
      }
      return isShort(before) && isShort(after) ? phrase`${name} ${before} → ${after}` : phrase`${name}`
  }
}

/** Of what is new, its size is said of what nobody sees at a glance. */
const MANY_LINES = 10

function isLongText({ kind, text }: FieldChange): boolean {
  return kind === 'added' && text !== undefined && text.linesAdded >= MANY_LINES
}

/** ` (title Orders → Returns and 2 more)` of JSON and YAML, ` (+3 -1 lines)` of other texts; nothing where lines only move. */
function textPhrase({ linesAdded, linesRemoved, moreValues = 0, values }: TextChange): Phrase {
  if (values?.length === 0) return [' (the same values, written otherwise)']
  const [first] = values ?? []
  const lines = countText(linesAdded, linesRemoved)
  const more = (values?.length ?? 0) - 1 + moreValues
  if (first === undefined) return lines === '' ? [] : [` (${lines} lines)`]
  const value = { ...first, pointer: '' }
  return phrase` (${changePhrase(value, shortName(keysOf(first.path)))}${[more === 0 ? '' : ` and ${more} more`]})`
}

/** `init container wait added (busybox:1)`: a new one is known by what it runs. */
function containersPhrase(containers: readonly ContainerImage[], { kind, path }: FieldChange): Phrase {
  const isInit = /\binitContainers\b/.test(path)
  const sorts = Map.groupBy(containers, ({ isSidecar }) =>
    isSidecar === true ? 'sidecar' : isInit ? 'init container' : 'container',
  )
  return joinPhrases(
    [...sorts].map(([word, some]) => sortPhrase(word, some, kind)),
    ', ',
  )
}

function sortPhrase(word: string, containers: readonly ContainerImage[], kind: FieldChange['kind']): Phrase {
  const [only, ...others] = containers
  if (only === undefined) return []
  if (others.length === 0) return phrase`${[word]} ${only.name} ${[kind]} (${only.image})`
  const shown = joinPhrases(containers.slice(0, MAX_CONTAINERS).map(runsPhrase), ', ')
  const left = containers.length - MAX_CONTAINERS
  return phrase`${[word]}s ${shown}${[left > 0 ? ` and ${left} more` : '']} ${[kind]}`
}

/** Most containers of one list that are named. */
const MAX_CONTAINERS = 4

function runsPhrase({ image, name }: ContainerImage): Phrase {
  return phrase`${name} (${image})`
}

/** Of a container. */
function isNewName({ kind, path }: FieldChange): boolean {
  return kind === 'changed' && /\b(containers|initContainers)\[[^[\]]*\]\.name$/.test(path)
}

function newNamePhrase({ after, before }: FieldChange, what: Phrase): Phrase {
  const isKnown = before !== undefined && before !== after && !MASKED.test(before)
  return isKnown ? phrase`${what}renamed from ${before}` : phrase`${what}renamed`
}

/** `+18 -2`: items that are new, and items that are gone. */
function countText(added = 0, removed = 0): string {
  return [added === 0 ? '' : `+${added}`, removed === 0 ? '' : `-${removed}`].filter((part) => part !== '').join(' ')
}

function isShort(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value.length <= MAX_VALUE_CHARS
}

/** Keys as a path; of a long one the first and the last: `volumeClaimTemplates[0]…storage`. */
function shortName(keys: readonly string[]): string {
  const told = keys.filter((key) => key !== '')
  const name = joined(told)
  const [first = '', last = ''] = [told[0], told.at(-1)]
  return name.length <= MAX_NAME_CHARS || told.length < 3 ? name : `${first}…${unquoted(last)}`
}

function joined(keys: readonly string[]): string {
  if (keys.length === 1) return unquoted(keys[0] ?? '')
  return keys.map((key, index) => (index === 0 || key.startsWith('[') ? key : `.${key}`)).join('')
}

/** A key alone needs no quotes: `app.yaml`. */
function unquoted(key: string): string {
  return /^\["(.*)"\]$/.exec(key)?.[1] ?? key
}

/** `env[LOG]` is one of `env`; a quoted key is what it is. */
function withoutItem(key: string): string {
  return key.startsWith('[') ? key : key.replace(/\[[\s\S]*/, '')
}
