/**
 * What a change means to the person who reviews it, as data: found on the real values, while every text in it is masked as
 * the objects of the plan are. Reports word it; the JSON plan has it as it is.
 */
export interface Impact {
  readonly risk: Risk
  /** Every field that differs, the one that matters most first. Empty where there is nothing to compare with. */
  readonly fields: readonly FieldChange[]
  /** Set where nothing changes but what needs no review. */
  readonly noise?: Noise
  /**
   * Beside `fields`, of a plan without a cluster: what the chart states or leaves out, or writes otherwise, while the API server
   * stores the same.
   */
  readonly respelled?: readonly FieldChange[]
  /** Paths of `fields` that the API server refuses to change, where nobody has asked it. */
  readonly immutable?: readonly string[]
  /** Images of containers that change. */
  readonly images?: readonly ImageChange[]
  /** Of containers that are new, masked: those that nothing of the release ran before. */
  readonly newImages?: readonly string[]
  /** Of containers that go, masked: those that nothing of the release runs any more. */
  readonly goneImages?: readonly string[]
  /** Set where pods are replaced, or stay although their template changes. */
  readonly restart?: Restart
  /** Set where updates of a workload come to stop half of its pods at once, or all of a few. */
  readonly atOnce?: AtOnce
  /** Set where a workload gets other pods in number. */
  readonly scale?: Scale
  /** The HorizontalPodAutoscaler of the release that decides about the number of pods where the workload no longer does. */
  readonly scaledBy?: Autoscaler
  /** Set where a PodDisruptionBudget allows more or fewer evictions. */
  readonly evictions?: BudgetChange
  /** Set where a PodDisruptionBudget asks for something else, and the number of its pods is known. */
  readonly evictable?: Evictable
  /** Set where accounts may do more or less than before, by roles and bindings. */
  readonly access?: Access
  /** Set where pods come to have what Pod Security Standards forbid, or no longer have it. */
  readonly podSecurity?: PodSecurity
  /** What containers that stay may no longer do. */
  readonly podLimits?: readonly PodLimit[]
  /** What no longer looks after containers that stay. */
  readonly podLosses?: readonly PodLoss[]
  /** Secrets and ConfigMaps that containers which stay come to read. */
  readonly podSources?: readonly PodSource[]
  /** Init containers that come new, sidecars aside: new pods start only once they have ended. */
  readonly startsAfter?: readonly string[]
  /** Of a hook before the main stage that runs something else than before: if it fails, what comes after it is not changed. */
  readonly runsFirst?: true
  /** Set where Services, Ingresses or NetworkPolicies let others reach pods, or no longer do. */
  readonly traffic?: readonly TrafficChange[]
  /** Of a CronJob that comes to run at other times, no longer, or again. */
  readonly schedule?: ScheduleChange
  /**
   * Objects of the release that refer to a new one by its name: pods that read a Secret, an Ingress that leads to a Service. Of
   * one that is deleted: those that still need it, and Services that find no other pods; empty: nothing refers to a Secret or a
   * ConfigMap that is deleted.
   */
  readonly usedBy?: readonly string[]
  /**
   * Of a ConfigMap or Secret that changes: workloads of the release whose pods have the old values until they restart, which
   * nothing in the plan makes them do.
   */
  readonly staleIn?: readonly string[]
  /**
   * Workloads of the release that a new Service or PodDisruptionBudget selects, or a new HorizontalPodAutoscaler scales; of
   * one that is deleted, those that stay. Empty: it selects none; absent where that is not known.
   */
  readonly workloads?: readonly string[]
  /** Set where labels or annotations switch what others do with the object or its pods. */
  readonly steering?: readonly SteeringChange[]
  /** Set where webhooks or admission policies decide about other requests, or otherwise. */
  readonly admission?: readonly AdmissionChange[]
  /** Set where the object decides about others by what it is: a class, a limit, an account, an API, a CRD. */
  readonly effects?: readonly ObjectEffect[]
  /** Of a CustomResourceDefinition that is new or of which more changes than descriptions and metadata. */
  readonly schema?: SchemaImpact
}

