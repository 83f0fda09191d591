import type { PodPrivilege, PodSecurity } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `⚠️ privileged container web, host network, mounts / of the node; no longer host port 80`. */
export function podSecurityPhrase({ gained, lost }: PodSecurity): Phrase {
  const parts = [
    gained.length === 0 ? [] : marked(privilegesPhrase(gained)),
    lost.length === 0 ? [] : phrase`no longer: ${privilegesPhrase(lost)}`,
  ]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

function privilegesPhrase(privileges: readonly PodPrivilege[]): Phrase {
  const [steps, others] = [privileges.filter(isStep), privileges.filter(isOther)]
  const kinds = [...Map.groupBy(others, ({ what }) => what)]
  return joinPhrases([...kinds.map(([what, alike]) => privilegePhrase(what, alike)), ...stepPhrases(steps)], ', ')
}

/** What a container does that it did not, told with it as the subject. */
const STEPS = [
  'root',
  'maybe-root',
  'privilege-escalation',
  'capabilities-returned',
  'writable-root',
  'no-seccomp',
  'no-apparmor',
] as const satisfies readonly PodPrivilege['what'][]

type Step = PodPrivilege & { readonly what: (typeof STEPS)[number] }

function isStep(privilege: PodPrivilege): privilege is Step {
  return (STEPS as readonly string[]).includes(privilege.what)
}

interface Other extends PodPrivilege {
  readonly what: Exclude<PodPrivilege['what'], Step['what']>
}

function isOther(privilege: PodPrivilege): privilege is Other {
  return !isStep(privilege)
}

/** All of one container together, and containers alike once: `web may run as root, may escalate privileges`. */
function stepPhrases(steps: readonly Step[]): readonly Phrase[] {
  const byContainer = [...Map.groupBy(steps, ({ container }) => container)]
  const alike = Map.groupBy(byContainer, ([, own]) => JSON.stringify(own.map(({ name, what }) => [what, name])))
  return [...alike.values()].map((some) => {
    const isOne = some.length === 1
    const kinds = [...Map.groupBy(some[0]?.[1] ?? [], ({ what }) => what)]
    const said = kinds.map(([what, all]) => stepPhrase(what, nameList(distinct(all.map(({ name }) => name))), isOne))
    return phrase`${nameList(some.flatMap(([container]) => container ?? []))} ${joinPhrases(said, ', ')}`
  })
}

function stepPhrase(what: Step['what'], names: Phrase, isOne: boolean): Phrase {
  switch (what) {
    case 'root':
      return [isOne ? 'runs as root' : 'run as root']
    case 'maybe-root':
      return ['may run as root']
    case 'privilege-escalation':
      return ['may escalate privileges']
    case 'capabilities-returned':
      if (names.length > 0) return phrase`${[isOne ? 'gets' : 'get']} ${names} back (capabilities)`
      return [isOne ? 'gets its default capabilities back' : 'get their default capabilities back']
    case 'writable-root':
      return [isOne ? 'may write to its root file system' : 'may write to their root file systems']
    case 'no-seccomp':
      return [isOne ? 'names no seccomp profile any more' : 'name no seccomp profile any more']
    case 'no-apparmor':
      return [isOne ? 'names no AppArmor profile any more' : 'name no AppArmor profile any more']
    default:
      return unreachable(what)
  }
}

function privilegePhrase(what: Other['what'], alike: readonly PodPrivilege[]): Phrase {
  const containers = nameList(distinct(alike.map(({ container }) => container)))
  const names = nameList(distinct(alike.map(({ name }) => name)))
  const inContainers = containers.length === 0 ? [] : phrase` in ${containers}`
  switch (what) {
    case 'privileged':
      return phrase`privileged container ${containers}`
    case 'host-network':
      return phrase`host network`
    case 'host-pid':
      return phrase`process IDs of the node`
    case 'host-ipc':
      return phrase`IPC of the node`
    case 'host-process':
      return phrase`host process${inContainers}`
    case 'host-path':
      return phrase`mounts ${names} of the node`
    case 'host-port':
      return phrase`host port ${names}`
    case 'capability':
      return phrase`capability ${names}${inContainers}`
    case 'sysctl':
      return phrase`unsafe sysctl ${names}`
    case 'proc-mount':
      return phrase`unmasked /proc${inContainers}`
    case 'seccomp-unconfined':
      return phrase`no seccomp profile${inContainers}`
    case 'apparmor-unconfined':
      return phrase`no AppArmor profile${inContainers}`
    case 'selinux':
      return phrase`SELinux options of its own${inContainers}`
    default:
      return unreachable(what)
  }
}

function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== undefined)
}

/** Fields that hold nothing else than what is said of pods. */
const WHOLE = /\bspec\.(hostNetwork|hostPID|hostIPC)$|\.securityContext\.privileged$|\.hostPort$/

/** Whether a field holds nothing else than what is said. */
export function isToldPrivilege(path: string, { gained, lost }: PodSecurity): boolean {
  if (WHOLE.test(path)) return true
  return [...gained, ...lost].some(({ container, what }) => {
    const field = FIELDS[what]
    if (field === undefined) return false
    const own = `[${container}].securityContext.${field}`
    return path.endsWith(own) || path.endsWith(`spec.securityContext.${field}`)
  })
}

const FIELDS: { readonly [what in PodPrivilege['what']]?: string } = {
  'privilege-escalation': 'allowPrivilegeEscalation',
  'capabilities-returned': 'capabilities.drop',
  'writable-root': 'readOnlyRootFilesystem',
  'no-seccomp': 'seccompProfile',
  'no-apparmor': 'appArmorProfile',
}
