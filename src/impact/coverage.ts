/** A set of requests: those whose first part is in the first list, whose second part is in the second, and so on. */
export type Box = readonly (readonly string[])[]

/** For each part of a request: the values that stand for at least as much as this one, itself among them. */
export type Covering = readonly ((value: string) => readonly string[])[]

/** More single values than any real role or webhook lists. */
const MAX_CELLS = 10_000

export interface Differences {
  /** What only the second side has, in as few boxes as it takes; a wildcard may stand for what both have as well. */
  readonly gained: readonly Box[]
  readonly lost: readonly Box[]
}

/**
 * What the boxes of one side hold and those of the other do not; undefined where there is too much to compare. Exact:
 * names without number fit a wildcard, so no list of names ever covers one, and what is covered at all is covered by
 * one cell alone. Complexity: linear in the number of cells, which is bounded.
 */
export function boxDifferences(
  before: readonly Box[],
  after: readonly Box[],
  covering: Covering,
): Differences | undefined {
  const keys = keysBy(covering)
  const [old, now] = [cellsOf(before), cellsOf(after)]
  if (old === undefined || now === undefined) return undefined
  return { gained: folded(notCovered(now, old, keys)), lost: folded(notCovered(old, now, keys)) }
}

/** One value for each part. */
type Cell = readonly string[]
type Cells = ReadonlyMap<string, Cell>

/** Of a cell: its own key first, then those of all cells that hold it. */
type Keys = (cell: Cell) => readonly string[]

/** The values of a part come back in many cells: what covers each is found once. */
function keysBy(covering: Covering): Keys {
  const known = covering.map(() => new Map<string, readonly string[]>())
  const keysOfPart = (value: string, part: number): readonly string[] => {
    const found = known[part]?.get(value)
    if (found !== undefined) return found
    const keys = (covering[part]?.(value) ?? [value]).map(keyOf)
    known[part]?.set(value, keys)
    return keys
  }
  return (cell) =>
    cell.reduce<readonly string[]>(
      (starts, value, part) => {
        const ends = keysOfPart(value, part)
        return starts.flatMap((start) => ends.map((end) => start + end))
      },
      [''],
    )
}

function cellsOf(boxes: readonly Box[]): Cells | undefined {
  const cells = new Map<string, Cell>()
  let amount = 0
  for (const box of boxes) {
    amount += box.reduce((size, values) => size * values.length, 1)
    if (amount > MAX_CELLS) return undefined
    for (const cell of product(box)) cells.set(cell.map(keyOf).join(''), cell)
  }
  return cells
}

/** Of what is left, nothing that the rest covers already. */
function notCovered(cells: Cells, by: Cells, keys: Keys): readonly Cell[] {
  const left = new Map<string, readonly string[]>()
  for (const [key, cell] of cells) {
    const covers = by.has(key) ? [key] : keys(cell)
    if (!covers.some((one) => by.has(one))) left.set(key, covers)
  }
  return [...left].flatMap(([key, covers]) => {
    const cell = cells.get(key)
    return cell === undefined || covers.some((one) => one !== key && left.has(one)) ? [] : [cell]
  })
}

function product(lists: Box): readonly Cell[] {
  return lists.reduce<readonly Cell[]>(
    (cells, values) => cells.flatMap((cell) => values.map((value) => [...cell, value])),
    [[]],
  )
}

/** Cells that differ in one part only become one box, part by part from the first. */
function folded(cells: readonly Cell[]): readonly Box[] {
  const parts = cells[0]?.length ?? 0
  let boxes: readonly Box[] = cells.map((cell) => cell.map((value) => [value]))
  for (let part = 0; part < parts; part++) {
    const others = (box: Box) => JSON.stringify(box.map((values, index) => (index === part ? [] : values)))
    boxes = [...Map.groupBy(boxes, others).values()].flatMap((same) => {
      const [first] = same
      if (first === undefined) return []
      const values = [...new Set(same.flatMap((box) => box[part] ?? []))].sort()
      return [first.map((one, index) => (index === part ? values : one))]
    })
  }
  return boxes
}

/** With its length, so that keys of several parts are never mixed up. */
function keyOf(value: string): string {
  return `${value.length} ${value}`
}
