/** Cells that fail today, and why. One that passes in all its seeds fails the suite until it is taken from here. */
export const knownFailures: ReadonlyMap<string, string> = new Map([])
