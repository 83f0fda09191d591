import type { SteeringEffect } from '../model/impact.ts'

/** Labels or annotations by key, as texts. */
export type Texts = ReadonlyMap<string, string>

export interface KeyEffect {
  readonly effect: SteeringEffect
  readonly key: string
}

/** One way to prove who makes a request, by the ends of its keys. */
interface Mechanism {
  readonly keys: readonly string[]
  readonly isOn: (value: (end: string) => string | undefined) => boolean
  /** Of people, so that one of them may take the place of another. */
  readonly isOfUsers: boolean
}

const MECHANISMS: readonly Mechanism[] = [
  { keys: ['auth-url'], isOn: (value) => (value('auth-url') ?? '') !== '', isOfUsers: true },
  {
    keys: ['auth-type', 'auth-on-unauthenticated-request'],
    isOn: (value) =>
      !['', 'none'].includes(value('auth-type') ?? '') && value('auth-on-unauthenticated-request') !== 'allow',
    isOfUsers: true,
  },
  {
    keys: ['auth-tls-secret', 'auth-tls-verify-client'],
    isOn: (value) =>
      (value('auth-tls-secret') ?? '') !== '' &&
      !['off', 'optional_no_ca'].includes(value('auth-tls-verify-client') ?? ''),
    isOfUsers: false,
  },
]

/**
 * Whether requests to an Ingress have to prove who makes them, by annotations that count together.
 * Source: docs/sources.md#labels-and-annotations-that-steer.
 */
export function authenticationChanges(before: Texts, after: Texts): readonly KeyEffect[] {
  const isOn = (mechanism: Mechanism, texts: Texts) => mechanism.isOn((end) => byEnd(texts, end)?.[1])
  const came = MECHANISMS.filter((one) => !isOn(one, before) && isOn(one, after))
  const isAnyLeft = MECHANISMS.some((one) => isOn(one, after))
  return MECHANISMS.flatMap((one): readonly KeyEffect[] => {
    const key = changedKey(one.keys, before, after)
    if (key === undefined) return []
    const [was, is] = [isOn(one, before), isOn(one, after)]
    if (was && is) return [{ effect: 'other-authentication', key }]
    if (is) return [{ effect: 'authentication', key }]
    if (!was) return []
    const isReplaced = one.isOfUsers && came.some(({ isOfUsers }) => isOfUsers)
    const effect = isReplaced ? 'other-authentication' : isAnyLeft ? 'less-authentication' : 'no-authentication'
    return [{ effect, key }]
  }).filter(({ effect }, _index, all) => effect !== 'authentication' || all.length === 1)
}

/** Whether plain HTTP comes to be served instead of redirected. With TLS ingress-nginx redirects of itself. */
export function redirectChanges(
  before: Texts,
  after: Texts,
  hasTls: { readonly before: boolean; readonly after: boolean },
): readonly KeyEffect[] {
  const key = changedKey(['ssl-redirect', 'force-ssl-redirect'], before, after)
  if (key === undefined || !redirects(before, hasTls.before) || redirects(after, hasTls.after)) return []
  return [{ effect: 'plain-http', key }]
}

function redirects(texts: Texts, hasTls: boolean): boolean {
  if (byEnd(texts, 'force-ssl-redirect')?.[1] === 'true') return true
  const found = byEnd(texts, 'ssl-redirect')
  if (found !== undefined) return found[1] !== 'false'
  const isOfAlb = [...texts.keys()].some((one) => one.startsWith('alb.ingress.kubernetes.io/'))
  return hasTls && !isOfAlb
}

/** Whatever the prefix, which may be chosen. */
function byEnd(texts: Texts, end: string): readonly [key: string, value: string] | undefined {
  return [...texts].find(([key]) => key.endsWith(`/${end}`))
}

function changedKey(ends: readonly string[], before: Texts, after: Texts): string | undefined {
  const end = ends.find((one) => byEnd(before, one)?.[1] !== byEnd(after, one)?.[1])
  return end === undefined ? undefined : (byEnd(after, end) ?? byEnd(before, end))?.[0]
}
