import { builtInKind } from '../manifest/built-in-kinds.ts'
import { defined } from '../model/defined.ts'
import type { Schedule, ScheduleChange } from '../model/impact.ts'
import { at, type JsonObject, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'

/** When a CronJob comes to run; undefined where that stays as it is. Source: the API reference of Kubernetes, `CronJobSpec`. */
export function scheduleChange(ref: Ref, before: JsonObject, after: JsonObject): ScheduleChange | undefined {
  if (builtInKind(ref)?.kind !== 'CronJob') return undefined
  const [old, now] = [scheduleOf(before), scheduleOf(after)]
  const isSame = old?.expression === now?.expression && old?.timeZone === now?.timeZone
  return isSame ? undefined : defined({ before: old, after: now })
}

/** Undefined: it is suspended. */
function scheduleOf(cronJob: JsonObject): Schedule | undefined {
  if (at(cronJob, 'spec', 'suspend') === true) return undefined
  return {
    expression: stringAt(cronJob, 'spec', 'schedule') ?? '',
    ...defined({ timeZone: stringAt(cronJob, 'spec', 'timeZone') }),
  }
}