/** The riskiest first: tables, diffs and what is left out where space is short go down this list. */
export const risks = [
  'deleted',
  'recreated',
  'stopped',
  'access',
  'schema',
  'restart',
  'reverted',
  'removed',
  'new',
  'other',
] as const

/**
 * `deleted`: what held data or carries other objects goes for good. `recreated`: also what only a recreation could change.
 * `stopped`: what runs, serves or guards is deleted, or an
 * object of a kind that only its own controller knows. `access`: an account, a webhook or a pod gets to do more, or who
 * reaches pods changes, a class, a limit or an API decides otherwise
 * about others, or a label or an annotation takes away what guards them. `schema`: a CRD drops a version or refuses what
 * it took before. `restart`: pods are replaced, half of them or more stop, none may be evicted, or a CronJob is suspended.
 * `reverted`: what somebody else changed in the cluster is undone. `removed`: any
 * other object is deleted.
 */
export type Risk = (typeof risks)[number]

/**
 * What needs no review: all that changes is metadata of the object itself that steers nothing. `labels`: keys that only name the chart's version
 * or its tool. `checksum`: also checksums of other objects. `metadata`: also annotations that are known to be for people
 * or for the tool that wrote them. `descriptions`: also what a CRD says of its fields for people. `spelling`: the API server
 * stores the same, of a plan without a cluster (docs/decisions/0040).
 */
export type Noise = 'labels' | 'checksum' | 'metadata' | 'descriptions' | 'spelling'

/** One field that differs. */
export interface FieldChange {
  /** Keys, and items of lists by name where they have one: `spec.template.spec.containers[app].image`. */
  readonly path: string
  /** JSON pointer into the object afterwards; of what is removed, into the one before. */
  readonly pointer: string
  /** JSON pointer into the object before, where an item of a list stood at another index. */
  readonly pointerBefore?: string
  /** `list`: items of a list that have no names. `moved`: the same items in another order. */
  readonly kind: 'added' | 'removed' | 'changed' | 'list' | 'moved'
  /** Of a short scalar, masked; absent for everything else. */
  readonly before?: string
  readonly after?: string
  /** Of containers that are added or removed, where they name an image. */
  readonly containers?: readonly ContainerImage[]
  /** Of an image, as in `ImageChange`. */
  readonly jump?: ImageChange['jump']
  /** Of a `list`: how many items are new, and how many are gone. */
  readonly itemsAdded?: number
  readonly itemsRemoved?: number
  /** Of a text of several lines, or JSON, that is new or changes. */
  readonly text?: TextChange
}

/** How a text changes, as a reader may see it. */
export interface TextChange {
  readonly linesAdded: number
  readonly linesRemoved: number
  /** Where both are JSON or YAML: the first values that differ; empty where only the layout or comments do. */
  readonly values?: readonly Pick<FieldChange, 'path' | 'kind' | 'before' | 'after' | 'itemsAdded' | 'itemsRemoved'>[]
  readonly moreValues?: number
}

/** What a container runs, masked. */
export interface ContainerImage {
  readonly name: string
  readonly image: string
  /** An init container that restarts always: it runs as long as the pod does. */
  readonly isSidecar?: true
}

/** An image, masked, that a container runs in the place of another one. */
export interface ImageChange {
  readonly before: string
  readonly after: string
  /** Where the tags are versions, and their major parts differ. */
  readonly jump?: 'major' | 'major-downgrade'
  /** How many other objects of the release still run the image of before. */
  readonly stillIn?: number
}

