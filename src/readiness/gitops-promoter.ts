import { arrayAt, isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { conditionOf, conditionsOf } from './conditions.ts'
import { judgeAll } from './generic-conditions.ts'
import { ERROR_GRACE_SECONDS, failedAfter, progressing } from './verdict.ts'

/**
 * GitOps Promoter: Ready only says that the last reconciliation succeeded; the rest of the status says whether what the
 * object promotes or checks is done. Source: the cases in test/readiness/cases.
 */
export function promoter(object: KubeObject, facts: ReadinessFacts): Readiness {
  const condition = conditionOf(conditionsOf(object), 'Ready')
  if (condition === undefined) return progressing({ code: 'no-status' })
  const verdict = judgeAll([condition], { object, facts, isSuspended: false }, { falseIsFailure: true })
  if (verdict?.state !== 'ready') return verdict ?? progressing({ code: 'no-status' })
  return unfinished(object, facts) ?? verdict
}

function unfinished(object: KubeObject, facts: ReadinessFacts): Readiness | undefined {
  switch (object.kind) {
    case 'ChangeTransferPolicy':
      return unpromoted([entry('.status', object.status)])
    case 'PromotionStrategy': {
      const environments = entries(object, 'environments')
      return empty(environments, 'environments', facts) ?? unpromoted(environments)
    }
    case 'ArgoCDCommitStatus': {
      const applications = entries(object, 'applicationsSelected')
      return empty(applications, 'applicationsSelected', facts) ?? unsuccessful(applications, facts)
    }
    case 'GitCommitStatus':
    case 'TimedCommitStatus':
    case 'WebRequestCommitStatus':
      return unsuccessful(entries(object, 'environments'), facts)
    default:
      return undefined
  }
}

interface Entry {
  readonly path: string
  readonly value: JsonValue | undefined
}

function entry(path: string, value: JsonValue | undefined): Entry {
  return { path, value }
}

function entries(object: KubeObject, key: string): readonly Entry[] {
  return arrayAt(object, 'status', key).map((value, index) => entry(`.status.${key}[${index}]`, value))
}

/** Every environment runs the commit that is proposed for it, and all run the same one. */
function unpromoted(places: readonly Entry[]): Readiness | undefined {
  const commits = places.map(({ path, value }) => ({
    path,
    active: stringAt(value, 'active', 'dry', 'sha') ?? '',
    proposed: stringAt(value, 'proposed', 'dry', 'sha') ?? '',
  }))
  const [first] = commits
  const open = commits.find(({ active, proposed }) => active === '' || active !== proposed || active !== first?.active)
  return open === undefined
    ? undefined
    : progressing({ code: 'field', path: `${open.path}.active.dry.sha`, value: open.active })
}

function unsuccessful(checks: readonly Entry[], facts: ReadinessFacts): Readiness | undefined {
  const phases = checks.map(({ path, value }) => ({
    code: 'field' as const,
    path: `${path}.phase`,
    value: isJsonObject(value) ? (stringAt(value, 'phase') ?? '') : '',
  }))
  const failure = phases.find(({ value }) => value === 'failure')
  if (failure !== undefined) return failedAfter(ERROR_GRACE_SECONDS, { reason: failure }, facts)
  const open = phases.find(({ value }) => value !== 'success')
  return open === undefined ? undefined : progressing(open)
}

/** Nothing is selected, although something should be. */
function empty(found: readonly Entry[], key: string, facts: ReadinessFacts): Readiness | undefined {
  if (found.length > 0) return undefined
  const reason = { code: 'field', path: `.status.${key}`, value: '' } as const
  return failedAfter(ERROR_GRACE_SECONDS, { reason }, facts)
}
