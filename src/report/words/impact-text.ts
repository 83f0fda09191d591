import type { FieldChange, Impact } from '../../model/impact.ts'
import { accessBullets, accessPhrase } from './access-text.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, type Phrase } from './phrase.ts'
import { restartPhrase } from './restart-text.ts'

/** What the change means, in one line; empty where the fields say it all. */
export function impactPhrase({ access, restart }: Impact): Phrase {
  return joinPhrases(
    [
      ...(restart === undefined ? [] : [restartPhrase(restart)]),
      ...(access === undefined ? [] : [accessPhrase(access)]),
    ],
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
