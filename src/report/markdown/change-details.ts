import { builtInKind, isBuiltIn, podPlaceOf } from '../../manifest/built-in-kinds.ts'
import { canonicalJson } from '../../manifest/canonical-json.ts'
import { isReleaseMark } from '../../manifest/metadata-keys.ts'
import { defined } from '../../model/defined.ts'
import type { FieldChange } from '../../model/impact.ts'
import type { JsonObject } from '../../model/object.ts'
import { formatRef, type Ref } from '../../model/ref.ts'
import { rowOf, type Verb } from '../../model/verb.ts'
import { commonMetadata, metadataBeside } from '../rows/common-metadata.ts'
import type { Shown } from '../rows/field-values.ts'
import { markedFields } from '../rows/marked-fields.ts'
import { changesOwnMetadataOnly, isOwnMetadata, ownMetadataKey, withoutOwnMetadata } from '../rows/own-metadata.ts'
import { withFields } from '../rows/partial-change.ts'
import type { Row } from '../rows/rows.ts'
import { changeShape, sameChangeKey } from '../rows/same-changes.ts'
import { attentionRank, byAttention } from '../words/attention-order.ts'
import { attentionPhrase } from '../words/attention-text.ts'
import { bulletLines } from '../words/bullet.ts'
import { fieldChangesPhrase, wholeFieldPhrase } from '../words/field-changes.ts'
import { shortPath } from '../words/field-path.ts'
import { impactBullets, impactPhrase } from '../words/impact-text.ts'
import { metadataPhrase } from '../words/metadata-text.ts'
import { joinPhrases, nameList, type Phrase, phrase, plainText } from '../words/phrase.ts'
import { untouchedText } from '../words/reason-text.ts'
import { isFolded } from '../words/table-lines.ts'
import { bulletList } from './bullet-lists.ts'
import { byteLength, code, details, fence, html, markdown } from './markdown.ts'
import { type ResourceDiff, resourceDiff } from './resource-diff.ts'

/** The folded diff of one resource, or of several that change alike, with what decides whether it is shown where space is short. */
export interface ChangeDetails {
  readonly rows: readonly Row[]
  readonly markdown: string
  readonly bytes: number
  /** Lower is riskier and shown first. */
  readonly rank: number
  /** Higher gives way first where space is short, whatever the rank. */
  readonly wordiness: number
  /** Lines of the diff that are left out because it is too long. */
  readonly omittedLines: number
}

export interface ChangeOptions {
  readonly verb: Verb
  /** Lines around each change. */
  readonly context: number
  /** Whether short diffs are open from the start; that of what failed always is. */
  readonly mayOpen: boolean
  /** Most lines of one diff. */
  readonly maxLines?: number
}

/** Diffs with at most this many lines are open: an image that changes, with what stands around it. */
const OPEN_UP_TO_LINES = 15
/** A new hook, what is marked, and what is said in words instead of lines. */
const OPEN_LINES_OF_RISK = 30
/** All open diffs together, but for images; beyond that nobody reads on. */
const OPEN_IN_ALL_LINES = 120

/**
 * Diffs of all rows that have one, the riskiest first, then what new and deleted objects hold; rows that change alike have
 * one together. On an install everything is new: the table says it all. What is noise only is counted, not shown.
 */
