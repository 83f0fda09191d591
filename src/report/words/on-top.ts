import { formatRef } from '../../model/ref.ts'
import { byRisk, PRECIOUS_KINDS } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { attentionOf } from './attention-text.ts'
import { type Phrase, plainText } from './phrase.ts'

/** Most lines of one part; one more is shown in the place of its count. */
const MAX_POINTS = 15
/** Most objects of one line. */
const MAX_NAMES = 8

/** A part of the box on top of a plan. */
export interface TopPart {
  readonly title: string
  /** Objects, those that are not named as well. */
  readonly amount: number
  readonly points: readonly TopPoint[]
  /** Objects of points that are left out. */
  readonly left: number
}

/** What is said of one object, or of several alike. */
export interface TopPoint {
  /** Of those that are named. */
  readonly names: readonly string[]
  readonly more: number
  /** Empty where the title says it all. */
  readonly text: Phrase
  /** Rows of those that are named, and which of their marks the text says. */
  readonly rows: readonly Row[]
  readonly said: ReadonlySet<string>
}

/** What cannot be taken back, then what else is marked: each object in one part, the riskiest first. */
export function partsOnTop(rows: readonly Row[]): readonly TopPart[] {
  const deleted = rows.filter((row) => row.change === 'delete' && PRECIOUS_KINDS.has(row.ref.kind))
  const recreated = rows.filter((row) => row.change === 'recreate')
  const final = [...partOf(deleted, 'to be deleted permanently'), ...partOf(recreated, 'to be deleted and recreated')]
  const others = rows.filter((row) => !deleted.includes(row) && !recreated.includes(row))
  const marked = others.filter((row) => attentionOf(row).text.length > 0)
  return [...final, ...partOf(marked, final.length === 0 ? 'to look at' : 'more to look at')]
}

/** The marks of each row that the box on top says, so that the row need not repeat them. */
export function saidOnTop(rows: readonly Row[]): ReadonlyMap<Row, ReadonlySet<string>> {
  const points = partsOnTop(rows).flatMap((part) => part.points)
  return new Map(points.flatMap((point) => point.rows.map((row) => [row, point.said] as const)))
}

function partOf(rows: readonly Row[], title: string): readonly TopPart[] {
  if (rows.length === 0) return []
  const told = byRisk(rows).map((row) => ({ row, name: formatRef(row.ref), ...attentionOf(row) }))
  const points = [...Map.groupBy(told, ({ text }) => plainText(text)).values()].map((alike): TopPoint => {
    const names = [...new Set(alike.map(({ name }) => name))]
    const shown = firstOf(names, MAX_NAMES)
    return {
      names: shown,
      more: names.length - shown.length,
      text: alike[0]?.text ?? [],
      rows: alike.filter(({ name }) => shown.includes(name)).map(({ row }) => row),
      said: alike[0]?.said ?? new Set(),
    }
  })
  const shown = firstOf(points, MAX_POINTS)
  const amountOf = (some: readonly TopPoint[]) => some.reduce((sum, { more, names }) => sum + names.length + more, 0)
  return [{ title, amount: amountOf(points), points: shown, left: amountOf(points.slice(shown.length)) }]
}

/** The first ones, or all where but one would be left. */
function firstOf<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most + 1 ? all : all.slice(0, most)
}
