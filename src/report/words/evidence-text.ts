import type { ContainerEvidence, EventEvidence, Evidence, PodEvidence } from '../../model/evidence.ts'
import { formatRef, type Ref } from '../../model/ref.ts'
import { type Phrase, phrase, plainText } from './phrase.ts'
import { plural } from './readiness-text.ts'

/** Pods, log tails and cluster events of a failed resource as lines of the log. */
export function evidenceLines(evidence: Evidence): readonly string[] {
  return [
    `diagnostics of ${plainText(phrase`${formatRef(evidence.ref)}`)}:`,
    ...evidence.pods.flatMap(podLines),
    ...evidence.events.map((event) => `  ${plainText(eventPhrase(event))}`),
    ...evidence.missing.map((missing) => plainText(phrase`  not read: ${missing}`)),
  ]
}

/** What the containers of a hook have written, as lines of the log. */
export function podLogLines(ref: Ref, { pods, missing }: Pick<Evidence, 'pods' | 'missing'>): readonly string[] {
  return [
    `log of ${plainText(phrase`${formatRef(ref)}`)}:`,
    ...pods.flatMap(podLines),
    ...missing.map((one) => plainText(phrase`  not read: ${one}`)),
  ]
}

/** `container app: waiting, CrashLoopBackOff, exit 1, 4 restarts: message`. */
export function containerPhrase(container: ContainerEvidence): Phrase {
  const reason = container.reason === undefined ? [] : phrase`, ${container.reason}`
  const exit = container.exitCode === undefined ? [] : phrase`, exit ${container.exitCode}`
  const restarts = container.restarts === 0 ? [] : [`, ${plural(container.restarts, 'restart')}`]
  const message = container.message === undefined ? [] : phrase`: ${container.message}`
  return phrase`container ${container.name}: ${container.state}${reason}${exit}${restarts}${message}`
}

/** `Warning BackOff Pod/web-1: Back-off restarting failed container (4 times)`. */
export function eventPhrase(event: EventEvidence): Phrase {
  const times = event.count > 1 ? [` (${event.count} times)`] : []
  return phrase`${event.type} ${event.reason} ${event.about}: ${event.message}${times}`
}

export function logTitle(container: ContainerEvidence): string {
  const lines = plural(container.logTail.length, 'line')
  return container.isPreviousLog ? `last ${lines} of the previous container` : `last ${lines} of the log`
}

function podLines(pod: PodEvidence): readonly string[] {
  return [plainText(phrase`  pod ${pod.name}, phase ${pod.phase}`), ...pod.containers.flatMap(containerLines)]
}

function containerLines(container: ContainerEvidence): readonly string[] {
  const head = plainText(phrase`    ${containerPhrase(container)}`)
  if (container.logTail.length === 0) return [head]
  return [head, `    ${logTitle(container)}:`, ...container.logTail.map((text) => plainText(phrase`      | ${text}`))]
}
