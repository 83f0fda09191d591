import { readInputs } from '../../src/inputs/inputs.ts'
import type { ChartSources, Decrypter, Renderer } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { fakeFiles } from '../doubles/fake-files.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { fakeSources } from '../doubles/fake-sources.ts'
import { defaults, type Inputs } from './defaults.ts'

export type { Inputs }

/** Reads inputs in a workspace of texts by path. */
export async function readGiven(
  inputs: Inputs,
  texts: Readonly<Record<string, string>>,
  {
    renderer,
    sources,
    decrypter,
  }: { readonly renderer?: Renderer; readonly sources?: ChartSources; readonly decrypter?: Decrypter } = {},
) {
  return readInputs((name) => ({ ...defaults, ...inputs })[name] ?? '', {
    files: fakeFiles(texts),
    renderer: renderer ?? fakeRenderer(),
    openSources: () => sources ?? fakeSources(),
    ...(decrypter && { decrypter }),
  })
}

/** `web in shop (weight 1): chart charts/web`, one line per release, in the order of the command. */
export async function releasesOf(inputs: Inputs, texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { settings, problems } = await readGiven(inputs, texts)
  if (settings === undefined)
    return problems.map(({ place, what }) => `${place.input === undefined ? '' : `input ${place.input}: `}${what}`)
  return settings.releases.map(({ release, namespace, weight, source }) => {
    const place = namespace === undefined ? '' : ` in ${namespace}`
    const what =
      source.kind === 'chart'
        ? `chart ${source.path.replace('/workspace/', '')}`
        : source.kind === 'manifests'
          ? `manifests ${source.documents.map(({ object }) => `${object.kind}/${object.metadata.name}`).join(' ')}`
          : 'record'
    return `${release}${place} (weight ${weight}): ${what}`
  })
}

/** `what: hint`, one line per problem; warnings are marked. */
export async function problemsOf(inputs: Inputs, texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { problems } = await readGiven(inputs, texts)
  return problems.map(
    ({ place, severity, what, hint }) =>
      `${severity === 'warning' ? 'warning: ' : ''}${place.input === undefined ? '' : `input ${place.input}: `}${what}: ${hint && hintText(hint)}`,
  )
}
