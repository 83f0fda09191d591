/** How many typos a name may have that is taken for another one. */
export const MAX_TYPOS = 2

/**
 * Letters that are wrong, missing, too many or swapped with their neighbour, as optimal string alignment counts them; one
 * more than `MAX_TYPOS` where the lengths alone say so. Complexity: product of lengths.
 */
export function typosBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_TYPOS) return MAX_TYPOS + 1
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