/** How the pods of a workload are replaced, and why. */
export interface Restart {
  /**
   * `on-delete`: they stay until somebody deletes them. `partial`: a partition holds some of them back. `paused`: they
   * stay until the rollout is resumed. `next-run`: a CronJob runs the new ones from its next run.
   * `suspended`: it runs none until it is resumed.
   */
  readonly how: 'rolling' | 'recreate' | 'on-delete' | 'partial' | 'paused' | 'next-run' | 'suspended'
  /** What of the template changes; from `metadata` on: nothing but its labels and annotations, or only those named. */
  readonly because: 'image' | 'template' | 'metadata' | 'labels' | 'annotations' | 'versions' | 'checksum'
  /** Of `checksum`: ConfigMaps and Secrets of the release that change and that the pods read. */
  readonly checksumOf?: readonly string[]
  /**
   * How many pods there are now and stay. Absent where it is not known: of a DaemonSet without a live object, and where an
   * autoscaler decides.
   */
  readonly replicas?: number
  /** How many of them a partition holds back. */
  readonly held?: number
  /** For a while no pod is available. */
  readonly hasGap?: true
  /** The HorizontalPodAutoscaler of the release that scales the workload. */
  readonly autoscaler?: Autoscaler
  /** The PodDisruptionBudget of the release that covers the pods. */
  readonly budget?: Budget
}

/** `maxUnavailable`: `50%` or `3`; where nothing is said the default of the kind, and `0` where an update stops none. */
export interface AtOnce {
  readonly before: string
  readonly after: string
}

export interface Scale {
  readonly from: number
  readonly to: number
}

/** An absent side: it does not run then, because it is suspended. */
export interface ScheduleChange {
  readonly before?: Schedule
  readonly after?: Schedule
}

/** Texts are masked. */
export interface Schedule {
  /** `0 3 * * *` */
  readonly expression: string
  /** Absent: that of the cluster's controller manager. */
  readonly timeZone?: string
}

export interface Autoscaler {
  readonly name: string
  readonly minReplicas?: number
  readonly maxReplicas?: number
}

/** `closed`: no pod may be evicted, so that no node can be drained. */
export type BudgetChange = 'tighter' | 'looser' | 'closed'

/** How many of the pods may be evicted at once. */
export interface Evictable {
  readonly pods: number
  readonly before: number
  readonly after: number
}

export interface Budget {
  readonly name: string
  /** As written: `1` or `50%`. */
  readonly minAvailable?: string
  readonly maxUnavailable?: string
  /** Whether the update leaves as many pods available as the budget asks for; absent where that is not known. */
  readonly isKept?: boolean
  /** Where it is not kept, and the number of pods is known. */
  readonly exceeded?: ExceededBudget
}

export interface ExceededBudget {
  readonly pods: number
  /** Pods that the update may take down at once, and those that the budget lets be missing. */
  readonly down: number
  readonly allowed: number
}

/** What roles and bindings allow, compared with before. */
export interface Access {
  readonly gained: readonly Grant[]
  readonly lost: readonly Grant[]
  /** `same`: the rules are written otherwise and allow the same. `too-large`: more rules than are compared. */
  readonly rules?: 'same' | 'too-large'
  /** Which roles a ClusterRole collects by their labels. */
  readonly aggregation?: 'added' | 'changed' | 'removed'
  /**
   * Of a role that allows more: nothing of the release gives it to anybody. `new`: nor can others have bound it yet.
   * `outside`: others may have.
   */
  readonly unbound?: 'new' | 'outside'
}

export interface Grant {
  /** Whom bindings of the release name. Empty: nobody, or somebody by a binding that is not of the release. */
  readonly accounts: readonly Account[]
  /** Of a binding: the role that it gives. */
  readonly role?: BoundRole
  /** What the role allows; of a binding, where the role is of the release. */
  readonly permissions: readonly Permission[]
  /** What is risky about the accounts and the role. */
  readonly marks: readonly AccessMark[]
  /** Permissions that are not listed, because there are too many. */
  readonly omitted?: number
}

export interface BoundRole {
  readonly kind: string
  readonly name: string
}

/** `ClusterRole`: all who have that role, because it collects others by their labels. */
export interface Account {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
  /** The namespace in which the rights count; absent: in the whole cluster. */
  readonly within?: string
}

