import type { ReleaseSpec, ValuesInput } from '../model/release.ts'
import type { Files } from '../ports.ts'
import { withFilePaths } from './set-file.ts'

/** The engine opens charts and files by itself, wherever the process was started: it gets absolute paths. */
export function locatedRelease(spec: ReleaseSpec, files: Files): ReleaseSpec {
  const { source } = spec
  if (source.kind !== 'chart') return spec
  const path = source.origin === undefined ? files.locate(source.path) : source.path
  return { ...spec, source: { ...source, path, values: locatedValues(source.values, files) } }
}

export function locatedValues(values: ValuesInput, { locate }: Files): ValuesInput {
  return { ...values, setFile: values.setFile.map((text) => withFilePaths(text, locate)) }
}
