import type { PassResult } from '../../model/pass.ts'

/** How many releases the passes are about: a deploy, its tests and its rollback are passes of one. */
export function releaseCount(passes: readonly PassResult[]): number {
  return firstOfEach(passes).length
}

/** The first pass of each release: the one that was planned and approved; what follows from it comes later. */
export function firstOfEach(passes: readonly PassResult[]): readonly PassResult[] {
  const first = new Map<string, PassResult>()
  for (const pass of passes) {
    const key = `${pass.namespace}/${pass.release}`
    if (!first.has(key)) first.set(key, pass)
  }
  return [...first.values()]
}