/** A rule of a role, as short as it can be said: either resources, or paths of the API server. */
export interface Permission {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  /** Absent: objects of any name. */
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly marks: readonly AccessMark[]
}

/**
 * Why somebody should look twice. Source: docs/sources.md#kubernetes-rbac-good-practices. `exec`, `roles` and `apis` are
 * added: running commands in the pods of others, handing on what one may do, and answering requests to the API server.
 */
export type AccessMark =
  | 'wildcard'
  | 'secrets'
  | 'workloads'
  | 'exec'
  | 'volumes'
  | 'kubelet'
  | 'escalate'
  | 'bind'
  | 'impersonate'
  | 'roles'
  | 'certificates'
  | 'tokens'
  | 'admission'
  | 'namespaces'
  | 'cluster-admin'
  | 'apis'
  | 'anonymous'
  | 'everyone'
  | 'namespace-accounts'
  | 'default-account'
  | 'masters'

/** What pods may do beyond what is usual, compared with before. */
export interface PodSecurity {
  readonly gained: readonly PodPrivilege[]
  readonly lost: readonly PodPrivilege[]
}

/**
 * What the level Baseline of the Pod Security Standards forbids; from `root` on: what the level Restricted forbids, or what
 * hardened a container, where it was not so before. `capabilities-returned`: without a name those that a container has by
 * default. `no-seccomp`, `no-apparmor`: no profile is named any more, so that the node decides.
 * Source: docs/sources.md#kubernetes-pod-security-standards.
 */
export interface PodPrivilege {
  readonly what:
    | 'privileged'
    | 'host-network'
    | 'host-pid'
    | 'host-ipc'
    | 'host-process'
    | 'host-path'
    | 'host-port'
    | 'capability'
    | 'sysctl'
    | 'proc-mount'
    | 'seccomp-unconfined'
    | 'apparmor-unconfined'
    | 'selinux'
    | 'root'
    | 'maybe-root'
    | 'privilege-escalation'
    | 'capabilities-returned'
    | 'writable-root'
    | 'no-seccomp'
    | 'no-apparmor'
  /** Absent: all of the pod. */
  readonly container?: string
  /** The path, port, capability or sysctl. */
  readonly name?: string
}

/**
 * Something that a container could do before. `no-capabilities`: not even those that a container has by default; `names` are
 * those that it keeps, and of `fewer-capabilities` those that it loses. `not-root`: it does not start if its image runs as root.
 */
export interface PodLimit {
  readonly what: 'read-only-root' | 'no-capabilities' | 'fewer-capabilities' | 'not-root' | 'no-token'
  /** Absent: all of the pod. */
  readonly container?: string
  readonly names?: readonly string[]
  /** Of `read-only-root`: nor is a volume mounted in it that it can write to. */
  readonly hasNoVolume?: true
}

/**
 * A probe or a limit that is gone. `memory-limit`: of the container, and nothing of the release fills one in. `all-resources`: of all
 * containers, so that pods are of the class BestEffort.
 */
export interface PodLoss {
  readonly what: 'readiness-probe' | 'liveness-probe' | 'startup-probe' | 'memory-limit' | 'all-resources'
  /** Absent: all of the pod. */
  readonly container?: string
  /** Of `readiness-probe`: a Service of the release leads to the pods. */
  readonly isServed?: true
}

/** Where a container gets a Secret or a ConfigMap from now on. */
export interface PodSource {
  readonly into: 'env' | 'env-from' | 'volume'
  /** Absent: a volume of the pod. */
  readonly container?: string
  /** Of the variable or the volume. */
  readonly name?: string
  /** `Secret/web` */
  readonly from: string
  /** Of a variable. */
  readonly key?: string
  /** Pods start without it. */
  readonly isOptional?: true
  /** It is not of the release. */
  readonly isOutside?: true
  /** The variable had a value of its own. */
  readonly replacesValue?: true
}

