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
  const kinds = [...Map.groupBy(privileges, ({ what }) => what)]
  return joinPhrases(
    kinds.map(([what, alike]) => privilegePhrase(what, alike)),
    ', ',
  )
}

function privilegePhrase(what: PodPrivilege['what'], alike: readonly PodPrivilege[]): Phrase {
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
    case 'root':
      return phrase`runs as root${inContainers}`
    case 'maybe-root':
      return phrase`may run as root${inContainers}`
    case 'privilege-escalation':
      return phrase`may escalate privileges${inContainers}`
    default:
      return unreachable(what)
  }
}

function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== undefined)
}
