/** Makes a switch over a closed set exhaustive: a new member breaks the build at each place that must know it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