/** One way in which it changes who reaches pods. Source: docs/sources.md#kubernetes-services-and-network-policies. */
export interface TrafficChange {
  readonly effect: TrafficEffect
  /**
   * Of an Ingress, hosts; of a Service, addresses and their ranges; of `accepts-all` and `connects-anywhere`, the workloads,
   * where it is not all pods of the namespace; of `port-gone`, ports; of `port-still-used`, who names it; of `unselected`,
   * Services; of `other-class`, the class before and after; of `class-moved`, the class; of `cuts-off`, Services and what leads
   * requests to them (Ingresses, webhooks), those that are reached from outside first.
   */
  readonly names?: readonly string[]
  /** Of `...-only`, whom it lets through; of `...-also` and `...-no-longer`, whom besides, and whom no more. */
  readonly peers?: readonly TrafficPeer[]
  /** Of a Service that comes to be reached from further away. */
  readonly ports?: readonly ReachedPort[]
  /** Of a load balancer: no source ranges limit it, nor an annotation that its cloud may read. */
  readonly isFromAnywhere?: true
  /** Of a Service that comes to be reached from further away: NetworkPolicies of the release that limit who reaches its pods. */
  readonly policies?: readonly string[]
  /** Of the same: these let nothing pass to any of its pods. */
  readonly isBlocked?: true
  /** Of `tls-first`: its controller redirects plain HTTP from then on. */
  readonly isRedirected?: true
}

export interface ReachedPort {
  /** `5432`, `53/UDP` */
  readonly port: string
  /** Of type NodePort, where it is given; else the cluster picks one. */
  readonly nodePort?: number
}

/** Whom a rule of a NetworkPolicy lets through: addresses, or pods by labels; without either anybody. */
export interface TrafficPeer {
  /** `10.0.0.0/8`, with what is left out of it. */
  readonly range?: string
  /** As `kubectl` takes labels: `app=db`; empty: all. */
  readonly pods?: string
  /** Of namespaces, likewise; absent: that of the policy. */
  readonly namespaces?: string
  /** `5432`, `53/UDP`; absent: all. */
  readonly ports?: readonly string[]
}

/**
 * Of a Service: from where it can be reached; `selects-none`: it selected pods of the release, and does so no more;
 * `port-gone`: it no longer answers on a port; `port-still-used`: a port goes that others name. Of a workload, `unselected`:
 * its pods get other labels, by which Services no longer find them. Of an Ingress, hosts that no other object of the release
 * serves, and its class; `tls-first`: of
 * hosts that it served without. Of a NetworkPolicy: `cuts-off`: no policy of the release lets connections to their pods through; `accepts-...` and `from-anywhere` are about connections to pods, the others about those that pods make.
 */
export type TrafficEffect =
  | 'load-balancer'
  | 'internal-load-balancer'
  | 'no-longer-internal'
  | 'node-port'
  | 'inside-only'
  | 'external-ips'
  | 'now-internal'
  | 'no-load-balancer'
  | 'headless'
  | 'port-gone'
  | 'port-still-used'
  | 'unselected'
  | 'any-source'
  | 'more-sources'
  | 'selects-none'
  | 'accepts-nothing'
  | 'cuts-off'
  | 'accepts-only'
  | 'accepts-also'
  | 'accepts-no-longer'
  | 'accepts-all'
  | 'from-anywhere'
  | 'connects-nowhere'
  | 'connects-only'
  | 'connects-also'
  | 'connects-no-longer'
  | 'connects-anywhere'
  | 'to-anywhere'
  | 'hosts-added'
  | 'hosts-removed'
  | 'tls-added'
  | 'tls-first'
  | 'tls-removed'
  | 'other-class'
  | 'class-moved'

/** A label or an annotation whose change means more than it says. Source: docs/sources.md#labels-and-annotations-that-steer. */
export interface SteeringChange {
  readonly effect: SteeringEffect
  /** `labels` or `annotations`: of the object, or of the pods that it makes. */
  readonly map: 'labels' | 'annotations'
  readonly key: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** Masked; absent where the value is long. */
  readonly before?: string
  readonly after?: string
}

