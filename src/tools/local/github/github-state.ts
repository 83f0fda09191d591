/** A comment as the double keeps it. */
export interface StoredComment {
  readonly id: number
  readonly issue: number
  body: string
  readonly user: Account
  /** Hidden by `minimizeComment`, with this reason. */
  minimized?: string
  editor?: Account
}

export interface Account {
  readonly login: string
  readonly type: 'Bot' | 'User'
}

/** A pull request; commits are full SHAs. */
export interface StoredPull {
  readonly number: number
  readonly headRef: string
  readonly headSha: string
  /** `owner/name`; null where it was deleted. */
  readonly headRepository: string | null
  readonly baseRef: string
  readonly baseSha: string
  readonly state: 'open' | 'closed'
  /** RFC 3339; null where it was not merged. */
  readonly mergedAt: string | null
  readonly mergeSha: string | null
  readonly author: string
  /** Commits of this repository that it brought, beside head and merge commit. */
  readonly commits: readonly string[]
  /** Where head and base part. */
  readonly mergeBase: string
}

export interface DoubleState {
  readonly login: string
  /** `owner/name` of the one repository. */
  readonly repository: string
  readonly comments: StoredComment[]
  readonly pulls: Map<number, StoredPull>
  /** By login: what the permission API says. */
  readonly roles: Map<string, { readonly permission: string; readonly role_name: string }>
  /** By commit: a `.tar.gz`. */
  readonly archives: Map<string, Uint8Array>
  nextId: number
}

/** The pull request that is there from the start; `src/tools/local/github/pull-request-event.ts` is its event. */
export const PULL_57: StoredPull = {
  number: 57,
  headRef: 'feature',
  headSha: 'def5678def5678def5678def5678def5678def56',
  headRepository: 'acme/shop',
  baseRef: 'main',
  baseSha: 'ba5e000ba5e000ba5e000ba5e000ba5e000ba5e0',
  state: 'open',
  mergedAt: null,
  mergeSha: 'abc1234abc1234abc1234abc1234abc1234abc12',
  author: 'ann',
  commits: [],
  mergeBase: 'ba5e000ba5e000ba5e000ba5e000ba5e000ba5e0',
}

export function newState(login: string): DoubleState {
  return {
    login,
    repository: 'acme/shop',
    comments: [],
    pulls: new Map([[57, PULL_57]]),
    roles: new Map(),
    archives: new Map(),
    nextId: 1_000,
  }
}
