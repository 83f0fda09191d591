import { ANNOTATION_PREFIX, patchStatus, type Step } from './kwok-stage.ts'

/** Container states as Go templates of one YAML flow mapping; `$now` is set by `header`. */
export const RUNNING = '{running: {startedAt: {{ $now | Quote }}}}'
export const COMPLETED = terminated(0, 'Completed', '')
export const FAILED = terminated(1, 'Error', 'simulated failure')

export type PodStatus = {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly isReady: boolean
  /** Why the pod is not ready. */
  readonly reason?: string
  readonly state: string
  readonly lastState?: string
  readonly restartsAdded?: number
}

/** The status of a pod that was just bound to its node: containers wait to be created. */
export function startTemplate(): string {
  const conditions = `conditions:
${condition('Initialized', true)}
${condition('Ready', false, 'ContainersNotReady')}
${condition('ContainersReady', false, 'ContainersNotReady')}`
  const address = `hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ $own := "" }}{{ with .metadata.annotations }}{{ $own = or (index . "${ANNOTATION_PREFIX}/address") "" }}{{ end }}{{ or $own ( PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) ) | Quote }}
startTime: {{ $now | Quote }}
phase: Pending`
  const init = containers('initContainers', 'initContainerStatuses', {
    isReady: false,
    state: waitingFor('PodInitializing', ''),
  })
  const main = containers('containers', 'containerStatuses', {
    isReady: false,
    state: waitingFor('ContainerCreating', ''),
  })
  return [header(), conditions, address, init, main].join('\n')
}

export function podTemplate(status: PodStatus): string {
  const { isReady, reason } = status
  const conditions = `conditions:
${condition('Ready', isReady, reason)}
${condition('ContainersReady', isReady, reason)}
{{ range .spec.readinessGates }}
- {type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
{{ end }}`
  const init = containers('initContainers', 'initContainerStatuses', { isReady: true, state: COMPLETED })
  const main = containers('containers', 'containerStatuses', status)
  return [header(), conditions, `phase: ${status.phase}`, init, main].join('\n')
}

export function pullFailed(reason: 'ErrImagePull' | 'ImagePullBackOff', message: string): Step {
  return patchStatus(
    podTemplate({ phase: 'Pending', isReady: false, reason: 'ContainersNotReady', state: waitingFor(reason, message) }),
  )
}

export function waitingFor(reason: string, message: string): string {
  return message === '' ? `{waiting: {reason: ${reason}}}` : `{waiting: {reason: ${reason}, message: "${message}"}}`
}

function terminated(exitCode: number, reason: string, message: string): string {
  const text = message === '' ? '' : `, message: "${message}"`
  return `{terminated: {exitCode: ${exitCode}, reason: ${reason}${text}, startedAt: {{ $started | Quote }}, finishedAt: {{ $now | Quote }}}}`
}

/** Carries over what the status said before: since when containers run and how often they were restarted. */
function header(): string {
  return `{{ $now := Now }}{{ $started := $now }}{{ $restarts := 0 }}
{{ with .status.containerStatuses }}{{ $first := index . 0 }}{{ $restarts = $first.restartCount }}
{{ with $first.state.running }}{{ $started = .startedAt }}{{ end }}{{ end }}`
}

function condition(type: string, isTrue: boolean, reason?: string): string {
  const why = `reason: "${reason ?? ''}"`
  return `- {type: ${type}, status: "${isTrue ? 'True' : 'False'}", ${why}, lastProbeTime: null, lastTransitionTime: {{ $now | Quote }}}`
}

type ContainerState = Pick<PodStatus, 'isReady' | 'state' | 'lastState' | 'restartsAdded'>

function containers(specField: string, statusField: string, status: ContainerState): string {
  const isInit = specField === 'initContainers'
  const restartCount = isInit ? '0' : `{{ add $restarts ${status.restartsAdded ?? 0} }}`
  const lastState = status.lastState === undefined ? '' : `, lastState: ${status.lastState}`
  const entry = `name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: {{ .image | Quote }}, containerID: {{ printf "simulated://%s" .name | Quote }}`
  const state = isInit
    ? `{{ if eq (or .restartPolicy "") "Always" }}${RUNNING}{{ else }}${status.state}{{ end }}`
    : status.state
  const isStarted = status.state === RUNNING
  return `{{ with .spec.${specField} }}
${statusField}:
{{ range . }}
- {${entry}, ready: ${status.isReady}, started: ${isStarted}, restartCount: ${restartCount}, state: ${state}${lastState}}
{{ end }}{{ end }}`
}
