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
  const [old, now] = [cellsOf(before), cellsOf(after)]
  if (old === undefined || now === undefined) return undefined
  return { gained: folded(notCovered(now, old, covering)), lost: folded(notCovered(old, now, covering)) }
}

/** One value for each part. */
type Cell = readonly string[]
type Cells = ReadonlyMap<string, Cell>

function cellsOf(boxes: readonly Box[]): Cells | undefined {
  const cells = new Map<string, Cell>()
  let amount = 0
  for (const box of boxes) {
    amount += box.reduce((product, values) => product * values.length, 1)
    if (amount > MAX_CELLS) return undefined
    for (const cell of product(box)) cells.set(keyOf(cell), cell)
  }
  return cells
}

/** Of what is left, nothing that the rest covers already. */
function notCovered(cells: Cells, by: Cells, covering: Covering): readonly Cell[] {
  const left = new Map([...cells].filter(([, cell]) => !hasCover(cell, by, covering)))
  return [...left.values()].filter((cell) =>
    coversOf(cell, covering).every((one, index) => index === 0 || !left.has(one)),
  )
}

function hasCover(cell: Cell, cells: Cells, covering: Covering): boolean {
  return coversOf(cell, covering).some((key) => cells.has(key))
}

/** Keys of all cells that hold this one; its own comes first. */
function coversOf(cell: Cell, covering: Covering): readonly string[] {
  return product(cell.map((value, part) => covering[part]?.(value) ?? [value])).map(keyOf)
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

function keyOf(cell: Cell): string {
  return JSON.stringify(cell)
}
