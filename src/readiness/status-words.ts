/** What a word that a controller writes (a phase, a state, a reason) says about its object. */
export type Meaning = 'ready' | 'failed' | 'progressing' | 'unknown'

/**
 * What a phase or state means. Only whole values mean ready; any word of the value may mean failed or progressing:
 * `UpdateFailed`, `InvalidConfiguration`, `ApplyingChanges`.
 * Source of the values: docs/sources.md#kubedog-generic-tracker.
 */
export function meaningOf(value: string): Meaning {
  const words = splitWords(value)
  const text = words.join(' ')
  if (READY.has(text)) return 'ready'
  if (saysFailure(words)) return 'failed'
  if (
    words[0] === 'not' ||
    words.some(
      (word) => PROGRESSING.has(word) || (word.length > MIN_ING_CHARS && word.endsWith('ing') && !READY.has(word)),
    )
  )
    return 'progressing'
  return 'unknown'
}

/** Whether the reason of a condition (`ErrRegisterACMEAccount`, `DependencyNotFound`) names an error. */
export function namesError(reason: string | undefined): boolean {
  return reason !== undefined && saysFailure(splitWords(reason))
}

/** `ErrRegisterACMEAccount`, `no-pods-found`, `Failing over` as lower-case words. */
export function splitWords(value: string): readonly string[] {
  return value
    .slice(0, MAX_WORD_CHARS)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** `Applying`, `Queueing`, but not `ring`, in characters. */
const MIN_ING_CHARS = 4

/** Characters that are read of a value: longer ones are prose, not a phase. */
const MAX_WORD_CHARS = 200

function saysFailure(words: readonly string[]): boolean {
  const text = words.join(' ')
  if (NO_FAILURE.test(text)) return false
  return words.some((word) => FAILURE.has(word)) || FAILURE_PHRASE.test(text)
}

const READY: ReadonlySet<string> = new Set([
  'accepted',
  'active',
  'applied',
  'approved',
  'attached',
  'available',
  'bound',
  'complete',
  'completed',
  'configured',
  'connected',
  'deployed',
  'done',
  'enabled',
  'established',
  'finalized',
  'finished',
  'green',
  'healthy',
  'initialized',
  'installed',
  'live',
  'ok',
  'online',
  'operational',
  'provisioned',
  'ready',
  'running',
  'stable',
  'started',
  'succeeded',
  'success',
  'successful',
  'synced',
  'up',
  'valid',
])

const PROGRESSING: ReadonlySet<string> = new Set([
  'inprogress',
  'pending',
  'progress',
  'queued',
  'retry',
  'red',
  'unknown',
  'yellow',
])

const FAILURE: ReadonlySet<string> = new Set([
  'abort',
  'aborted',
  'broken',
  'corrupted',
  'crashed',
  'degraded',
  'denied',
  'err',
  'error',
  'errored',
  'errors',
  'exceeded',
  'fail',
  'failed',
  'failure',
  'failures',
  'fatal',
  'forbidden',
  'incompatible',
  'invalid',
  'misconfigured',
  'mismatch',
  'missing',
  'refused',
  'rejected',
  'rejection',
  'timedout',
  'terminated',
  'unauthorized',
  'unhealthy',
  'unrecoverable',
  'unsupported',
])

/** Two words together: `DependencyNotFound`, `NoPodsFound`, `RolesMaxLimitReached`, `PolicyNotAllowed`. */
const FAILURE_PHRASE =
  /\bnot (found|allowed|supported|permitted|valid)\b|\bno( \w+){0,8} found\b|\blimit reached\b|\btimed out\b/

/** `NoErrors`, `WithoutFailures`. */
const NO_FAILURE = /\b(no|without|zero) (err|error|errors|failure|failures)\b/
