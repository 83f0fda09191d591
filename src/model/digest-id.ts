/** Ids in a fingerprint of what is no operation, but what an approval covers. */

/** Begins the ids of changed hooks of other events, which are recorded but are no operations. */
export const CHANGED_HOOK = 'hook/record/'

/** Hooks that would run do not: whoever approves the one has not approved the other. */
export const HOOKS_OFF = `${CHANGED_HOOK}off`

/** What an uninstall does to the record. */
export const RECORD_END = 'record'

/** Whether it is one of these. */
export function isNoOperation(id: string): boolean {
  return id === RECORD_END || id.startsWith(CHANGED_HOOK)
}
