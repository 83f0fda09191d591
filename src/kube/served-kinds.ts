import { defined } from '../model/defined.ts'
import { ApiError, isApiError } from '../model/errors.ts'
import type { Clock, Discovery, ServedKind } from '../ports.ts'
import type { Discoverer } from './discovery.ts'
import type { About } from './status.ts'
import { findKind } from './urls.ts'

/** Discovery names the kind of a new CRD a moment before its objects can be written. */
const NOT_YET_DELAYS_MS = [100, 300, 1_000, 2_000]

export interface KindTarget extends About {
  readonly apiVersion: string
  readonly kind: string
  readonly signal?: AbortSignal
}

export interface Kinds {
  /**
   * Runs a request with the kind as the server serves it. Asks again before it gives up: the kind may be new, or not served
   * yet. Throws ApiError `NotServed`.
   */
  using<T>(target: KindTarget, action: (kind: ServedKind) => Promise<T>): Promise<T>
}

export function createKinds(discoverer: Discoverer, clock: Clock): Kinds {
  async function find(target: KindTarget): Promise<ServedKind> {
    const { apiVersion, kind } = target
    const known = findKind(await discoverer.discover(defined({ signal: target.signal })), apiVersion, kind)
    return known ?? findAgain(target)
  }

  async function findAgain(target: KindTarget): Promise<ServedKind> {
    const discovery = await discoverer.discover({ refresh: true, ...defined({ signal: target.signal }) })
    const found = findKind(discovery, target.apiVersion, target.kind)
    if (found === undefined) throw notServed(target, discovery)
    return found
  }

  return {
    async using(target, action) {
      let kind = await find(target)
      for (const delayMs of NOT_YET_DELAYS_MS) {
        try {
          return await action(kind)
        } catch (error) {
          if (!isApiError(error, 'NotServed')) throw error
        }
        await clock.sleep(delayMs, target.signal)
        kind = await findAgain(target)
      }
      return action(kind)
    },
  }
}

/** A group whose backend is down is not the same as a kind that does not exist. */
function notServed(target: KindTarget, discovery: Discovery): ApiError {
  const { apiVersion, kind, doing, ref } = target
  const broken = discovery.failed.find((failed) => failed.groupVersion === apiVersion)
  const about = ref === undefined ? { doing, causes: [] } : { doing, ref, causes: [] }
  if (broken !== undefined) {
    const message = `the kinds of ${apiVersion} are not known now: ${broken.cause}`
    return new ApiError({ ...about, status: 503, reason: 'ServiceUnavailable', message })
  }
  const others = discovery.kinds.filter((served) => served.kind === kind).map(apiVersionOf)
  const offer = others.length === 0 ? '' : `; it serves ${kind} of ${others.join(', ')}`
  return new ApiError({
    ...about,
    status: 404,
    reason: 'NotServed',
    message: `the server does not serve ${kind} of ${apiVersion}${offer}`,
  })
}

function apiVersionOf({ group, version }: ServedKind): string {
  return group === '' ? version : `${group}/${version}`
}
