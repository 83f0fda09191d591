import { startDeadline } from '../concurrency/deadline.ts'
import { shareAnswer } from '../concurrency/shared-answer.ts'
import { isApiError, messageOf } from '../model/errors.ts'
import { arrayAt, type JsonValue } from '../model/object.ts'
import { networkCode } from '../network/network-code.ts'
import type { Clock, Discovery } from '../ports.ts'
import { parseAnswer } from './api-answer.ts'
import { type GroupVersion, readAggregated, readGroups, readResourceList } from './discovery-answer.ts'
import { COLLECTION_MS } from './patience.ts'
import type { Requests } from './request.ts'

const ACCEPT = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/** How long one group is waited for, in ms: its server may be dead, or hang. As kubectl's discovery does with all of them, but shorter. */
const GROUP_PATIENCE_MS = 5_000

export interface Discoverer {
  /** Cached. `refresh` asks again; callers at the same moment share the answer. */
  discover(options?: { readonly refresh?: boolean; readonly signal?: AbortSignal }): Promise<Discovery>
}

export interface DiscovererInput {
  readonly requests: Pick<Requests, 'send'>
  readonly clock: Pick<Clock, 'sleep'>
  /** Fires when nobody needs an answer any more. */
  readonly closed: AbortSignal
  /** How long a caller waits that sets no deadline, in ms. */
  readonly patienceMs: number
}

export function createDiscoverer({ requests, clock, closed, patienceMs }: DiscovererInput): Discoverer {
  let known: Discovery | undefined
  // One answer for all, so that it lasts as long as anybody waits for it, whatever the time of the others.
  const served = shareAnswer(async (abandoned) => {
    known = await discoverAll({ requests, clock, signal: AbortSignal.any([abandoned, closed]) })
    return known
  })

  async function patiently(ask: (signal: AbortSignal) => Promise<Discovery>): Promise<Discovery> {
    const late = new Error(`the kinds of the cluster are not known within ${patienceMs / 1000} s`)
    const deadline = startDeadline(clock, patienceMs, late)
    try {
      return await ask(deadline.signal)
    } finally {
      await deadline.close()
    }
  }

  return {
    async discover({ refresh = false, signal } = {}) {
      if (!refresh && known !== undefined) return known
      const ask = refresh ? served.fresh : served.current
      return signal === undefined ? patiently(ask) : ask(signal)
    },
  }
}

type Asking = Pick<DiscovererInput, 'requests' | 'clock'> & { readonly signal: AbortSignal }

/** Two requests on a server of 1.27 or later; one more for each group and version on an older one. */
async function discoverAll(asking: Asking): Promise<Discovery> {
  const [core, groups] = await Promise.all([readPath(asking, '/api', ACCEPT), readPath(asking, '/apis', ACCEPT)])
  return combined(
    await Promise.all([
      readAggregated(core) ?? discoverEach(asking, versionsOfCore(core)),
      readAggregated(groups) ?? discoverEach(asking, readGroups(groups)),
    ]),
  )
}

async function discoverEach(asking: Asking, versions: readonly GroupVersion[]): Promise<Discovery> {
  return combined(await Promise.all(versions.map((entry) => discoverOne(asking, entry))))
}

/** One group with a dead backend, or one that hangs, must not take the others with it; an outage concerns all. */
async function discoverOne(asking: Asking, entry: GroupVersion): Promise<Discovery> {
  const groupVersion = entry.group === '' ? entry.version : `${entry.group}/${entry.version}`
  const deadline = startDeadline(asking.clock, GROUP_PATIENCE_MS, new Error('its server does not answer'))
  try {
    const path = `${entry.group === '' ? '/api' : '/apis'}/${groupVersion}`
    const limited = { ...asking, signal: AbortSignal.any([deadline.signal, asking.signal]) }
    const answer = await readPath(limited, path, 'application/json')
    return { kinds: readResourceList(answer, entry), failed: [] }
  } catch (error) {
    const isHanging = deadline.signal.aborted && networkCode(error) === ''
    const isRefused = isApiError(error) && error.details.status !== 0
    if (!isHanging && !isRefused) throw error
    return { kinds: [], failed: [{ groupVersion, cause: messageOf(error) }] }
  } finally {
    await deadline.close()
  }
}

function combined(parts: readonly Discovery[]): Discovery {
  return { kinds: parts.flatMap((part) => part.kinds), failed: parts.flatMap((part) => part.failed) }
}

async function readPath({ requests, signal }: Asking, path: string, accept: string): Promise<JsonValue> {
  const request = {
    doing: 'ask which kinds are served',
    method: 'GET',
    path,
    accept,
    answersWithinMs: COLLECTION_MS,
  } as const
  return parseAnswer(await requests.send({ ...request, signal }), request)
}

/** `APIVersions`, the core group's list of versions. */
function versionsOfCore(answer: JsonValue): readonly GroupVersion[] {
  return arrayAt(answer, 'versions').flatMap((version, index) =>
    typeof version === 'string' ? [{ group: '', version, isPreferred: index === 0 }] : [],
  )
}
