import type { Problem } from '../model/problem.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Files } from '../ports.ts'
import { chartFault } from './chart-file.ts'
import { withHelmArgs } from './helm-args.ts'
import { type RawInputs, withDefaults } from './input-names.ts'
import { locatedRelease } from './located-release.ts'
import { type InputPorts, readReleases } from './releases.ts'

/**
 * The releases that the same inputs give with the files of the base, for rendering from there: `files` reads a copy of the
 * workspace as it was at the base wherever a path means the workspace. A chart or values file
 * that does not exist there yet is left out: it was not deployed. `problems`: everything that is wrong there.
 */
export async function readBaseReleases(
  read: RawInputs,
  ports: InputPorts,
): Promise<{ readonly releases: readonly ReleaseSpec[]; readonly problems: readonly Problem[] }> {
  const { releases, problems } = await readReleases(withHelmArgs(withDefaults(read)).raw, 'plan', ports)
  const there = await Promise.all(releases.map((spec) => isThere(spec, ports.files)))
  return {
    releases: releases.filter((_, index) => there[index]).map((spec) => locatedRelease(spec, ports.files)),
    problems,
  }
}

async function isThere({ release, source }: ReleaseSpec, files: Files): Promise<boolean> {
  switch (source.kind) {
    case 'chart':
      if (release === '') return false
      return source.origin !== undefined || (await chartFault(source.path, files)) === undefined
    case 'manifests':
      return true
    case 'record':
      return false
    default:
      return unreachable(source)
  }
}
