import { DeployError, ProblemsError } from '../model/errors.ts'
import { at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { ReleaseOptions, ReusedValues } from '../model/release.ts'
import { baseOfUpgrade } from '../record/history.ts'
import type { Setting } from './setting.ts'

/** What the render takes of the deployed revision; undefined on a first install, and where nothing is asked for. */
export function reusedValues({ history, options, spec }: Setting): ReusedValues | undefined {
  const { reuseValues } = options
  if (reuseValues === 'none' || spec.source.kind !== 'chart') return undefined
  const base = baseOfUpgrade(history)?.record
  // Values that are silently not reused would be another deploy.
  if (base === undefined && history.unreadable.length > 0) throw nothingKnown()
  if (base === undefined) return undefined
  return {
    keepsDefaults: reuseValues === 'reuse',
    chartName: stringAt(base.chart, 'metadata', 'name') ?? '',
    chartValues: mapOf(at(base.chart, 'values')),
    config: mapOf(base.config),
  }
}

/** Throws ProblemsError: without a cluster there is no record. */
export function assertNothingReused({ reuseValues }: ReleaseOptions): void {
  if (reuseValues === 'none') return
  throw new ProblemsError([
    {
      severity: 'error',
      reason: 'invalid-input',
      place: { input: 'reuse-values' },
      what: `${reuseValues} takes values from the release record, and a plan without a cluster has none`,
      hint: { kind: 'plan-with-cluster' },
    },
  ])
}

/** Helm writes null for no values. */
function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function nothingKnown(): DeployError {
  return new DeployError({
    reason: 'invalid-input',
    doing: 'read the values of the deployed revision',
    message: 'no record of the release can be read, so that its values are not known',
    hint: { kind: 'restore-record' },
  })
}
