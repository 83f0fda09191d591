import { CLOUD_IDENTITY } from '../manifest/metadata-keys.ts'
import type { SteeringEffect } from '../model/impact.ts'
import { addedRanges, isAnyAddress, rangesIn } from './address-ranges.ts'

/** Values of a label or an annotation; undefined where it is not set. */
export interface Values {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What one key decides. Source of each: docs/sources.md#labels-and-annotations-that-steer. */
export interface SteeringRule {
  /** On the object itself, or on the pods that it makes. */
  readonly on: 'object' | 'pods'
  /** Built-in kinds; absent: any. */
  readonly kinds?: readonly string[]
  readonly map: 'labels' | 'annotations'
  /** The whole key. */
  readonly key: RegExp
  /** Undefined where the change means nothing more than it says. */
  readonly judge: (values: Values) => SteeringEffect | undefined
  /** Of a new object: what it brings. Absent: nothing to tell. */
  readonly ofNew?: (value: string) => SteeringEffect | undefined
}

/** Controllers let the prefix of their annotations be chosen: those of Ingresses are known by their ends. */
export const steeringRules: readonly SteeringRule[] = [
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)(whitelist-source-range|allowlist-source-range|inbound-cidrs|allow-list|whitelist)$/,
    judge: allowedSources,
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)(denylist-source-range|deny-list|blacklist)$/,
    judge: ({ after, before }) =>
      addedRanges(rangesIn(after), rangesIn(before)).length > 0 ? 'fewer-denied' : undefined,
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /^alb\.ingress\.kubernetes\.io\/scheme$/,
    // Without it the load balancer is internal.
    judge: switched((value) => value === 'internet-facing', { on: 'internet-facing', off: 'internal-only' }),
    ofNew: (value) => (value === 'internet-facing' ? 'internet-facing' : undefined),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)[\w-]*-snippets?$/,
    judge: ({ after, before }) => (after === undefined || after === before ? undefined : 'snippet'),
    ofNew: () => 'snippet',
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)(enable-modsecurity|wafv2-acl-arn|waf-acl-id|web-acl-id)$/,
    judge: switched(isSet, { off: 'firewall-off' }),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)enable-global-auth$/,
    judge: switched((value) => value !== 'false', { on: 'authentication', off: 'no-authentication' }),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)(router\.middlewares|plugins)$/,
    judge: ({ after, before }) => (isShorter(before, after) ? 'fewer-middlewares' : undefined),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /(^|\/)router\.entrypoints$/,
    // Without it Traefik serves by all of its default entry points.
    judge: switched((value) => value === undefined || /(^|,\s*)(web|http)\s*(,|$)/.test(value), { on: 'plain-http' }),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    key: /^kubernetes\.io\/ingress\.allow-http$/,
    judge: switched((value) => value !== 'false', { on: 'plain-http' }),
  },
  {
    on: 'object',
    kinds: ['Ingress'],
    map: 'annotations',
    // Of the controllers, and of who makes its certificates; the class is told as such.
    key: /^([\w-]+\.)*(ingress\.kubernetes\.io|cert-manager\.io|haproxy\.org|konghq\.com|nginx\.org|traefik\.io|projectcontour\.io|networking\.gke\.io)\//,
    judge: ({ after, before }) => (after === before ? undefined : 'setting'),
  },
  {
    on: 'object',
    kinds: ['Service', 'Ingress'],
    map: 'annotations',
    key: /^external-dns\.alpha\.kubernetes\.io\/(internal-)?hostname$/,
    judge: ({ after, before }) => (isShorter(before, after) ? 'unpublished' : undefined),
  },
  {
    on: 'object',
    kinds: ['ServiceAccount'],
    map: 'annotations',
    key: CLOUD_IDENTITY,
    judge: identity,
    ofNew: () => 'identity',
  },
  {
    on: 'pods',
    map: 'annotations',
    key: /^(iam\.amazonaws\.com\/role|vault\.hashicorp\.com\/role)$/,
    judge: identity,
    ofNew: () => 'identity',
  },
  {
    on: 'object',
    map: 'annotations',
    key: /^(helm\.sh|werf\.io)\/resource-policy$/,
    judge: switched((value) => ['keep', 'skip-delete'].includes((value ?? '').trim().toLowerCase()), {
      on: 'kept',
      off: 'no-longer-kept',
    }),
  },
  ...(['labels', 'annotations'] as const).flatMap((map): readonly SteeringRule[] => [
    {
      on: 'pods',
      map,
      key: /^(sidecar\.istio\.io\/inject|linkerd\.io\/inject|kuma\.io\/sidecar-injection|consul\.hashicorp\.com\/connect-inject)$/,
      judge: mesh,
    },
    {
      on: 'object',
      kinds: ['Namespace'],
      map,
      key: /^(istio-injection|istio\.io\/(rev|dataplane-mode)|linkerd\.io\/inject|kuma\.io\/sidecar-injection)$/,
      judge: mesh,
    },
  ]),
  {
    on: 'object',
    kinds: ['Namespace'],
    map: 'labels',
    key: /^pod-security\.kubernetes\.io\/enforce$/,
    judge: ({ after, before }) => {
      const [old, now] = [podSecurityLevel(before), podSecurityLevel(after)]
      return old === now ? undefined : now < old ? 'pods-less-limited' : 'pods-more-limited'
    },
  },
  {
    on: 'object',
    kinds: ['StorageClass', 'IngressClass'],
    map: 'annotations',
    key: /^(storageclass|ingressclass)\.(beta\.)?kubernetes\.io\/is-default-class$/,
    judge: switched((value) => value === 'true', { on: 'default-class', off: 'no-default-class' }),
    ofNew: (value) => (value === 'true' ? 'default-class' : undefined),
  },
]

