import type { DeletePolicy } from '../model/directives.ts'
import { type KubeObject, stringAt } from '../model/object.ts'
import type { ReleaseHook } from '../model/release.ts'
import type { Dialect } from './dialect.ts'
import { expectsFailure, helm2Events } from './helm2.ts'
import { distinctOccasions, hookEvents } from './hook-events.ts'
import { listOf, readChoices, readInteger } from './value-forms.ts'

/**
 * Helm 3 and 4. Words are lower-cased and trimmed, as Helm does. Sources: docs/sources.md#helm-hook-parsing,
 * docs/sources.md#helm-uninstall.
 */
export const helm: Dialect = {
  name: 'Helm 3 and 4',
  domain: 'helm.sh',
  family: /^helm\.sh\//,
  rows: [
    {
      key: 'helm.sh/hook',
      makesHook: true,
      isUnusedInCrds: true,
      pattern: /^helm\.sh\/hook$/,
      form: `a comma list of ${[...hookEvents.keys()].join(', ')}`,
      default: 'not a hook',
      verbs: 'as the events say',
      meaning:
        'Makes the object a hook of these events: deployed then, one hook at a time, each finished before the next; never a part of the release.',
      differs:
        'An unknown event is an error; Helm drops the whole document silently. An event written twice counts once; Helm runs the hook twice.',
      severity: 'error',
      parse: (value) => {
        const words = listOf(value.toLowerCase())
        const { known, fault } = readChoices(value.toLowerCase(), new Map([...hookEvents, ...helm2Events]))
        const asked = { isHook: true, occasions: distinctOccasions(known) }
        const complete = expectsFailure(words) ? { ...asked, expectsFailure: true } : asked
        return fault === undefined ? { asked: complete } : { asked: complete, fault }
      },
    },
    {
      key: 'helm.sh/hook-weight',
      pattern: /^helm\.sh\/hook-weight$/,
      form: 'an integer in quotes, as "-5"',
      default: '0',
      verbs: 'as the events say',
      meaning: 'Order of the hooks of one event, lowest first; of one weight by kind order, then by name.',
      differs:
        'Kind before name, as Helm documents it; its code compares the name first. A malformed weight is a warning and counts as 0.',
      on: 'hooks',
      severity: 'warning',
      parse: (value) => {
        const read = readInteger(value)
        return 'fault' in read
          ? { asked: { weight: 0 }, fault: `${read.fault}, counts as 0` }
          : { asked: { weight: read.value } }
      },
    },
    {
      key: 'helm.sh/hook-delete-policy',
      pattern: /^helm\.sh\/hook-delete-policy$/,
      form: 'a comma list of before-hook-creation, hook-succeeded, hook-failed',
      default: 'before-hook-creation',
      verbs: 'as the events say',
      meaning:
        'When the hook is deleted: before it is recreated, or after the event that succeeded or failed. An empty value means never.',
      differs:
        'The absence of the old hook is always awaited. After a failed hook, earlier ones with hook-succeeded are deleted also when the failure came at creation. A CRD is never deleted. An unknown word is a warning, and nothing is deleted for it.',
      on: 'hooks',
      severity: 'warning',
      parse: (value) => {
        const { known, fault } = readChoices(value.toLowerCase(), hookDeletePolicies)
        const asked = { deletePolicies: known }
        if (fault === undefined) return { asked }
        return { asked, fault: known.length === 0 ? `${fault}; the hook is never deleted` : fault }
      },
    },
    {
      key: 'helm.sh/hook-output-log-policy',
      pattern: /^helm\.sh\/hook-output-log-policy$/,
      form: 'a comma list of hook-succeeded, hook-failed',
      default: 'none',
      verbs: 'as the events say',
      meaning:
        'Shows the log of the hook, as a whole, after it succeeded or failed: in the log of the run and in the summary. Read before a delete policy removes the hook.',
      differs:
        'The last 50 lines of each container, of three Pods; the log of the run has the lines in any case while the hook runs, and the log of a failed hook is part of the failure report. Jobs and Pods only, as in Helm.',
      on: 'hooks',
      severity: 'warning',
      parse: (value) => {
        const { known, fault } = readChoices(value.toLowerCase(), outputLogPolicies)
        return fault === undefined ? { asked: { outputLogsOn: known } } : { asked: { outputLogsOn: known }, fault }
      },
    },
    {
      key: 'helm.sh/resource-policy',
      pattern: /^helm\.sh\/resource-policy$/,
      form: 'keep',
      default: 'none',
      verbs: 'all',
      meaning:
        'The object is never deleted, for any reason, whether the annotation is in the chart, in the record or on the live object only.',
      differs:
        'Holds for recreation and delete policies as well. Any other value is a warning and, as with Helm on uninstall, leaves the object in the cluster.',
      severity: 'warning',
      keepsLive: isKeep,
      parse: (value) =>
        isKeep(value)
          ? { asked: { keep: true } }
          : {
              asked: { leaveOnDelete: true },
              fault: 'unknown policy; the object is not deleted when it leaves the release',
            },
    },
  ],
}

function isKeep(value: string): boolean {
  return value.trim().toLowerCase() === 'keep'
}

/** The annotations of a hook in Helm's own words, as Helm stores them; undefined where the object is not a hook. */
export function storedHook(object: KubeObject): Pick<ReleaseHook, 'events' | 'weight' | 'delete_policies'> | undefined {
  const annotation = (key: string) => stringAt(object, 'metadata', 'annotations', key)
  const events = annotation('helm.sh/hook')
  if (events === undefined) return undefined
  const weight = Number(annotation('helm.sh/hook-weight') ?? 0)
  return {
    events: lowerCaseWords(events),
    weight: Number.isInteger(weight) ? weight : 0,
    delete_policies: lowerCaseWords(annotation('helm.sh/hook-delete-policy') ?? ''),
  }
}

function lowerCaseWords(text: string): readonly string[] {
  return listOf(text.toLowerCase()).filter((word) => word !== '')
}

const hookDeletePolicies: ReadonlyMap<string, DeletePolicy> = new Map<string, DeletePolicy>([
  ['before-hook-creation', 'before-creation'],
  ['hook-succeeded', 'succeeded'],
  ['hook-failed', 'failed'],
])

const outputLogPolicies: ReadonlyMap<string, 'succeeded' | 'failed'> = new Map<string, 'succeeded' | 'failed'>([
  ['hook-succeeded', 'succeeded'],
  ['hook-failed', 'failed'],
])
