import type { Directives } from '../model/directives.ts'
import type { Asked, ParseContext, Reading, Row } from './dialect.ts'
import { type Read, readBoolean, readChoice, readDuration, readInteger, readRegex, readWords } from './value-forms.ts'

const VERBS = 'install, upgrade, rollback'
const COUNT_FORM = 'an integer from 0 on in quotes, as "3"'
const DURATION_FORM = 'a duration that is not negative, as "90s" or "1h30m"'
const BOOLEAN_FORM = '"true" or "false"'
const REGEX_FORM = 'a regular expression (RE2)'
const WORDS_FORM = 'a comma list of container names'

/** How a resource is waited for and what is shown of it meanwhile. Source: docs/sources.md#nelm-annotations. */
export const trackingRows: readonly Row[] = [
  trackingRow('track-termination-mode', {
    form: 'WaitUntilResourceReady or NonBlocking',
    default: 'WaitUntilResourceReady',
    meaning: 'NonBlocking: the resource is applied and not waited for.',
    parse: (value) =>
      reading(
        readChoice<Directives['wait']>(
          value,
          new Map([
            ['WaitUntilResourceReady', 'until-ready'],
            ['NonBlocking', 'non-blocking'],
          ]),
        ),
        (wait) => ({ wait }),
      ),
  }),
  trackingRow('fail-mode', {
    form: 'FailWholeDeployProcessImmediately, IgnoreAndContinueDeployProcess or HopeUntilEndOfDeployProcess',
    default: 'FailWholeDeployProcessImmediately',
    meaning:
      'What a failure of the resource does: ends the run at once, nothing, or fails the run at the end of the stage.',
    differs: 'HopeUntilEndOfDeployProcess does what werf documents; in nelm it is the same as the first.',
    parse: (value) =>
      reading(
        readChoice<Directives['failMode']>(
          value,
          new Map([
            ['FailWholeDeployProcessImmediately', 'stop'],
            ['IgnoreAndContinueDeployProcess', 'ignore'],
            ['HopeUntilEndOfDeployProcess', 'last'],
          ]),
        ),
        (failMode) => ({ failMode }),
      ),
  }),
  trackingRow('failures-allowed-per-replica', {
    form: COUNT_FORM,
    default: 'by kind',
    meaning: 'More failures of a replica than this fail the resource.',
    parse: (value) =>
      reading(readInteger(value, { min: 0 }), (failuresAllowedPerReplica) => ({ failuresAllowedPerReplica })),
  }),
  trackingRow('no-activity-timeout', {
    form: DURATION_FORM,
    default: 'none: the timeout of the run',
    meaning: 'The resource has failed when nothing about it changes for this long.',
    differs: 'Holds for every kind; in nelm only for kinds without their own rule, with a default of 4m.',
    parse: (value) => reading(readDuration(value), (noActivitySeconds) => ({ noActivitySeconds })),
  }),
  trackingRow('ignore-readiness-probe-fails-for-<container>', {
    form: DURATION_FORM,
    default: 'from the probe',
    meaning: 'Accepted, without effect; listed in the plan as not used.',
    differs: 'A failing readiness probe alone never fails a resource, so there is nothing to ignore.',
    parse: (value) => reading(readDuration(value), () => ({})),
  }),
  trackingRow('log-regex', {
    form: REGEX_FORM,
    default: 'all lines',
    meaning: 'Only matching lines of the logs are shown.',
    parse: (value) => reading(readRegex(value), (pattern) => ({ keepLines: [{ pattern }] })),
  }),
  trackingRow('log-regex-for-<container>', {
    form: REGEX_FORM,
    default: 'all lines',
    meaning: 'Only matching lines of this container are shown.',
    parse: (value, { groups }) =>
      reading(readRegex(value), (pattern) => ({ keepLines: [{ pattern, container: groups.container ?? '' }] })),
  }),
  trackingRow('log-regex-skip', {
    form: REGEX_FORM,
    default: 'none',
    meaning: 'Matching lines of the logs are not shown.',
    parse: (value) => reading(readRegex(value), (pattern) => ({ dropLines: [{ pattern }] })),
  }),
  trackingRow('log-regex-skip-for-<container>', {
    form: REGEX_FORM,
    default: 'none',
    meaning: 'Matching lines of this container are not shown.',
    parse: (value, { groups }) =>
      reading(readRegex(value), (pattern) => ({ dropLines: [{ pattern, container: groups.container ?? '' }] })),
  }),
  trackingRow('skip-logs', {
    form: BOOLEAN_FORM,
    default: '"false"',
    meaning: 'Shows no logs of the resource.',
    parse: (value) => reading(readBoolean(value), (skipLogs) => ({ skipLogs })),
  }),
  trackingRow('skip-logs-for-containers', {
    form: WORDS_FORM,
    default: 'none',
    meaning: 'Shows no logs of these containers.',
    parse: (value) => reading(readWords(value), (skipContainers) => ({ skipContainers })),
  }),
  trackingRow('show-logs-only-for-containers', {
    form: WORDS_FORM,
    default: 'all',
    meaning: 'Shows logs of these containers only.',
    parse: (value) => reading(readWords(value), (onlyContainers) => ({ onlyContainers })),
  }),
  trackingRow('show-logs-only-for-number-of-replicas', {
    form: COUNT_FORM,
    default: 'all, five at most',
    meaning: 'Shows the logs of so many Pods of a Job.',
    differs: 'Logs are shown of Jobs and Pods that run to their end. In nelm the default is 1.',
    parse: (value) => reading(readInteger(value, { min: 0 }), (logReplicas) => ({ logReplicas })),
  }),
  trackingRow('show-service-messages', {
    form: BOOLEAN_FORM,
    default: '"false"',
    meaning: 'Accepted, without effect; listed in the plan as not used.',
    differs:
      'Kubernetes events are shown with a failure only, and then always; in nelm while the resource is waited for.',
    parse: (value) => reading(readBoolean(value), () => ({})),
  }),
]

interface TrackingRow {
  readonly form: string
  readonly default: string
  readonly meaning: string
  readonly differs?: string
  readonly parse: (value: string, context: ParseContext) => Reading
}

/**
 * A pattern with `<container>` must not swallow its longer sisters: `log-regex-skip` is not `log-regex-<container>`.
 */
function trackingRow(name: string, { parse, differs, ...texts }: TrackingRow): Row {
  const key = `werf.io/${name}`
  const source = key.replace('.', '\\.').replace('/', '\\/').replace('<container>', '(?<container>.+)')
  return {
    key,
    pattern: new RegExp(`^${source}$`),
    verbs: VERBS,
    differs: differs ?? '',
    severity: 'error',
    ...texts,
    parse: (value, context) => parse(value.trim(), context),
  }
}

function reading<T>(read: Read<T>, ask: (value: T) => Asked): Reading {
  return 'fault' in read ? { asked: {}, fault: read.fault } : { asked: ask(read.value) }
}