export function changeDetails(rows: readonly Row[], options: ChangeOptions): readonly ChangeDetails[] {
  if (rowOf(options.verb).isFirst === true) return []
  const risky = byAttention(rows.filter(hasDetails))
  // What changes is read first; what new and deleted objects hold is for those who want to know.
  const shown = [...risky.filter((row) => !comesLast(row)), ...risky.filter(comesLast)]
  // What is told once stands below the table, which has no row of what is left alone.
  const common = commonMetadata(rows.filter(({ leftAlone }) => leftAlone === undefined))
  const groups = [...Map.groupBy(shown, (row) => sameChangeKey(row) ?? row).values()].flatMap((members) => {
    const [row] = members
    if (row === undefined) return []
    const metadata = metadataBeside(row, common)
    const whole = diffOf(row, metadata, isSameObject(members) ? options.context : 0)
    return [{ members, row, metadata, whole }]
  })
  let linesLeft = OPEN_IN_ALL_LINES
  return [...Map.groupBy(groups, (group) => likeness(group) ?? group).values()].flatMap(([group, ...others]) => {
    if (group === undefined) return []
    const { members, metadata, row, whole } = group
    const alike = others.map((other) => other.row)
    const isImage = changesImage(row)
    // An image that changes is open in any case: with less around it, and without the rest, if need be.
    const diff = isImage && !isShort(whole) ? diffOf(row, metadata, 1) : whole
    const meaning = meaningOf(row, isShort(whole))
    // What is said in words is open with its words; the lines that they are about are folded below them.
    const isInWords = meaning.length > 0 && !isImage
    const amount = isInWords ? meaning.length : (diff?.lines.length ?? 0)
    const isOpenAsWhole = isReadAtOnce(row, amount, meaning.length > 0) && (isImage || amount <= linesLeft)
    const parts =
      isOpenAsWhole || isInWords ? undefined : partsOf(row, metadata, { context: options.context, linesLeft })
    const isFailed = [...members, ...alike].some(({ result }) => result === 'failed')
    if (isOpenAsWhole) linesLeft -= amount
    else if (!isImage && attentionPhrase(row).length === 0) linesLeft -= parts?.first.lines.length ?? 0
    const block = detailsOf(members, diff, {
      metadata,
      alike,
      isOpen: (isOpenAsWhole || parts !== undefined) && (options.mayOpen || isFailed),
      first: parts?.first.lines ?? [],
      rest: parts === undefined ? diff : parts.rest,
      meaning,
      isDiffFolded: parts !== undefined || isInWords,
      // Below what a row is marked for stands the rest of a change that is read in full.
      maxLines: (options.maxLines ?? Number.POSITIVE_INFINITY) * (parts === undefined ? 1 : 2),
    })
    return block === undefined
      ? []
      : [
          {
            rows: [...members, ...alike],
            ...block,
            bytes: byteLength(block.markdown),
            rank: attentionRank(row),
            wordiness: wordiness(row),
          },
        ]
  })
}

interface Group {
  readonly members: readonly Row[]
  readonly row: Row
  readonly metadata: Metadata
  readonly whole: ResourceDiff | undefined
}

