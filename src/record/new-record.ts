import { defined } from '../model/defined.ts'
import type { History, ReleaseHook, ReleaseInfo, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { Rendered } from '../model/rendered.ts'
import { verbs } from '../model/verb.ts'
import { newest, nextRevision } from './history.ts'
import { type Labels, userLabels } from './secret.ts'
import { goTime } from './time.ts'
import { underwayText } from './transitions.ts'

/** A revision to be created: its record, and the labels that its Secret gets beside Helm's own. */
export interface RevisionDraft {
  readonly record: ReleaseRecord
  readonly labels: Labels
}

export interface DeployRequest {
  readonly verb: 'install' | 'upgrade'
  readonly release: string
  readonly namespace: string
  readonly parts: Rendered['record']
  readonly notes: string
  /** Beside those of the revision before; `null` takes one away, as with `--labels` of Helm. */
  readonly labels?: Labels
  /** Run URL; part of the description until the run ends, so that an interrupted run can be named. */
  readonly holder: string
  readonly nowMs: number
}

/**
 * The record of an install or upgrade before its first change. Source: docs/sources.md#helm-install,
 * docs/sources.md#helm-upgrade.
 */
export function draftDeploy(history: History, request: DeployRequest): RevisionDraft {
  const { verb, release, namespace, parts, notes, labels, holder, nowMs } = request
  const revision = nextRevision(history)
  const before = newest(history)
  const info: ReleaseInfo = {
    ...deployTimes(before, nowMs),
    description: underwayText(verb, holder),
    status: verbs[verb].revision.pending,
    ...(notes === '' ? {} : { notes }),
  }
  const record = { ...parts, name: release, info, hooks: parts.hooks.map(withoutRun), version: revision, namespace }
  return {
    record: { ...record, apply_method: 'ssa' },
    labels: withoutNull({ ...userLabels(before?.labels ?? {}), ...labels }),
  }
}

function withoutNull(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== 'null'))
}

export interface RollbackRequest {
  readonly target: StoredRevision
  readonly namespace: string
  readonly holder: string
  readonly nowMs: number
}

/**
 * The record of a rollback: the target's chart, values, manifest and hooks as a new revision.
 * Source: docs/sources.md#helm-rollback.
 */
export function draftRollback(history: History, request: RollbackRequest): RevisionDraft {
  const { target, namespace, holder, nowMs } = request
  const { record: old } = target
  const info: ReleaseInfo = {
    ...deployTimes(newest(history), nowMs),
    description: underwayText('rollback', holder),
    status: verbs.rollback.revision.pending,
    rollback_revision: old.version,
    ...defined({ notes: old.info.notes }),
  }
  return {
    record: {
      ...old,
      info,
      hooks: old.hooks.map(withoutRun),
      version: nextRevision(history),
      namespace,
      apply_method: 'ssa',
    },
    labels: userLabels(target.labels),
  }
}

/** `first_deployed` is carried from revision to revision; a release that was uninstalled starts again, as in Helm. */
function deployTimes(
  before: StoredRevision | undefined,
  nowMs: number,
): Pick<ReleaseInfo, 'first_deployed' | 'last_deployed'> {
  const now = goTime(nowMs)
  const info = before?.record.info
  const first = info === undefined || info.status === 'uninstalled' ? undefined : info.first_deployed
  return { first_deployed: first === undefined || first === '' ? now : first, last_deployed: now }
}

/** No hook of a new revision has run, whatever the revision that it was copied from says. */
function withoutRun(hook: ReleaseHook): ReleaseHook {
  return { ...hook, last_run: { phase: '' } }
}
