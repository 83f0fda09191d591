import { RenderError } from '../../src/model/errors.ts'
import type { ChartRequirements, ChartRules } from '../../src/ports.ts'

export interface GivenRules {
  /** Answers one after the other, the last one for ever. */
  readonly requirements?: readonly (readonly ChartRequirements[])[]
  /** Why no chart can be loaded. */
  readonly unloadable?: string
  /** What the signature of an archive must be, and who that is. */
  readonly signatures?: Readonly<Record<string, string>>
}

/** Rules of a few words: versions, `^1.2`, `~1.2`, `>=1.2` and `*`, without pre-releases. What Helm does is tested with its code. */
export function fakeChartRules({ requirements = [[]], signatures = {}, unloadable }: GivenRules = {}) {
  const verified: { readonly archivePath: string; readonly keyringPath: string }[] = []
  let asked = 0
  const rules: ChartRules = {
    choose: async ({ versions, wanted, from }) => {
      const fits = rangeOf(wanted === '' ? '*' : wanted)
      const [best] = versions
        .map((text, index) => ({ index, parts: partsOf(from === 'tags' ? text.replace('_', '+') : text) }))
        .filter(({ parts }) => parts !== undefined && fits(parts))
        .sort((a, b) => compared(b.parts ?? [], a.parts ?? []))
      return best?.index
    },
    requirements: async () => {
      asked += 1
      return requirements[Math.min(asked, requirements.length) - 1] ?? []
    },
    assertLoadable: async () => {
      if (unloadable !== undefined) throw new RenderError({ message: unloadable })
    },
    verify: async ({ archivePath, provenance, keyringPath }) => {
      verified.push({ archivePath, keyringPath })
      const signedBy = signatures[provenance]
      if (signedBy === undefined) throw new RenderError({ message: 'it is signed by nobody of the keyring' })
      return { signedBy }
    },
  }
  return { ...rules, verified }
}

type Parts = readonly number[]

function partsOf(version: string): Parts | undefined {
  return /^v?\d+\.\d+\.\d+(?:\+[\w.]+)?$/.test(version)
    ? version
        .replace(/^v|\+.*$/g, '')
        .split('.')
        .map(Number)
    : undefined
}

function rangeOf(wanted: string): (parts: Parts) => boolean {
  const [, sign = '', digits = ''] = /^(\^|~|>=|)v?(\d+(?:\.\d+){0,2})(?:\+\w+)?$/.exec(wanted) ?? []
  if (wanted === '*') return () => true
  if (digits === '') throw new RenderError({ message: `improper constraint: ${wanted}` })
  const asked = digits.split('.').map(Number)
  return (parts) => {
    const isNewer =
      compared(
        parts,
        [0, 1, 2].map((index) => asked[index] ?? 0),
      ) >= 0
    if (sign === '>=') return isNewer
    if (sign === '')
      return (
        compared(
          parts,
          [0, 1, 2].map((index) => asked[index] ?? 0),
        ) === 0
      )
    const same = sign === '^' ? 1 : Math.min(2, asked.length)
    return isNewer && asked.slice(0, same).every((part, index) => parts[index] === part)
  }
}

function compared(a: Parts, b: Parts): number {
  return [0, 1, 2].map((index) => (a[index] ?? 0) - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}