/** Nothing said: everybody. */
function allowedSources({ after, before }: Values): SteeringEffect | undefined {
  const [old, now] = [rangesIn(before), rangesIn(after)]
  const [wasOpen, isOpen] = [old, now].map((ranges) => ranges.length === 0 || ranges.some(isAnyAddress))
  if (wasOpen === isOpen && wasOpen === true) return undefined
  if (isOpen === true) return 'any-source'
  if (wasOpen === true) return 'fewer-sources'
  return addedRanges(old, now).length > 0
    ? 'more-sources'
    : addedRanges(now, old).length > 0
      ? 'fewer-sources'
      : undefined
}

function identity({ after, before }: Values): SteeringEffect | undefined {
  if (before === after) return undefined
  if (after === undefined) return 'identity-lost'
  return before === undefined ? 'identity-gained' : 'identity-other'
}

function mesh(values: Values): SteeringEffect | undefined {
  const isOff = (value: string | undefined) => value === 'false' || value === 'disabled' || value === 'none'
  if (isOff(values.after) && !isOff(values.before)) return 'mesh-left'
  if (values.after === undefined) return values.before === undefined || isOff(values.before) ? undefined : 'mesh-left'
  return values.before === undefined || isOff(values.before) ? 'mesh-joined' : undefined
}

/** Source: docs/sources.md#kubernetes-pod-security-standards. Without a label nothing is enforced. */
function podSecurityLevel(value: string | undefined): number {
  return ['baseline', 'restricted'].indexOf(value ?? '')
}

function switched(
  isOn: (value: string | undefined) => boolean,
  effects: { readonly on?: SteeringEffect; readonly off?: SteeringEffect },
): SteeringRule['judge'] {
  return ({ after, before }) => {
    if (isOn(before) === isOn(after)) return undefined
    return isOn(after) ? effects.on : effects.off
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false'
}

/** A list of which something is gone. */
function isShorter(before: string | undefined, after: string | undefined): boolean {
  const left = new Set(rangesIn(after))
  return rangesIn(before).some((one) => !left.has(one))
}
