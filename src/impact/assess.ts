import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { pointerOf } from '../manifest/json-pointer.ts'
import { defined } from '../model/defined.ts'
import type { Access, FieldChange, Impact, Restart, Risk } from '../model/impact.ts'
import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { fieldImportance } from './field-order.ts'
import { type FieldDifference, fieldDifferences, pointerTo } from './fields.ts'
import { noiseOf } from './noise.ts'
import type { Releases } from './release-objects.ts'
import { restartOf } from './restart.ts'
import { accessOf, hasGains } from './role-access.ts'

/** One object before and after; either is absent where there is none. */
export interface Pair {
  readonly before?: JsonObject
  readonly after?: JsonObject
}

export interface ImpactInput {
  readonly ref: Ref
  /** `run`: a hook that runs, compared with the hook of the revision before. */
  readonly change: 'create' | 'update' | 'recreate' | 'delete' | 'run'
  /** As they are: may hold secret values. */
  readonly real: Pair
  /** The same, with every secret value masked: texts are taken from here. */
  readonly shown: Pair
  /** Somebody else changed fields of the object: that is never noise. */
  readonly isDrifted: boolean
  readonly releases: Releases
}

/** What the change means. Complexity: linear in the size of the object. */
export function impactOf(input: ImpactInput): Impact {
  const { change, isDrifted, ref, releases, shown } = input
  const before = input.real.before === undefined ? undefined : withoutBookkeeping(input.real.before)
  const after = input.real.after === undefined ? undefined : withoutBookkeeping(input.real.after)
  const differences = before === undefined || after === undefined ? [] : fieldDifferences(before, after)
  const isUpdate = change === 'update' || change === 'run'
  const noise = isUpdate && !isDrifted ? noiseOf(differences) : undefined
  const restart =
    change === 'update' && after !== undefined ? restartOf(ref, after, differences, releases.after.budgets) : undefined
  // A hook that merely runs gives what it gave before.
  const isFirstRun = change === 'run' && before === undefined
  const access = isFirstRun ? undefined : accessOf(ref, { before, after }, releases)
  return {
    risk: riskOf(change, restart, access),
    fields: differences
      .map((difference) => fieldChange(difference, shown))
      .toSorted((a, b) => fieldImportance(a.path) - fieldImportance(b.path)),
    ...defined({ noise, restart, access: access === undefined || isShown(input) ? access : undefined }),
  }
}

/** What is masked is not told in words either. */
function isShown({ real, shown }: ImpactInput): boolean {
  return (['before', 'after'] as const).every(
    (side) =>
      canonicalJson(withoutBookkeeping(real[side] ?? {})) === canonicalJson(withoutBookkeeping(shown[side] ?? {})),
  )
}

function riskOf(change: ImpactInput['change'], restart: Restart | undefined, access: Access | undefined): Risk {
  if (change === 'delete') return 'deleted'
  if (change === 'recreate') return 'recreated'
  if (access !== undefined && hasGains(access)) return 'access'
  if (restart !== undefined && restart.how !== 'on-delete') return 'restart'
  return change === 'create' ? 'new' : 'other'
}

/** Longer texts are to be read in the objects themselves. */
const MAX_TEXT_CHARS = 200

function fieldChange(difference: FieldDifference, shown: Pair): FieldChange {
  const { itemsAdded, itemsRemoved, kind, path, stepsAfter, stepsBefore } = difference
  const [pointer, old] = [pointerTo(difference), pointerOf(stepsBefore)]
  const isScalar = kind === 'added' || kind === 'removed' || kind === 'changed'
  return {
    path,
    pointer,
    ...(pointer === old ? {} : { pointerBefore: old }),
    kind,
    ...defined({
      before: isScalar && kind !== 'added' ? shortText(at(shown.before, ...stepsBefore)) : undefined,
      after: isScalar && kind !== 'removed' ? shortText(at(shown.after, ...stepsAfter)) : undefined,
      itemsAdded,
      itemsRemoved,
    }),
  }
}

function shortText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || isJsonObject(value) || isJsonArray(value)) return undefined
  const text = String(value)
  return text.length > MAX_TEXT_CHARS || text.includes('\n') ? undefined : text
}
