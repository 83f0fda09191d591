import { versionJump } from '../../manifest/version-jump.ts'
import type { ImageChange } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { type Phrase, phrase } from './phrase.ts'

/** `1.8.0 → 2.0.0 (⚠️ major)`; the version alone where it stays or nothing was before. */
export function versionPhrase(before: string | undefined, now: string): Phrase {
  if (before === undefined || before === now) return phrase`${now}`
  return phrase`${before} → ${now}${[jumpText(versionJump(before, now))]}`
}

/** Behind a version that changes. */
export function jumpText(jump: ImageChange['jump']): string {
  switch (jump) {
    case undefined:
      return ''
    case 'major':
      return ' (⚠️ major)'
    case 'major-downgrade':
      return ' (⚠️ major downgrade)'
    default:
      return unreachable(jump)
  }
}