/**
 * `...-sources`, `fewer-denied`: from which addresses requests are taken. `internet-facing`, `internal-only`: the load balancer
 * of an Ingress. `unpublished`: DNS names. `identity...`: the cloud account of pods, `identity` that of a new object. `kept`:
 * Helm leaves the object when it goes from the chart. `pods-...-limited`: the Pod Security Standard of a namespace.
 * `setting`: any other annotation by which a controller of Ingresses is set up.
 */
export type SteeringEffect =
  | 'any-source'
  | 'more-sources'
  | 'fewer-sources'
  | 'fewer-denied'
  | 'internet-facing'
  | 'internal-only'
  | 'no-authentication'
  | 'less-authentication'
  | 'other-authentication'
  | 'authentication'
  | 'fewer-middlewares'
  | 'firewall-off'
  | 'plain-http'
  | 'snippet'
  | 'unpublished'
  | 'identity'
  | 'identity-gained'
  | 'identity-other'
  | 'identity-lost'
  | 'kept'
  | 'no-longer-kept'
  | 'mesh-joined'
  | 'mesh-left'
  | 'pods-less-limited'
  | 'pods-more-limited'
  | 'default-class'
  | 'no-default-class'
  | 'setting'

/** To the safe side, or of a new object: nobody loses anything by it. */
export const harmlessSteering: ReadonlySet<SteeringEffect> = new Set<SteeringEffect>([
  'fewer-sources',
  'authentication',
  'identity',
  'kept',
  'mesh-joined',
  'no-default-class',
  'setting',
])

/** One way in which a webhook or an admission policy changes. */
export interface AdmissionChange {
  /** Its name; absent for a policy and its binding. */
  readonly webhook?: string
  readonly effect: AdmissionEffect
  /** Of `new`, `more-requests`, `fewer-requests`, `fails-...` and `other-authority...`: which requests. */
  readonly rules?: readonly AdmissionRule[]
  /** Of `...-namespaces` and `...-objects`: the labels that they must have, masked; empty for any. */
  readonly selectorBefore?: string
  readonly selectorAfter?: string
  /** Of `new`: the labels that namespaces and objects must have, masked; empty for any, absent where they are long. */
  readonly namespaces?: string
  readonly objects?: string
  /** Of `new-pods`: the workloads that answer; of `no-service` the Service. */
  readonly names?: readonly string[]
  /** Of `cut-off...`, `fails-...` and `other-authority...`: NetworkPolicies of the release that let nothing pass to the pods that answer. */
  readonly policies?: readonly string[]
  /** Requests may pass that a validating webhook or policy has refused. */
  readonly isHole?: true
}

export interface AdmissionRule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  readonly resources: readonly string[]
  /** `Cluster` or `Namespaced`; absent: both. */
  readonly scope?: string
}

/**
 * `other-...`: neither only more nor only fewer. `other-checks`: of a policy, what it looks at. `new-pods`: requests are refused
 * while it does not answer, and the pods that answer come with this plan. `no-service`: likewise, and the Service is not of the
 * release. `cut-off-open`: requests pass meanwhile.
 */
export type AdmissionEffect =
  | 'new'
  | 'gone'
  | 'more-requests'
  | 'fewer-requests'
  | 'too-large'
  | 'more-namespaces'
  | 'fewer-namespaces'
  | 'other-namespaces'
  | 'more-objects'
  | 'fewer-objects'
  | 'other-objects'
  | 'fewer-conditions'
  | 'more-conditions'
  | 'other-conditions'
  | 'fails-closed'
  | 'fails-open'
  | 'all-versions'
  | 'exact-versions'
  | 'other-service'
  | 'other-authority'
  | 'other-authority-open'
  | 'new-pods'
  | 'no-service'
  | 'cut-off'
  | 'cut-off-open'
  | 'other-checks'
  | 'denies'
  | 'denies-no-more'

