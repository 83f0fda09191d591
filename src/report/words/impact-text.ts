import type { FieldChange, Impact } from '../../model/impact.ts'
import { accessBullets, accessPhrase } from './access-text.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, type Phrase } from './phrase.ts'
import { evictionsText, restartPhrase, scalePhrase } from './restart-text.ts'

/** What the change means, in one line; empty where the fields say it all. */
export function impactPhrase({ access, evictions, restart, scale }: Impact): Phrase {
  const parts = [
    restart === undefined ? [] : restartPhrase(restart),
    scale === undefined ? [] : scalePhrase(scale),
    evictions === undefined ? [] : [evictionsText(evictions)],
    access === undefined ? [] : accessPhrase(access),
  ]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

/** The same at length, where one line says too little. */
export function impactBullets({ access }: Impact): readonly Bullet[] {
  return access === undefined ? [] : accessBullets(access)
}

/** Fields that `impactPhrase` does not speak of. */
export function unspokenFields({ access, fields }: Impact): readonly FieldChange[] {
  return access === undefined
    ? fields
    : fields.filter(({ path }) => !/^(rules|subjects|roleRef|aggregationRule)\b/.test(path))
}
