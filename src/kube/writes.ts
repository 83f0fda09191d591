import type { V1DeleteOptions } from '@kubernetes/client-node'
import { defined } from '../model/defined.ts'
import { ApiError, isApiError } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import type { JsonObject, KubeObject, Wire } from '../model/object.ts'
import { formatRef, type Ref, refOfObject } from '../model/ref.ts'
import type { ApplyOptions, DeleteOptions, ServedKind } from '../ports.ts'
import { parseObject } from './api-answer.ts'
import type { ApiResult } from './api-request.ts'
import { isWhatWasSent } from './lost-reply.ts'
import type { Requests } from './request.ts'
import type { Kinds } from './served-kinds.ts'
import type { About } from './status.ts'
import { apiPath, queryString } from './urls.ts'

/** The manager that Helm 4 applies with, so that `helm` and this action can take turns (docs/decisions/0006). */
const FIELD_MANAGER = 'helm'
const JSON_TYPE = 'application/json'
/** The API server reads JSON as well under this type: JSON is YAML. */
const APPLY_TYPE = 'application/apply-patch+yaml'

export interface WritesInput {
  readonly requests: Requests
  readonly kinds: Kinds
  readonly get: (ref: Ref, signal?: AbortSignal) => Promise<KubeObject | undefined>
}

export interface Writes {
  apply(
    object: KubeObject,
    options: ApplyOptions & { readonly isDryRun: boolean },
    signal?: AbortSignal,
  ): Promise<KubeObject>
  create(object: KubeObject, signal?: AbortSignal): Promise<KubeObject>
  replace(object: KubeObject, signal?: AbortSignal): Promise<KubeObject>
  patch(
    ref: Ref,
    operations: readonly JsonObject[],
    options: { readonly isDryRun: boolean },
    signal?: AbortSignal,
  ): Promise<KubeObject>
  delete(ref: Ref, options: DeleteOptions, signal?: AbortSignal): Promise<void>
}

export function createWrites({ requests, kinds, get }: WritesInput): Writes {
  /** A refusal after a lost reply may come from our own first try that succeeded: then the live object is what was sent. */
  async function settledWrite(
    result: ApiResult,
    input: {
      readonly about: About
      readonly sent: KubeObject
      readonly ref: Ref
      readonly signal: AbortSignal | undefined
    },
  ): Promise<KubeObject> {
    if (result.isOk) return parseObject(result.value, input.about)
    if (result.mayHaveHappened && isApiError(result.error, 'AlreadyExists', 'Conflict')) {
      const live = await get(input.ref, input.signal)
      if (live !== undefined && isWhatWasSent(live, input.sent)) return live
    }
    throw result.error
  }

  return {
    apply(object, options, signal) {
      const ref = refOfObject(object)
      const about = { doing: `${options.isDryRun ? 'dry-run' : 'apply'} ${formatRef(ref)}`, ref }
      return kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const query = queryString({
          fieldManager: FIELD_MANAGER,
          fieldValidation: 'Strict',
          force: options.force ? true : undefined,
          dryRun: options.isDryRun ? 'All' : undefined,
        })
        const path = objectPath(kind, ref, about) + query
        const body = { type: APPLY_TYPE, text: stringifyJson(objectToSend(object, kind)) }
        const request = {
          ...about,
          method: 'PATCH',
          path,
          body,
          isRepeatable: true,
          isWrite: !options.isDryRun,
          ...defined({ signal, onFault: options.onRefused }),
        } as const
        return parseObject(await requests.send(request), about)
      })
    },

    create(object, signal) {
      const ref = refOfObject(object)
      const about = { doing: `create ${formatRef(ref)}`, ref }
      return kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const path =
          apiPath(kind, namespaceInPath(kind, ref, about), about) + queryString({ fieldManager: FIELD_MANAGER })
        const body = { type: JSON_TYPE, text: stringifyJson(objectToSend(object, kind)) }
        // With a name, a repetition is answered with `AlreadyExists`; with `generateName` it would create a second object.
        const isRepeatable = object.metadata.name !== undefined
        const request = {
          ...about,
          method: 'POST',
          path,
          body,
          isRepeatable,
          isWrite: true,
          ...defined({ signal }),
        } as const
        return settledWrite(await requests.attempt(request), { about, sent: object, ref, signal })
      })
    },

    replace(object, signal) {
      const ref = refOfObject(object)
      const about = { doing: `replace ${formatRef(ref)}`, ref }
      return kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const path = objectPath(kind, ref, about) + queryString({ fieldManager: FIELD_MANAGER })
        const body = { type: JSON_TYPE, text: stringifyJson(objectToSend(object, kind)) }
        const request = {
          ...about,
          method: 'PUT',
          path,
          body,
          isRepeatable: true,
          isWrite: true,
          ...defined({ signal }),
        } as const
        return settledWrite(await requests.attempt(request), { about, sent: object, ref, signal })
      })
    },

    patch(ref, operations, { isDryRun }, signal) {
      const about = { doing: `${isDryRun ? 'dry-run' : 'patch'} ${formatRef(ref)}`, ref }
      return kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const path =
          objectPath(kind, ref, about) +
          queryString({ fieldManager: FIELD_MANAGER, dryRun: isDryRun ? 'All' : undefined })
        const body = { type: 'application/json-patch+json', text: stringifyJson(operations) }
        // Some operations, such as `add` to a list, change more when they are done twice.
        const request = {
          ...about,
          method: 'PATCH',
          path,
          body,
          isRepeatable: isDryRun,
          isWrite: !isDryRun,
          ...defined({ signal }),
        } as const
        return parseObject(await requests.send(request), about)
      })
    },

    async delete(ref, options, signal) {
      const about = { doing: `delete ${formatRef(ref)}`, ref }
      const { propagation, uid } = options
      await kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const preconditions = uid === undefined ? {} : { preconditions: { uid } }
        const deletion = {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: propagation,
          ...preconditions,
        } satisfies Wire<V1DeleteOptions>
        const body = { type: JSON_TYPE, text: stringifyJson(deletion) }
        const path = objectPath(kind, ref, about)
        // Without a uid a repetition could hit another object of the same name.
        const isRepeatable = uid !== undefined
        const result = await requests.attempt({
          ...about,
          method: 'DELETE',
          path,
          body,
          isRepeatable,
          isWrite: true,
          ...defined({ signal }),
        })
        if (result.isOk || result.error.details.reason === 'NotFound') return
        // The reply to our first try was lost, and somebody has created a new object of that name since.
        if (result.mayHaveHappened && result.error.details.reason === 'Conflict') return
        throw result.error
      })
    },
  }
}

function objectPath(kind: ServedKind, ref: Ref, about: About): string {
  return apiPath(kind, { ...namespaceInPath(kind, ref, about), name: ref.name }, about)
}

/** A namespaced object needs a namespace in its path: without one the server would not find it and not say why. */
function namespaceInPath(kind: ServedKind, ref: Ref, about: About): { readonly namespace?: string } {
  if (!kind.isNamespaced) return {}
  if (ref.namespace !== undefined && ref.namespace !== '') return { namespace: ref.namespace }
  throw new ApiError({
    ...about,
    status: 400,
    reason: 'BadRequest',
    message: 'the object has no namespace',
    causes: [],
  })
}

/** Without what the server refuses in a body: managed fields, and the namespace of a cluster-scoped object. */
function objectToSend(object: KubeObject, kind: ServedKind): KubeObject {
  const { managedFields: _, namespace, ...metadata } = object.metadata
  return { ...object, metadata: kind.isNamespaced && namespace !== undefined ? { ...metadata, namespace } : metadata }
}