const MASKED = /\(hidden\b|\*\*\*/

/** The same text for groups of which one diff tells all: the same lines change, in texts and items of other names. */
function likeness({ members, metadata, row, whole }: Group): string | undefined {
  const shape = members.length === 1 ? changeShape(row) : undefined
  if (shape === undefined || whole === undefined || whole.omitted > 0) return undefined
  if (attentionPhrase(row).length > 0 || meaningOf(row, true).length > 0) return undefined
  // What is masked may be anything.
  if (whole.changed.length === 0 || whole.changed.some((line) => MASKED.test(line))) return undefined
  const beside = metadata.beside.map((field) => [ownMetadataKey(field), field.before ?? null, field.after ?? null])
  return canonicalJson([shape, beside, whole.changed])
}

/**
 * What fits into `budgetBytes`: diffs of what changes, the riskiest first and of equal risk the smallest, then in the same way
 * bodies of new workloads and of other new objects, diffs of labels alone, and last what objects held that go. In the order given.
 */
export function fitting(all: readonly ChangeDetails[], budgetBytes: number): readonly ChangeDetails[] {
  // A body is compared with nothing: it gives way to each diff, as the table says already that it comes or goes.
  const inTurn = [...all].sort((a, b) => a.wordiness - b.wordiness || a.rank - b.rank || a.bytes - b.bytes)
  const chosen = new Set<ChangeDetails>()
  let left = budgetBytes
  for (const one of inTurn) {
    if (one.bytes + SEPARATOR_BYTES > left) continue
    left -= one.bytes + SEPARATOR_BYTES
    chosen.add(one)
  }
  return all.filter((one) => chosen.has(one))
}

const SEPARATOR_BYTES = 2

/** The other half of a renaming shows what the old object held; a hook that is as before has nothing to show. */
function hasDetails(row: Row): boolean {
  // Who says that nothing else is stored shows what is written otherwise.
  if (row.impact?.noise === 'spelling') return true
  if (row.change === 'none' || isFolded(row)) return false
  if (row.change === 'delete') return row.counterpart === undefined && row.otherKind === undefined
  return row.change !== 'hook' || row.before !== undefined || row.isNewHook
}

/** What new and deleted objects hold is for those who want to know; but a new hook runs code, and what is marked is read. */
function isReadAtOnce(row: Row, lines: number, isSaidInWords: boolean): boolean {
  // The table has the values of labels and annotations.
  if (row.after === undefined || isHarmlessChange(row) || changesOwnMetadataOnly(row.impact)) return false
  const isMarked = attentionPhrase(row).length > 0
  if (row.isNewHook || (isMarked && row.counterpart === undefined)) return lines <= OPEN_LINES_OF_RISK
  return lines <= (isSaidInWords ? OPEN_LINES_OF_RISK : OPEN_UP_TO_LINES) && row.before !== undefined
}

function isBody(row: Row): boolean {
  const isOneSided = row.before === undefined || row.after === undefined
  return isOneSided && !row.isNewHook && row.impact?.risk !== 'deleted' && attentionPhrase(row).length === 0
}

/** How much of the diff the table has said already: what goes, then labels alone, then what comes; pods that come run code. */
function wordiness(row: Row): number {
  if (row.after === undefined) return isBody(row) && !mayHoldData(row.ref) ? 5 : 4
  if (row.impact?.noise === 'spelling') return 3
  if (changesOwnMetadataOnly(row.impact) && attentionPhrase(row).length === 0) return 3
  if (!isBody(row)) return 0
  return podPlaceOf(row.ref) === undefined ? 2 : 1
}

/** But data that goes is looked at by its risk, and so is an object whose controller may delete data with it. */
function comesLast(row: Row): boolean {
  return isBody(row) && !(row.change === 'delete' && mayHoldData(row.ref))
}

/** Rights written otherwise, a certificate that is made anew, checksums and versions: the row says all there is to know. */
function isHarmlessChange({ impact }: Row): boolean {
  if (impact === undefined) return false
  const { access, fields, noise, restart } = impact
  if (noise === 'spelling') return true
  if (access !== undefined) {
    return (
      access.rules === 'same' && access.gained.length + access.lost.length === 0 && access.aggregation === undefined
    )
  }
  const others = fields.filter((field) => !isOwnMetadata(field)).map(({ path }) => path)
  if (others.length === 0) return false
  if (others.every((path) => /\bcaBundle$/.test(path))) return true
  const isByTools = restart?.because === 'checksum' || restart?.because === 'versions'
  return isByTools && others.every((path) => /\btemplate\.metadata\b/.test(path))
}

function isShort(diff: ResourceDiff | undefined): boolean {
  return (diff?.lines.length ?? 0) <= OPEN_UP_TO_LINES
}

function changesImage({ after, before, impact }: Row): boolean {
  if (before === undefined || after === undefined) return false
  return (impact?.fields ?? []).some(isImageField)
}

function isImageField({ path }: FieldChange): boolean {
  return /\bimage$/.test(path)
}

interface Parts {
  readonly first: ResourceDiff
  /** Absent where nothing else changes. */
  readonly rest: ResourceDiff | undefined
}

/**
 * The diff in two parts: what the row is marked for, and its images, with as many of the other fields as are read at once, the
 * one that matters most first; and all the rest. Undefined where there is no such field, or where it takes too many lines; of a
 * workload, which may change in much else that matters, only where nothing is left to be opened.
 */
function partsOf(
  row: Row,
  metadata: Metadata,
  { context, linesLeft }: { readonly context: number; readonly linesLeft: number },
): Parts | undefined {
  const { impact } = row
  const { after, before } = comparable(row, metadata)
  if (impact === undefined || before === undefined || after === undefined) return undefined
  const marked = attentionPhrase(row).length === 0 ? [] : markedFields(impact)
  const images = impact.fields.filter(isImageField)
  const halfWay = (fields: readonly FieldChange[]) => withFields({ before, after }, fields)
  // Without lines around it: they may change as well, and would look as if they did not.
  const firstOf = (fields: readonly FieldChange[]) => resourceDiff(before, halfWay(fields), 0)
  const fits = (fields: readonly FieldChange[], most: number) => (firstOf(fields)?.lines.length ?? 0) <= most
  const isWorkload = podPlaceOf(row.ref) !== undefined && isReviewed(row)
  const needed =
    [[...marked, ...images], marked, images].find((fields) => fields.length > 0 && fits(fields, MAX_FIRST_LINES)) ??
    (isWorkload ? [] : undefined)
  if (needed === undefined) return undefined
  const isMarked = marked.length > 0 || (isWorkload && attentionPhrase(row).length > 0)
  const most = isMarked ? FIRST_LINES_OF_RISK : images.length > 0 ? OPEN_UP_TO_LINES : Math.min(FIRST_LINES, linesLeft)
  const others = impact.fields.filter((field) => !needed.includes(field) && !isOwnMetadata(field))
  const units = [...Map.groupBy(others, unitOf).values()].slice(0, MAX_UNITS)
  const upTo = (amount: number) => [...needed, ...units.slice(0, amount).flat()]
  // In this order and no other: the first that has no room ends it.
  let [amount, tooMany] = [0, units.length + 1]
  while (tooMany - amount > 1) {
    const middle = Math.floor((amount + tooMany) / 2)
    if (fits(upTo(middle), most)) amount = middle
    else tooMany = middle
  }
  const told = upTo(amount)
  const first = told.length === 0 ? undefined : firstOf(told)
  return first === undefined ? undefined : { first, rest: resourceDiff(halfWay(told), after, context) }
}

/** With what stands first of a workload, and of one that is marked. */
const FIRST_LINES = 24
const FIRST_LINES_OF_RISK = 40
/** What takes more lines is no longer read before the rest. */
const MAX_FIRST_LINES = 60
/** Most parts that are added one by one: each step takes a comparison. */
const MAX_UNITS = 24

/** What stands together inside of a container is read together: `containers[app].env[TOKEN]`, `containers[app].resources`. */
function unitOf({ path }: FieldChange): string {
  return /\b(?:initC|c)ontainers\[[^[\]]*\]\.\w+(?:\[[^[\]]*\])?/.exec(path)?.[0] ?? path
}

/** Not one of which the row says all there is to know. */
function isReviewed(row: Row): boolean {
  return row.before !== undefined && !isHarmlessChange(row) && !changesOwnMetadataOnly(row.impact)
}

function isSameObject(rows: readonly Row[]): boolean {
  return new Set(rows.map(({ ref }) => formatRef(ref))).size === 1
}

function diffOf(row: Row, metadata: Metadata, context: number): ResourceDiff | undefined {
  const { after, before } = comparable(row, metadata)
  if (before === undefined && isCrdRow(row)) return undefined
  return resourceDiff(before, after, context)
}

/** Without what is told in words. */
function comparable(row: Row, metadata: Metadata): Shown {
  const keys = new Set([...metadata.once, ...metadata.beside].map(ownMetadataKey))
  const isAlone = row.before === undefined || row.after === undefined
  const without = (object: JsonObject | undefined) =>
    withoutOwnMetadata(object, (map, key) => keys.has(`${map} ${key}`) || (isAlone && isReleaseMark(map, key)))
  const [before, after] = [without(row.before), without(row.after)]
  // What of a CRD changes is said in words; only its metadata has lines.
  const shown = isCrdRow(row) ? [withoutSpec(before), withoutSpec(after)] : [before, after]
  return defined({ before: shown[0], after: shown[1] })
}

type Metadata = ReturnType<typeof metadataBeside>

interface DiffOptions {
  readonly metadata: Metadata
  /** Other objects in which the same lines change. */
  readonly alike: readonly Row[]
  readonly isOpen: boolean
  readonly maxLines: number
  /** Lines that stand before the rest, which is folded once more. */
  readonly first: readonly string[]
  readonly rest: ResourceDiff | undefined
  /** What the change means, as lines of a list. */
  readonly meaning: readonly string[]
  readonly isDiffFolded: boolean
}

interface Block {
  readonly markdown: string
  readonly omittedLines: number
}

function detailsOf(
  rows: readonly Row[],
  diff: ResourceDiff | undefined,
  { alike, first, isDiffFolded, isOpen, maxLines, meaning, metadata, rest }: DiffOptions,
): Block | undefined {
  const [row] = rows
  if (row === undefined) return undefined
  const { after, before } = row
  if (diff === undefined && meaning.length === 0) return undefined
  const { added, removed } = diff ?? { added: 0, removed: 0 }
  const isWhole = before === undefined || after === undefined
  const all = (rest?.lines ?? []).filter((line) => !isWhole || !line.startsWith('@@'))
  const shown = all.slice(0, maxLines)
  const omittedLines = (rest?.omitted ?? 0) + all.length - shown.length
  const more = omittedLines === 0 ? [] : [`@@ ${omittedLines} more lines @@`]
  const told = metadata.beside
  const blocks = [
    ...(meaning.length === 0 ? [] : [meaning.join('\n')]),
    ...(first.length === 0 ? [] : [fence(first, 'diff')]),
    ...(all.length === 0 ? [] : [restText([...shown, ...more], { isDiffFolded, isRest: first.length > 0 })]),
    ...(told.length === 0 ? [] : [`Besides: ${markdown(metadataPhrase(told))}.`]),
    ...respelledBlock(row),
    ...(isSameObject(rows) ? [] : [namesOf(rows)]),
    ...(alike.length === 0 ? [] : [`The same lines change in ${namesOf(alike)}.`]),
  ]
  const title = html(
    phrase`${titlePhrase(rows)}${[alike.length === 0 ? '' : ` and ${alike.length} alike`]}${[isCrdRow(row) ? '' : amountText(added, removed)]}${variesPhrase(row)}`,
  )
  return { markdown: details(title, blocks.join('\n\n'), { isOpen }), omittedLines }
}

/** Most fields of one object that are listed. */
const MAX_RESPELLED = 40

/** The diff is of what is stored: what is only written otherwise is not in it. */
function respelledBlock({ impact }: Row): readonly string[] {
  const fields = impact?.respelled ?? []
  if (fields.length === 0) return []
  const what = `${fields.length} more ${fields.length === 1 ? 'field' : 'fields'}, stored as before`
  const list = fields.map((field) => markdown(wholeFieldPhrase(field)))
  return [details(what, bulletList(list, MAX_RESPELLED))]
}

function namesOf(rows: readonly Row[]): string {
  return rows.map(({ ref }) => code(formatRef(ref))).join(', ')
}

function restText(
  lines: readonly string[],
  { isDiffFolded, isRest }: { readonly isDiffFolded: boolean; readonly isRest: boolean },
): string {
  const text = fence(lines, 'diff')
  return isDiffFolded ? details(isRest ? 'All other changes of the object' : 'The diff', text) : text
}

/** `Deployment/shop/web`, `Job/shop/certs on pre-upgrade and post-upgrade`, `8 objects: image 1.2 → 1.3`. */
function titlePhrase(rows: readonly Row[]): Phrase {
  const [row] = rows
  if (row === undefined) return []
  if (!isSameObject(rows)) {
    const why = row.leftAlone === undefined ? [] : phrase`, ${[untouchedText(row.leftAlone)]}`
    return phrase`${rows.length} objects: ${fieldChangesPhrase(row.impact?.fields ?? [])}${why}`
  }
  const name = phrase`${formatRef(row.ref)}`
  if (row.leftAlone !== undefined) {
    const events = row.hook === undefined ? [] : phrase` (${row.hook})`
    return phrase`${name}, ${[untouchedText(row.leftAlone)]}${events}`
  }
  if (row.impact?.noise === 'spelling') return phrase`${name}, as it is written`
  if (row.counterpart !== undefined) return phrase`${name} was ${row.counterpart.name}`
  if (row.otherKind !== undefined && row.before !== undefined && row.after !== undefined) {
    return phrase`${name} was ${`${row.otherKind.kind}/${row.otherKind.name}`}`
  }
  if (row.change === 'delete') return phrase`${name}, what it holds`
  const events = rows.length === 1 ? [] : phrase` on ${joinPhrases(rows.map(eventPhrase), ' and ')}`
  const isNew = row.before === undefined
  return phrase`${name}${[isNew ? (row.change === 'hook' ? ', new hook' : ', new') : '']}${events}`
}

/** ` (+2 -1)`; nothing where only a schema changes. */
function amountText(added: number, removed: number): string {
  const parts = [added === 0 ? '' : `+${added}`, removed === 0 ? '' : `-${removed}`].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`
}

function eventPhrase({ hook, stage }: Row): Phrase {
  return phrase`${hook ?? stage}`
}

function variesPhrase({ varies }: Row): Phrase {
  return varies.length === 0 ? [] : phrase`, non-deterministic: ${nameList(varies.map(shortPath))}`
}

/** Nothing where one line says what the row says already, and the diff is read at once; a CRD has nothing else to show. */
function meaningOf(row: Row, isDiffShort: boolean): readonly string[] {
  const { impact } = row
  if (impact === undefined) return []
  const bullets = impactBullets(impact)
  const [only] = bullets
  const isOneLine = bullets.length === 1 && only !== undefined && only.below.length === 0
  const isToldByDiff = !isCrdRow(row) && (isDiffShort || isHarmlessChange(row))
  if (isOneLine && isToldByDiff && plainText(impactPhrase(impact)).includes(plainText(only.text))) return []
  return bulletLines(bullets, markdown)
}

function mayHoldData(ref: Ref): boolean {
  const kind = builtInKind(ref)
  return kind === undefined || kind.isPrecious || ['ConfigMap', 'Secret'].includes(kind.kind)
}

function isCrdRow({ ref }: Row): boolean {
  return isBuiltIn(ref, 'CustomResourceDefinition')
}

function withoutSpec(crd: JsonObject | undefined): JsonObject | undefined {
  if (crd === undefined) return undefined
  const { spec: _spec, ...rest } = crd
  return rest
}
