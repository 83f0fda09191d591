/** What to do next about something that could not be fetched. */
export type FetchHint =
  | { readonly kind: PlainFetchHint }
  /** The versions nearest to what was asked for, the newest first. */
  | { readonly kind: 'choose-version'; readonly versions: readonly string[] }
  /** The names nearest to what was asked for. */
  | { readonly kind: 'choose-chart-name'; readonly names: readonly string[] }
  /** Of `host`. */
  | { readonly kind: 'log-in' | 'trust-authority' | 'allow-plain-http'; readonly host: string }

/** Hints that need no data. */
export type PlainFetchHint =
  /** The credentials are good, but not for this. */
  | 'ask-for-access'
  | 'check-address'
  /** It is not there, or only for those who are logged in: some servers tell nobody else. */
  | 'check-address-and-login'
  | 'wait-for-rate-limit'
  | 'try-again'
  | 'check-network'
  /** What came is no chart. */
  | 'give-chart-address'
  /** What came is no index. */
  | 'give-repository-address'
  /** Too many versions to look for one in a range. */
  | 'write-exact-version'
  | 'ask-chart-owner'
  /** Runs for forks and by Dependabot have no secrets. */
  | 'secrets-not-for-forks'
  | 'update-lock'
  | 'write-dependency-repository'
  /** Of one with `file://`. */
  | 'correct-dependency-path'
  | 'move-dependency-inside'
  /** Charts that need each other, or too many of them. */
  | 'untangle-dependencies'
  | 'add-helm-repository'
  | 'write-keyring'
  | 'sign-chart'
  /** A file with logins or authorities is broken. */
  | 'correct-login-file'
  | 'mend-credential-helper'
