/**
 * Whether two versions, of a chart or in the tag of an image, differ in their major part: `16.4` and `17.0-alpine`, `v1` and
 * `v2`. Undefined where they do not, and for what is no such version: hashes, build numbers, and years (`2025.1`, `24.04`),
 * which say nothing of what breaks (docs/decisions/0038).
 */
export function versionJump(before: string, after: string): 'major' | 'major-downgrade' | undefined {
  const [old, now] = [majorOf(before), majorOf(after)]
  if (old === undefined || now === undefined || old === now) return undefined
  return now > old ? 'major' : 'major-downgrade'
}

/** `v1.2.3-alpine`; a lone number only with up to two digits, as `16` or `16-alpine`. */
const VERSION = /^v?(?:(\d{1,3})\.(\d{1,9})(?:\.\d{1,9})?|(\d{1,2}))(?:[-+_.][\w.+-]{0,200})?$/i

function majorOf(version: string): number | undefined {
  const [, withMinor, minor, alone] = VERSION.exec(version) ?? []
  // Months have a leading zero, minor versions have none.
  if (minor !== undefined && /^0\d/.test(minor)) return undefined
  const major = withMinor ?? alone
  return major === undefined ? undefined : Number(major)
}
