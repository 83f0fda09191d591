/** The part of a name that gives way to another: of `shop-config` and `storefront-config`, `shop` and `storefront`. */
export interface NameChange {
  readonly from: string
  readonly to: string
}

/** What both have at their ends is no part of it; the whole names where else nothing would be left of one. */
export function nameChange(from: string, to: string): NameChange {
  const [old, now] = [partsOf(from), partsOf(to)]
  const most = Math.min(old.length, now.length) - 1
  let head = 0
  while (head < most && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const core = (parts: readonly string[]) => parts.slice(head, parts.length - tail).join('')
  const [gone, come] = [core(old), core(now)]
  const isWhole = [gone, come].every((text) => /^[^-._].*[^-._]$|^[^-._]$/.test(text))
  return isWhole ? { from: gone, to: come } : { from, to }
}

/** How many parts two names share, wherever they stand. */
export function sharedParts(a: string, b: string): number {
  const others = new Set(words(b))
  return new Set(words(a)).intersection(others).size
}

/** Longer names have no more parts than this that are looked at. */
const MAX_PARTS = 32

/** A text in which a name, or a part of it between borders, gives way to another: each way in which that may be. */
export function renamings(text: string, changes: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const parts = partsOf(text)
  if (parts.length > MAX_PARTS) return []
  const found: string[] = []
  // The longest part first: it says most.
  for (let length = parts.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= parts.length; start += 1) {
      const [head, tail] = [parts.slice(0, start).join(''), parts.slice(start + length).join('')]
      for (const to of changes.get(parts.slice(start, start + length).join('')) ?? []) found.push(`${head}${to}${tail}`)
    }
  }
  return found
}

/** Words and what stands between them: `shop-config` is `shop`, `-`, `config`. */
function partsOf(name: string): readonly string[] {
  return name.split(/([-._])/).filter((part) => part !== '')
}

function words(name: string): readonly string[] {
  return name.split(/[-._]/).filter((part) => part !== '')
}
