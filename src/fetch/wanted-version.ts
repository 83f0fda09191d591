import { messageOf } from '../model/errors.ts'
import type { ChartRules } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import { nearestVersions } from './nearest.ts'

/** What Helm takes for one version and not for a range: `1.2` is the version 1.2.0 to it. */
const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

export function isVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Whether two texts name one version: with or without `v`, zeros that are left out, and what was built. */
export function isSameVersion(a: string, b: string): boolean {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)]
  if (left === null || right === null) return a === b
  const isSame = [1, 2, 3].every((part) => Number(left[part] ?? 0) === Number(right[part] ?? 0)) && left[4] === right[4]
  return isSame && (left[5] === undefined || right[5] === undefined || left[5] === right[5])
}

export interface Choice {
  readonly rules: ChartRules
  readonly versions: readonly string[]
  /** Empty: the newest. */
  readonly wanted: string
  readonly from: Parameters<ChartRules['choose']>[0]['from']
  /** What has these versions: `chart shop of https://charts.example`. */
  readonly what: string
}

/** Index of the version that Helm takes. */
export async function chooseVersion({ rules, versions, wanted, from, what }: Choice): Promise<number> {
  // A tag has no `+`, and need not be a version: signatures have tags as well.
  const named = versions.map((text) => (from === 'tags' ? text.replaceAll('_', '+') : text)).filter(isVersion)
  const chosen = await rules.choose({ versions, wanted, from }).catch((error: unknown) => {
    const hint = { kind: 'choose-version', versions: nearestVersions(named, '') } as const
    throw fetchFailure(
      `${what}: "${shown(wanted)}" is neither a version nor a range of versions (${messageOf(error)})`,
      hint,
      error,
    )
  })
  if (chosen !== undefined) return chosen
  throw fetchFailure(
    `${what} has no ${wanted === '' ? 'version to take by itself, but pre-releases at most' : `version ${shown(wanted)}`}`,
    { kind: 'choose-version', versions: nearestVersions(named, wanted) },
  )
}

/** Foreign text in a message. */
export function shown(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}...` : text
}