/** What the change of one object means for others. Source: docs/sources.md#kubernetes-effects-on-others. */
export interface ObjectEffect {
  readonly effect: ObjectEffectWord
  /** Which others, or which of its members. */
  readonly names?: readonly string[]
  /** What was, masked: a level, a limit, a value. */
  readonly before?: string
  readonly after?: string
}

/**
 * `objects-deleted`: with a CRD or a Namespace; of a CRD `names` has those of the release. `removed-field-used`,
 * `unserved-version-used`: by custom resources of the release. `api-...`: of an APIService. `default-...`: of a
 * PriorityClass, for pods that name none. `less-than-asked`: `before` is what pods of the release ask for. `token-...`: of a
 * ServiceAccount, for those workloads. `no-service`: of a new StatefulSet, the Service of its pods' names is not of the release.
 */
export type ObjectEffectWord =
  | 'objects-deleted'
  | 'removed-field-used'
  | 'unserved-version-used'
  | 'api-served-otherwise'
  | 'api-unverified'
  | 'api-gone'
  | 'default-class'
  | 'default-class-no-more'
  | 'priority'
  | 'evicts'
  | 'evicts-no-more'
  | 'volumes-deleted'
  | 'volumes-kept'
  | 'limit-tighter'
  | 'less-than-asked'
  | 'token-mounted'
  | 'token-not-mounted'
  | 'handler'
  | 'no-service'

/** What changes in a CustomResourceDefinition. Of a new one: its versions, and nothing else. */
export interface SchemaImpact {
  /** Of the definition as a whole: scope, names, conversion. */
  readonly changes: readonly SchemaChange[]
  /** In all versions that stay, each place once. */
  readonly counts: SchemaCounts
  /** Those in which anything changes, in their order; what is dropped comes last. */
  readonly versions: readonly VersionImpact[]
}

export interface VersionImpact {
  readonly name: string
  /** Absent: the version is new. */
  readonly before?: VersionState
  /** Absent: the version is dropped. */
  readonly after?: VersionState
  /** Of a new version: the version before with which it is compared, the one that was stored. */
  readonly comparedWith?: string
  /** It is stored now, lacks fields of the version that was, and no webhook converts: their values get lost. */
  readonly isLossy?: true
  readonly counts: SchemaCounts
  /** What may break something first. */
  readonly changes: readonly SchemaChange[]
  /** Changes that are counted, but not listed. */
  readonly unlisted?: number
}

export interface VersionState {
  readonly isServed: boolean
  readonly isStored: boolean
  readonly isDeprecated: boolean
}

/** Fields by what happens to them; a whole structure that comes or goes counts with all fields inside. */
export interface SchemaCounts {
  readonly removed: number
  readonly required: number
  readonly tightened: number
  readonly changed: number
  readonly loosened: number
  readonly added: number
}

/**
 * `removes`: values get lost, or what was there is no longer served. `tightens`: objects may be refused that were
 * accepted before. `changes`: objects are treated otherwise, none is refused for it.
 */
export type SchemaEffect = 'removes' | 'tightens' | 'changes' | 'loosens' | 'adds'

/** One change of a schema, at one place or at several alike. */
export interface SchemaChange {
  /**
   * `field`: it appears or disappears with all that is inside. `required`: it must be set and has no default, or no
   * longer. `values`: an enum. `rule`: one of `x-kubernetes-validations`. `keyword`: any other, which `keyword` names.
   */
  readonly what: 'field' | 'required' | 'values' | 'rule' | 'keyword'
  readonly effect: SchemaEffect
  readonly keyword?: string
  /** Fields by name: `spec.containers[].image`, `spec.limits.*` for any key of a map; empty for the whole object. */
  readonly paths: readonly string[]
  /** Places of the same change beyond those of `paths`. */
  readonly morePaths?: number
  /** Of a field that appears or disappears: how many fields it is, with itself. */
  readonly fields?: number
  /** Masked and cut. Of `values` and `rule`: those that are gone, or the whole list where it disappears. */
  readonly before?: readonly string[]
  /** Of `values` and `rule`: those that are new, or the whole list where there was none. */
  readonly after?: readonly string[]
}
