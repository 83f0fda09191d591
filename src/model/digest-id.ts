/** Ids in a fingerprint of what is no operation, but what an approval covers. */

/** Begins the ids of changed hooks of other events, which are recorded but are no operations. */
export const CHANGED_HOOK = 'hook/record/'

/** Begins the ids of hooks that are not recorded any more. */
export const GONE_HOOK = `${CHANGED_HOOK}gone/`

/** Hooks that would run do not: whoever approves the one has not approved the other. */
export const HOOKS_OFF = `${CHANGED_HOOK}off`

/** What an uninstall does to the record. */
export const RECORD_END = 'record'

/** Begins the ids of inputs that let a deploy do more than its operations say. One that is left out later is no difference. */
export const INPUT = 'input/'

/** Begins the ids of charts that were fetched: their digests count beside what they render to. */
export const FETCHED = 'fetched/'

/** Whether it is one of these. */
export function isNoOperation(id: string): boolean {
  return id === RECORD_END || id.startsWith(CHANGED_HOOK) || id.startsWith(INPUT) || id.startsWith(FETCHED)
}
