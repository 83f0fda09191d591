/** Most that a hint names. */
const MAX_NAMED = 5
/** Longer names are compared by their beginning: a name of Helm has at most 250 characters. */
const MAX_COMPARED_CHARS = 100

/** Those of the versions that share most with what was asked for, the newest first. */
export function nearestVersions(versions: readonly string[], wanted: string): readonly string[] {
  const asked = (/\d+(?:\.\d+){0,2}/.exec(wanted)?.[0] ?? '').split('.').filter((part) => part !== '')
  const shared = (version: string) => {
    const parts = numbersOf(version).map(String)
    const differing = asked.findIndex((part, index) => parts[index] !== part)
    return differing === -1 ? asked.length : differing
  }
  const most = versions.reduce((found, version) => Math.max(found, shared(version)), 0)
  return [...new Set(versions.filter((version) => shared(version) === most))].sort(newestFirst).slice(0, MAX_NAMED)
}

/** Those of the names that look like what was asked for, the likest first; all of them where there are few. */
export function nearestNames(names: readonly string[], wanted: string): readonly string[] {
  const judged = names.map((name) => ({ name, distance: distanceOf(name, wanted) }))
  const near = judged.filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
  const chosen = near.length > 0 || names.length > MAX_NAMED ? near : judged
  return chosen
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMED)
    .map(({ name }) => name)
}

/** For display only: what Helm takes is decided by its own code. */
function newestFirst(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let index = 0; index < 3; index += 1) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0)
    if (difference !== 0) return difference
  }
  const isPreRelease = (version: string) => (version.includes('-') ? 1 : 0)
  return isPreRelease(a) - isPreRelease(b) || (a < b ? 1 : -1)
}

function numbersOf(version: string): readonly number[] {
  return (/^v?\d+(?:\.\d+){0,2}/.exec(version)?.[0] ?? '').replace('v', '').split('.').map(Number)
}

/** How many characters must be put in, taken out or changed; 1 where one name holds the other. */
function distanceOf(a: string, b: string): number {
  const [left, right] = [a.slice(0, MAX_COMPARED_CHARS), b.slice(0, MAX_COMPARED_CHARS)]
  if (left === right) return 0
  if (right.length > 2 && (left.includes(right) || right.includes(left))) return 1
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 0; i < left.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < right.length; j += 1) {
      const changed = (row[j] ?? 0) + (left[i] === right[j] ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
