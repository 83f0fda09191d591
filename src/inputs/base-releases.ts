import type { Problem } from '../model/problem.ts'
import type { ReleaseSpec, ValuesInput } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Files, Renderer } from '../ports.ts'
import { chartFault } from './chart-file.ts'
import { type RawInputs, trimmed } from './input-names.ts'
import { readReleases } from './releases.ts'
import { withFilePaths } from './set-file.ts'

/** A copy of the workspace as it was at the base. */
export interface BaseFiles {
  /** Reads the copy wherever a path means the workspace. */
  readonly files: Files
  /** The absolute path in the copy for a path of the inputs. */
  locate(path: string): string
}

/**
 * The releases that the same inputs give with the files of the base, for rendering from there. A chart or values file
 * that does not exist there yet is left out: it was not deployed. `problems`: everything that is wrong there.
 */
export async function readBaseReleases(
  read: RawInputs,
  { files, locate }: BaseFiles,
  renderer: Renderer,
): Promise<{ readonly releases: readonly ReleaseSpec[]; readonly problems: readonly Problem[] }> {
  const { releases, problems } = await readReleases(trimmed(read), 'plan', { files, renderer })
  const there = await Promise.all(releases.map((spec) => isThere(spec, files)))
  return { releases: releases.filter((_, index) => there[index]).map((spec) => located(spec, locate)), problems }
}

async function isThere({ release, source }: ReleaseSpec, files: Files): Promise<boolean> {
  switch (source.kind) {
    case 'chart':
      return release !== '' && (await chartFault(source.path, files)) === undefined
    case 'manifests':
      return true
    case 'record':
      return false
    default:
      return unreachable(source)
  }
}

function located(spec: ReleaseSpec, locate: BaseFiles['locate']): ReleaseSpec {
  const { source } = spec
  if (source.kind !== 'chart') return spec
  const values: ValuesInput = {
    ...source.values,
    setFile: source.values.setFile.map((text) => withFilePaths(text, locate)),
  }
  return { ...spec, source: { ...source, path: locate(source.path), values } }
}
