import type { Dialect } from './dialect.ts'
import { helm } from './helm.ts'
import { helm2 } from './helm2.ts'
import { kots } from './kots.ts'
import { werf } from './werf.ts'

/** In order of precedence (docs/decisions/0021). */
export const dialects: readonly Dialect[] = [werf, kots, helm, helm2]

/** Keys whose value may be a bare boolean; Kubernetes takes strings only. */
export const booleanKeys: ReadonlySet<string> = new Set(
  dialects.flatMap(({ rows }) => rows.filter(({ mayBeBoolean }) => mayBeBoolean === true).map(({ key }) => key)),
)
