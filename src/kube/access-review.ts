import type { V1SelfSubjectAccessReview, V1SelfSubjectRulesReview } from '@kubernetes/client-node'
import { defined } from '../model/defined.ts'
import { isApiError } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import { arrayAt, at, type JsonValue, type Wire } from '../model/object.ts'
import type { AccessRequest } from '../ports.ts'
import { parseAnswer } from './api-answer.ts'
import { ONE_OBJECT_MS } from './patience.ts'
import type { Requests } from './request.ts'

/** From this many questions about one namespace on, the list of rules is asked for first. */
const RULES_FROM_QUESTIONS = 4
const API_VERSION = 'authorization.k8s.io/v1'

/**
 * Answers in the order of the questions. One request lists what is allowed in a namespace; only what that list does not grant is
 * asked one by one, because authorizers other than RBAC need not show up in it. Neither request changes anything.
 */
export async function mayI(
  requests: Pick<Requests, 'send'>,
  questions: readonly AccessRequest[],
  signal?: AbortSignal,
): Promise<readonly boolean[]> {
  const byNamespace = new Map<string, AccessRequest[]>()
  for (const question of questions) {
    if (question.namespace === undefined) continue
    byNamespace.set(question.namespace, [...(byNamespace.get(question.namespace) ?? []), question])
  }
  const rules = new Map(
    await Promise.all(
      [...byNamespace]
        .filter(([, members]) => members.length >= RULES_FROM_QUESTIONS)
        .map(async ([namespace]) => [namespace, await rulesIn(requests, namespace, signal)] as const),
    ),
  )
  const asked = new Map<string, Promise<boolean>>()
  return Promise.all(
    questions.map((question) => {
      const granted = question.namespace === undefined ? [] : (rules.get(question.namespace) ?? [])
      if (granted.some((rule) => grants(rule, question))) return true
      const key = JSON.stringify(question)
      const answer = asked.get(key) ?? isAllowed(requests, question, signal)
      asked.set(key, answer)
      return answer
    }),
  )
}

async function rulesIn(
  requests: Pick<Requests, 'send'>,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<readonly JsonValue[]> {
  try {
    const review = { apiVersion: API_VERSION, kind: 'SelfSubjectRulesReview', spec: { namespace } } as const
    return arrayAt(await postReview(requests, review, signal), 'status', 'resourceRules')
  } catch (error) {
    if (!isApiError(error) || error.details.status === 0) throw error
    return [] // then each question is asked by itself
  }
}

async function isAllowed(
  requests: Pick<Requests, 'send'>,
  question: AccessRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [resource = '', subresource] = question.resource.split('/')
  const resourceAttributes = { ...question, resource, ...defined({ subresource }) }
  const review = { apiVersion: API_VERSION, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } } as const
  return at(await postReview(requests, review, signal), 'status', 'allowed') === true
}

async function postReview(
  requests: Pick<Requests, 'send'>,
  review: Review,
  signal: AbortSignal | undefined,
): Promise<JsonValue> {
  const request = {
    doing: 'ask what this account may do',
    method: 'POST',
    path: `/apis/${API_VERSION}/${review.kind.toLowerCase()}s`,
    body: { type: 'application/json', text: stringifyJson(review) },
    isRepeatable: true,
    answersWithinMs: ONE_OBJECT_MS,
  } as const
  return parseAnswer(await requests.send(signal === undefined ? request : { ...request, signal }), request)
}

type Review =
  | (Wire<V1SelfSubjectAccessReview> & { readonly kind: 'SelfSubjectAccessReview' })
  | (Wire<V1SelfSubjectRulesReview> & { readonly kind: 'SelfSubjectRulesReview' })

/** Whether a rule of RBAC covers a question. `resource` may name a subresource: `pods/log`. */
function grants(rule: JsonValue, { verb, group, resource, name }: AccessRequest): boolean {
  const names = arrayAt(rule, 'resourceNames')
  return (
    covers(arrayAt(rule, 'verbs'), verb) &&
    covers(arrayAt(rule, 'apiGroups'), group) &&
    covers(arrayAt(rule, 'resources'), resource) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  )
}

function covers(allowed: readonly JsonValue[], wanted: string): boolean {
  return allowed.includes('*') || allowed.includes(wanted)
}
