import {
  absent,
  annotation,
  delay,
  event,
  type Match,
  noneOf,
  oneOf,
  patchStatus,
  present,
  type Stage,
  type Step,
  stage,
} from './kwok-stage.ts'
import { COMPLETED, FAILED, podTemplate, pullFailed, RUNNING, startTemplate, waitingFor } from './pod-templates.ts'

/** From the start of a container until its pod is ready: long enough that a missing barrier shows. */
const READY_AFTER_MS = 1_000
/** The same for pods that run to completion. */
const RUNNING_AFTER_MS = 300
const COMPLETE_AFTER_MS = 700
const START_AFTER_MS = 50
const DELETE_AFTER_MS = 200
const FLAP_EVERY_MS = 1_000
const CRASH_AFTER_MS = 200
const BACK_OFF_MS = 1_000
const PULL_RETRY_MS = 3_000

const scenario = annotation('scenario')
const waiting = '(.status.containerStatuses // [])[].state.waiting.reason'
const ready = '(.status.conditions // [])[] | select(.type == "Ready") | .status'
const restartPolicy = '.spec.restartPolicy'

const isStarting = oneOf(waiting, 'ContainerCreating')
const isRunning = present('(.status.containerStatuses // [])[].state.running')
const isServer = oneOf(restartPolicy, 'Always')
const isTask = noneOf(restartPolicy, 'Always')
/** A failing pod that is never restarted ends as Failed; any other crash-loops. */
const runsOnce = oneOf(restartPolicy, 'Never')
const isRestarted = noneOf(restartPolicy, 'Never')
const isUntroubled = noneOf(scenario, 'fail', 'crash-loop', 'image-pull-error', 'never-ready')
const isFailing = oneOf(scenario, 'fail', 'crash-loop')
const isUnpullable = oneOf(scenario, 'image-pull-error')

const started = event('Normal', 'Started', 'Started containers')
const unhealthy = event('Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503')
const becomeReady = patchStatus(podTemplate({ phase: 'Running', isReady: true, state: RUNNING }))
const becomeUnready = patchStatus(
  podTemplate({ phase: 'Running', isReady: false, reason: 'ContainersNotReady', state: RUNNING }),
)
const failToPull = [
  pullFailed('ErrImagePull', 'failed to pull image: manifest unknown'),
  event('Warning', 'Failed', 'Failed to pull image: manifest unknown'),
]

/** Pods as a kubelet would report them; the annotation `scenario` picks the trouble. */
export const podStages: readonly Stage[] = [
  pod('pod-start', [absent('.status.podIP')], START_AFTER_MS, [patchStatus(startTemplate())]),

  pod('pod-ready', [isUntroubled, isStarting, isServer], READY_AFTER_MS, [started, becomeReady], 'ready-after'),
  pod('pod-run', [isUntroubled, isStarting, isTask], RUNNING_AFTER_MS, [started, becomeReady], 'ready-after'),
  pod('pod-complete', [isUntroubled, isRunning, isTask], COMPLETE_AFTER_MS, [complete()], 'complete-after'),

  pod(
    'pod-unready',
    [oneOf(scenario, 'never-ready'), isStarting],
    READY_AFTER_MS,
    [unhealthy, becomeUnready],
    'ready-after',
  ),
  pod('pod-flap-down', [oneOf(scenario, 'flap'), isServer, oneOf(ready, 'True')], FLAP_EVERY_MS, [
    unhealthy,
    becomeUnready,
  ]),
  pod('pod-flap-up', [oneOf(scenario, 'flap'), isServer, isRunning, oneOf(ready, 'False')], FLAP_EVERY_MS, [
    becomeReady,
  ]),

  pod('pod-fail-run', [isFailing, isStarting, runsOnce], RUNNING_AFTER_MS, [started, becomeReady], 'ready-after'),
  pod('pod-fail', [isFailing, isRunning, runsOnce], COMPLETE_AFTER_MS, [fail()], 'complete-after'),

  pod('pod-crash-run', [isFailing, isStarting, isRestarted], RUNNING_AFTER_MS, [started, becomeUnready], 'ready-after'),
  pod('pod-crash', [isFailing, isRunning, isRestarted], CRASH_AFTER_MS, [
    crash(),
    event('Warning', 'BackOff', 'Back-off restarting failed container'),
  ]),
  pod('pod-crash-again', [isFailing, oneOf(waiting, 'CrashLoopBackOff')], BACK_OFF_MS, [restart()]),

  pod('pod-pull', [isUnpullable, isStarting], RUNNING_AFTER_MS, failToPull),
  pod('pod-pull-again', [isUnpullable, oneOf(waiting, 'ImagePullBackOff')], PULL_RETRY_MS, failToPull),
  pod('pod-pull-back-off', [isUnpullable, oneOf(waiting, 'ErrImagePull')], RUNNING_AFTER_MS, [
    pullFailed('ImagePullBackOff', 'back-off pulling image: manifest unknown'),
    event('Warning', 'Failed', 'Error: ImagePullBackOff'),
  ]),

  stage({
    name: 'pod-delete',
    kind: 'Pod',
    when: [present('.metadata.deletionTimestamp')],
    delay: delay(DELETE_AFTER_MS, 'delete-after'),
    steps: [{ delete: true }],
  }),
]

function pod(name: string, when: readonly Match[], afterMs: number, steps: readonly Step[], afterFrom?: string): Stage {
  const alive = absent('.metadata.deletionTimestamp')
  const unfinished = noneOf('.status.phase', 'Succeeded', 'Failed')
  return stage({ name, kind: 'Pod', when: [alive, unfinished, ...when], delay: delay(afterMs, afterFrom), steps })
}

function complete(): Step {
  return patchStatus(podTemplate({ phase: 'Succeeded', isReady: false, reason: 'PodCompleted', state: COMPLETED }))
}

function fail(): Step {
  return patchStatus(podTemplate({ phase: 'Failed', isReady: false, reason: 'PodFailed', state: FAILED }))
}

function crash(): Step {
  const state = waitingFor('CrashLoopBackOff', 'back-off 1s restarting failed container')
  return patchStatus(
    podTemplate({
      phase: 'Running',
      isReady: false,
      reason: 'ContainersNotReady',
      state,
      lastState: FAILED,
      restartsAdded: 1,
    }),
  )
}

function restart(): Step {
  return patchStatus(
    podTemplate({ phase: 'Running', isReady: false, reason: 'ContainersNotReady', state: RUNNING, lastState: FAILED }),
  )
}
