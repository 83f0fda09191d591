/** Makes a switch over a union exhaustive: a new member does not compile until each such switch handles it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
