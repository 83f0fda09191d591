import { shareAnswer } from '../concurrency/shared-answer.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { isApiError, messageOf } from '../model/errors.ts'
import { arrayAt, type JsonValue } from '../model/object.ts'
import type { Discovery } from '../ports.ts'
import { parseAnswer } from './api-answer.ts'
import { type GroupVersion, readAggregated, readGroups, readResourceList } from './discovery-answer.ts'
import type { Requests } from './request.ts'

const ACCEPT = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/** How long one group with a dead backend is waited for, in ms. */
const GROUP_PATIENCE_MS = 3_000

export interface Discoverer {
  /** Cached. `refresh` asks again; callers at the same moment share the answer. */
  discover(options?: { readonly refresh?: boolean; readonly signal?: AbortSignal }): Promise<Discovery>
}

export function createDiscoverer(requests: Pick<Requests, 'send'>): Discoverer {
  let known: Discovery | undefined
  const served = shareAnswer(async () => {
    known = await discoverAll(requests)
    return known
  })
  /** The shared request continues for the others when one caller gives up. */
  const shared = (answer: Promise<Discovery>, signal: AbortSignal | undefined): Promise<Discovery> =>
    signal === undefined ? answer : unlessAborted(answer, signal)

  return {
    async discover({ refresh = false, signal } = {}) {
      if (refresh) return shared(served.fresh(), signal)
      return known ?? shared(served.current(), signal)
    },
  }
}

/** Two requests on a server of 1.27 or later; one more for each group and version on an older one. */
async function discoverAll(requests: Pick<Requests, 'send'>): Promise<Discovery> {
  const [core, groups] = await Promise.all([readPath(requests, '/api', ACCEPT), readPath(requests, '/apis', ACCEPT)])
  return combined(
    await Promise.all([
      readAggregated(core) ?? discoverEach(requests, versionsOfCore(core)),
      readAggregated(groups) ?? discoverEach(requests, readGroups(groups)),
    ]),
  )
}

async function discoverEach(requests: Pick<Requests, 'send'>, versions: readonly GroupVersion[]): Promise<Discovery> {
  const parts = await Promise.all(
    versions.map(async (entry): Promise<Discovery> => {
      const groupVersion = entry.group === '' ? entry.version : `${entry.group}/${entry.version}`
      try {
        const path = `${entry.group === '' ? '/api' : '/apis'}/${groupVersion}`
        const answer = await readPath(requests, path, 'application/json', GROUP_PATIENCE_MS)
        return { kinds: readResourceList(answer, entry), failed: [] }
      } catch (error) {
        // One group with a dead backend must not take the others with it; an outage concerns all.
        if (!isApiError(error) || error.details.status === 0) throw error
        return { kinds: [], failed: [{ groupVersion, cause: messageOf(error) }] }
      }
    }),
  )
  return combined(parts)
}

function combined(parts: readonly Discovery[]): Discovery {
  return { kinds: parts.flatMap((part) => part.kinds), failed: parts.flatMap((part) => part.failed) }
}

async function readPath(
  requests: Pick<Requests, 'send'>,
  path: string,
  accept: string,
  patienceMs?: number,
): Promise<JsonValue> {
  const request = { doing: 'ask which kinds are served', method: 'GET', path, accept } as const
  return parseAnswer(await requests.send(patienceMs === undefined ? request : { ...request, patienceMs }), request)
}

/** `APIVersions`, the core group's list of versions. */
function versionsOfCore(answer: JsonValue): readonly GroupVersion[] {
  return arrayAt(answer, 'versions').flatMap((version, index) =>
    typeof version === 'string' ? [{ group: '', version, isPreferred: index === 0 }] : [],
  )
}
