import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FetchedPart } from '../../../src/model/chart-source.ts'
import type { DeletePropagation, LinePattern, LogRules, PropertyWait, Tracking } from '../../../src/model/directives.ts'
import {
  type Access,
  type AccessMark,
  type Account,
  type AdmissionChange,
  type AdmissionEffect,
  type AdmissionRule,
  type Autoscaler,
  type BoundRole,
  type Budget,
  type BudgetChange,
  type ContainerImage,
  type Evictable,
  type ExceededBudget,
  type FieldChange,
  type Grant,
  type ImageChange,
  type Impact,
  type Noise,
  type ObjectEffect,
  type Permission,
  type PodLimit,
  type PodLoss,
  type PodPrivilege,
  type PodSecurity,
  type PodSource,
  type ReachedPort,
  type Restart,
  risks,
  type Scale,
  type Schedule,
  type ScheduleChange,
  type SchemaChange,
  type SchemaCounts,
  type SchemaEffect,
  type SchemaImpact,
  type SteeringChange,
  type SteeringEffect,
  type TextChange,
  type TrafficChange,
  type TrafficEffect,
  type TrafficPeer,
  type VersionImpact,
  type VersionState,
} from '../../../src/model/impact.ts'
import { arrayAt, at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/model/object.ts'
import type { FailureReason } from '../../../src/model/outcome.ts'
import type { PassResult } from '../../../src/model/pass.ts'
import type {
  ApplyOperation,
  AwaitGoal,
  AwaitOperation,
  ChangeKind,
  ComparedBy,
  DeleteOperation,
  Drift,
  Group,
  OpenInPlan,
  Plan,
  PodLabel,
  Reason,
  RenamedFrom,
  RevisionCause,
  Stage,
  Untouched,
  UntouchedReason,
} from '../../../src/model/plan.ts'
import type { Place, Problem } from '../../../src/model/problem.ts'
import type { Ref } from '../../../src/model/ref.ts'
import type { ChartInfo } from '../../../src/model/rendered.ts'
import type { StageName, Verb } from '../../../src/model/verb.ts'
import { makePlan } from '../../../src/plan/make-plan.ts'
import { planJson } from '../../../src/report/outputs/plan-file.ts'
import type { Counts } from '../../../src/report/rows/counts.ts'
import { parseGiven, planInput } from '../../plan/given.ts'
import { parseCase, plannedPass } from '../comments/comment-case.ts'
import { hostilePass } from '../hostile.ts'
import { pass } from '../runs.ts'
import { blockedPlan, installPlan, noisyPlan, offlinePlan, several, uninstallPlan, weakPlan } from '../shapes.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../docs/plan.schema.json', import.meta.url), 'utf8'),
) as JsonObject
const validate = new Ajv2020({ strict: true, allErrors: false }).compile(schema)

/** What is wrong with the JSON of these passes, or undefined. */
function mistakeOf(passes: readonly PassResult[]): string | undefined {
  const document = JSON.parse(planJson(passes))
  if (validate(document)) return undefined
  return JSON.stringify(validate.errors?.slice(0, 5), undefined, 2)
}

function filesIn(folder: string): readonly { readonly name: string; readonly text: string }[] {
  const url = new URL(folder, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({ name, text: readFileSync(new URL(name, url), 'utf8') }))
}

describe('the JSON plan is as its schema says', () => {
  test.each(filesIn('../../plan/cases/'))('of the golden plan $name', ({ text }) => {
    const { plan } = makePlan(planInput(parseGiven(text)))

    expect(mistakeOf([pass({ plan, problems: plan.problems })])).toBeUndefined()
  })

  test.each(filesIn('../comments/'))('of the golden comment $name', ({ text }) => {
    expect(mistakeOf([plannedPass(parseCase(text))])).toBeUndefined()
  })

  test('of each shape that a report has', () => {
    const { plan: _plan, ...unplanned } = blockedPlan
    const shapes = [installPlan, noisyPlan, offlinePlan, uninstallPlan, weakPlan, blockedPlan, unplanned]

    expect(shapes.map((shape) => mistakeOf([shape]))).toEqual(shapes.map(() => undefined))
    expect(mistakeOf(several())).toBeUndefined()
    expect(mistakeOf([])).toBeUndefined()
  })

  test('of any plan, whatever its texts', () => {
    fc.assert(
      fc.property(hostilePass, (one) => {
        expect(mistakeOf([one])).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })
})

test.each([
  ['of another version', { version: 1 }],
  ['with a field that nobody knows', { extra: true }],
  [
    'with a release that lacks its plan',
    { releases: [{ release: 'web', namespace: 'shop', isPlanned: true, problems: [] }] },
  ],
  ['with a hash that is none', { hash: 'none' }],
])('a document %s is refused', (_what, change) => {
  const document = JSON.parse(planJson([weakPlan]))

  expect([validate(document), validate({ ...document, ...change })]).toEqual([true, false])
})

/** All members of a closed list: the compiler asks for each, and refuses any other. */
function allOf<Word extends string>(words: { readonly [Each in Word]: true }): readonly string[] {
  return Object.keys(words).sort()
}

/** All members of a type, needed or not. */
function membersOf<Type>(members: { readonly [Key in keyof Required<Type>]: true }): readonly string[] {
  return Object.keys(members).sort()
}

describe('the schema has the closed lists of the code', () => {
  test.each<readonly [string, readonly string[]]>([
    ['verb', allOf<Verb>({ install: true, upgrade: true, rollback: true, uninstall: true, test: true })],
    [
      'stageName',
      allOf<StageName>({ crds: true, pre: true, main: true, delete: true, prune: true, post: true, test: true }),
    ],
    [
      'revisionCause',
      allOf<RevisionCause>({
        'hooks-run': true,
        'first-revision': true,
        'last-not-deployed': true,
        'other-revision': true,
        'chart-version': true,
        chart: true,
        values: true,
        manifest: true,
        hooks: true,
        'test-hooks': true,
        notes: true,
      }),
    ],
    ['propagation', allOf<DeletePropagation>({ Foreground: true, Background: true, Orphan: true })],
    ['plannedRelease.comparedBy', allOf<ComparedBy>({ 'dry-run': true, 'rendered-fields': true, 'base-render': true })],
    ['applyOperation.change', allOf<ChangeKind>({ create: true, update: true, recreate: true, none: true })],
    ['deleteOperation.onlyIf', allOf<NonNullable<DeleteOperation['onlyIf']>>({ succeeded: true, failed: true })],
    [
      'awaitOperation.until',
      allOf<AwaitGoal>({
        ready: true,
        complete: true,
        failed: true,
        established: true,
        readable: true,
        properties: true,
      }),
    ],
    ['awaitOperation.failure', allOf<AwaitOperation['failure']>({ stop: true, ignore: true, last: true })],
    ['impact.risk', [...risks].sort()],
    [
      'impact.noise',
      allOf<Noise>({ labels: true, checksum: true, metadata: true, descriptions: true, spelling: true }),
    ],
    [
      'fieldChange.kind',
      allOf<FieldChange['kind']>({ added: true, removed: true, changed: true, list: true, moved: true }),
    ],
    [
      'restart.how',
      allOf<Restart['how']>({
        rolling: true,
        recreate: true,
        'on-delete': true,
        partial: true,
        paused: true,
        'next-run': true,
        suspended: true,
      }),
    ],
    [
      'restart.because',
      allOf<Restart['because']>({
        image: true,
        template: true,
        metadata: true,
        labels: true,
        annotations: true,
        versions: true,
        checksum: true,
      }),
    ],
    [
      'schemaChange.what',
      allOf<SchemaChange['what']>({ field: true, required: true, values: true, rule: true, keyword: true }),
    ],
    [
      'schemaChange.effect',
      allOf<SchemaEffect>({ removes: true, tightens: true, changes: true, loosens: true, adds: true }),
    ],
    ['impact.evictions', allOf<BudgetChange>({ tighter: true, looser: true, closed: true })],
    ['imageChange.jump', allOf<NonNullable<ImageChange['jump']>>({ major: true, 'major-downgrade': true })],
    ['fieldChange.jump', allOf<NonNullable<FieldChange['jump']>>({ major: true, 'major-downgrade': true })],
    [
      'admissionChange.effect',
      allOf<AdmissionEffect>({
        'new': true,
        gone: true,
        'more-requests': true,
        'fewer-requests': true,
        'too-large': true,
        'more-namespaces': true,
        'fewer-namespaces': true,
        'other-namespaces': true,
        'more-objects': true,
        'fewer-objects': true,
        'other-objects': true,
        'fewer-conditions': true,
        'more-conditions': true,
        'other-conditions': true,
        'fails-closed': true,
        'fails-open': true,
        'all-versions': true,
        'exact-versions': true,
        'other-service': true,
        'other-authority': true,
        'other-authority-open': true,
        'new-pods': true,
        'no-service': true,
        'cut-off': true,
        'cut-off-open': true,
        'other-checks': true,
        denies: true,
        'denies-no-more': true,
      }),
    ],
    ['access.unbound', allOf<NonNullable<Access['unbound']>>({ new: true, outside: true })],
    ['access.rules', allOf<NonNullable<Access['rules']>>({ same: true, 'too-large': true })],
    ['access.aggregation', allOf<NonNullable<Access['aggregation']>>({ added: true, changed: true, removed: true })],
    [
      'accessMark',
      allOf<AccessMark>({
        wildcard: true,
        secrets: true,
        workloads: true,
        exec: true,
        volumes: true,
        kubelet: true,
        escalate: true,
        bind: true,
        impersonate: true,
        roles: true,
        certificates: true,
        tokens: true,
        admission: true,
        namespaces: true,
        'cluster-admin': true,
        apis: true,
        anonymous: true,
        everyone: true,
        'namespace-accounts': true,
        'default-account': true,
        masters: true,
      }),
    ],
    [
      'trafficChange.effect',
      allOf<TrafficEffect>({
        'load-balancer': true,
        'internal-load-balancer': true,
        'no-longer-internal': true,
        'node-port': true,
        'inside-only': true,
        'external-ips': true,
        'now-internal': true,
        'no-load-balancer': true,
        headless: true,
        'port-gone': true,
        'port-still-used': true,
        unselected: true,
        'any-source': true,
        'more-sources': true,
        'selects-none': true,
        'accepts-nothing': true,
        'cuts-off': true,
        'accepts-only': true,
        'accepts-also': true,
        'accepts-no-longer': true,
        'accepts-all': true,
        'from-anywhere': true,
        'connects-nowhere': true,
        'connects-only': true,
        'connects-also': true,
        'connects-no-longer': true,
        'connects-anywhere': true,
        'to-anywhere': true,
        'hosts-added': true,
        'hosts-removed': true,
        'tls-added': true,
        'tls-first': true,
        'tls-removed': true,
        'other-class': true,
        'class-moved': true,
      }),
    ],
    ['steeringChange.map', allOf<SteeringChange['map']>({ labels: true, annotations: true })],
    ['steeringChange.kind', allOf<SteeringChange['kind']>({ added: true, removed: true, changed: true })],
    [
      'steeringChange.effect',
      allOf<SteeringEffect>({
        'any-source': true,
        'more-sources': true,
        'fewer-sources': true,
        'fewer-denied': true,
        'internet-facing': true,
        'internal-only': true,
        'no-authentication': true,
        'less-authentication': true,
        'other-authentication': true,
        authentication: true,
        'fewer-middlewares': true,
        'firewall-off': true,
        'plain-http': true,
        snippet: true,
        unpublished: true,
        identity: true,
        'identity-gained': true,
        'identity-other': true,
        'identity-lost': true,
        kept: true,
        'no-longer-kept': true,
        'mesh-joined': true,
        'mesh-left': true,
        'pods-less-limited': true,
        'pods-more-limited': true,
        'default-class': true,
        'no-default-class': true,
        setting: true,
      }),
    ],
    [
      'podLimit.what',
      allOf<PodLimit['what']>({
        'read-only-root': true,
        'no-capabilities': true,
        'fewer-capabilities': true,
        'not-root': true,
        'no-token': true,
      }),
    ],
    [
      'podLoss.what',
      allOf<PodLoss['what']>({
        'readiness-probe': true,
        'liveness-probe': true,
        'startup-probe': true,
        'memory-limit': true,
        'all-resources': true,
      }),
    ],
    ['podSource.into', allOf<PodSource['into']>({ env: true, 'env-from': true, volume: true })],
    [
      'podPrivilege.what',
      allOf<PodPrivilege['what']>({
        privileged: true,
        'host-network': true,
        'host-pid': true,
        'host-ipc': true,
        'host-process': true,
        'host-path': true,
        'host-port': true,
        capability: true,
        sysctl: true,
        'proc-mount': true,
        'seccomp-unconfined': true,
        'apparmor-unconfined': true,
        selinux: true,
        root: true,
        'maybe-root': true,
        'privilege-escalation': true,
        'capabilities-returned': true,
        'writable-root': true,
        'no-seccomp': true,
        'no-apparmor': true,
      }),
    ],
    [
      'untouched.reason',
      allOf<UntouchedReason>({
        kept: true,
        'not-for-this-verb': true,
        'other-hook': true,
        'hooks-off': true,
        'other-hook-random-name': true,
        'changed-hook': true,
        'new-hook': true,
        'gone-hook': true,
        'not-owned': true,
        adopted: true,
        excluded: true,
        'skip-policy': true,
        'unused-annotation': true,
        'prune-disabled': true,
      }),
    ],
    ['problem.severity', allOf<Problem['severity']>({ error: true, warning: true })],
    [
      'problem.reason',
      allOf<FailureReason>({
        'invalid-input': true,
        'fetch-failed': true,
        'render-failed': true,
        'cluster-unreachable': true,
        forbidden: true,
        locked: true,
        conflict: true,
        immutable: true,
        'not-owned': true,
        rejected: true,
        'plan-changed': true,
        'approval-missing': true,
        'crd-not-established': true,
        'hook-failed': true,
        'not-ready': true,
        'test-failed': true,
        timeout: true,
        cancelled: true,
        internal: true,
      }),
    ],
  ])('%s', (place, words) => {
    const [name = '', ...keys] = place.split('.')
    const list = at(schema, '$defs', name, ...keys.flatMap((key) => ['properties', key]), 'enum')

    expect(texts(list)).toEqual(words)
  })

  test('reason.code', () => {
    const codes = arrayAt(schema, '$defs', 'reason', 'oneOf').flatMap((one) => {
      const code = at(one, 'properties', 'code')
      return isJsonArray(at(code, 'enum')) ? texts(at(code, 'enum')) : texts([at(code, 'const') ?? null])
    })

    expect(codes.sort()).toEqual(
      allOf<Reason['code']>({
        new: true,
        unchanged: true,
        'chart-changed': true,
        drift: true,
        both: true,
        immutable: true,
        'delete-policy': true,
        'unknown-until-applied': true,
        pruned: true,
        uninstalled: true,
      }),
    )
  })
})

describe('the schema has the members of the types', () => {
  const operation = { kind: true, id: true, ref: true, file: true, hook: true, dependsOnEarlier: true } as const

  test.each<readonly [string, readonly string[]]>([
    [
      'plannedRelease',
      membersOf<
        Plan &
          Pick<PassResult, 'chart' | 'previousChart' | 'previousRevision'> &
          Record<'isPlanned' | 'hash' | 'counts', 1>
      >({
        isPlanned: true,
        release: true,
        namespace: true,
        verb: true,
        chart: true,
        previousChart: true,
        previousRevision: true,
        revision: true,
        writesRevision: true,
        revisionBecause: true,
        comparedBy: true,
        hash: true,
        counts: true,
        stages: true,
        changedHooks: true,
        goneHooks: true,
        recordEnd: true,
        fetched: true,
        untouched: true,
        problems: true,
      }),
    ],
    [
      'fetched',
      membersOf<FetchedPart>({
        name: true,
        version: true,
        source: true,
        digest: true,
        signedBy: true,
        parent: true,
        isUnlocked: true,
      }),
    ],
    ['chart', membersOf<ChartInfo>({ name: true, version: true, appVersion: true })],
    [
      'counts',
      membersOf<Counts>({ create: true, update: true, recreate: true, delete: true, unchanged: true, hooks: true }),
    ],
    ['stage', membersOf<Stage>({ name: true, groups: true })],
    ['group', membersOf<Group>({ weight: true, deletionPhase: true, ranks: true })],
    [
      'applyOperation',
      membersOf<ApplyOperation>({
        ...operation,
        change: true,
        reason: true,
        before: true,
        after: true,
        impact: true,
        renamedFrom: true,
        propagation: true,
        varies: true,
        open: true,
        isWithoutDryRun: true,
        newSchema: true,
        isNotAwaited: true,
      }),
    ],
    ['openText', membersOf<OpenInPlan>({ path: true, of: true, text: true, isKnown: true })],
    ['openSource', membersOf<OpenInPlan['of'][number]>({ ref: true, path: true, isEncoded: true, value: true })],
    ['renamedFrom', membersOf<RenamedFrom>({ ref: true, isSame: true, object: true, podLabels: true })],
    [
      'deleteOperation',
      membersOf<DeleteOperation>({
        ...operation,
        reason: true,
        onlyIf: true,
        propagation: true,
        before: true,
        impact: true,
      }),
    ],
    [
      'awaitOperation',
      membersOf<AwaitOperation>({
        ...operation,
        until: true,
        failure: true,
        tracking: true,
        isExternal: true,
        isOfEarlierRun: true,
        properties: true,
        outputLogsOn: true,
      }),
    ],
    ['awaitOperation.properties[]', membersOf<PropertyWait>({ path: true, value: true })],
    ['ref', membersOf<Ref>({ apiVersion: true, kind: true, namespace: true, name: true })],
    [
      'impact',
      membersOf<Impact>({
        risk: true,
        fields: true,
        respelled: true,
        noise: true,
        immutable: true,
        restart: true,
        atOnce: true,
        images: true,
        newImages: true,
        goneImages: true,
        scale: true,
        evictions: true,
        evictable: true,
        access: true,
        scaledBy: true,
        podLimits: true,
        podLosses: true,
        podSources: true,
        startsAfter: true,
        runsFirst: true,
        podSecurity: true,
        traffic: true,
        schedule: true,
        usedBy: true,
        staleIn: true,
        workloads: true,
        steering: true,
        admission: true,
        effects: true,
        schema: true,
      }),
    ],
    ['evictable', membersOf<Evictable>({ pods: true, before: true, after: true })],
    ['podLabel', membersOf<PodLabel>({ key: true, before: true, after: true })],
    ['scheduleChange', membersOf<ScheduleChange>({ before: true, after: true })],
    ['schedule', membersOf<Schedule>({ expression: true, timeZone: true })],
    [
      'trafficChange',
      membersOf<TrafficChange>({
        effect: true,
        names: true,
        peers: true,
        ports: true,
        isFromAnywhere: true,
        policies: true,
        isBlocked: true,
        isRedirected: true,
      }),
    ],
    ['reachedPort', membersOf<ReachedPort>({ port: true, nodePort: true })],
    ['trafficPeer', membersOf<TrafficPeer>({ range: true, pods: true, namespaces: true, ports: true })],
    [
      'steeringChange',
      membersOf<SteeringChange>({ effect: true, map: true, key: true, kind: true, before: true, after: true }),
    ],
    ['podSecurity', membersOf<PodSecurity>({ gained: true, lost: true })],
    ['podLimit', membersOf<PodLimit>({ what: true, container: true, names: true, hasNoVolume: true })],
    ['podLoss', membersOf<PodLoss>({ what: true, container: true, isServed: true })],
    [
      'podSource',
      membersOf<PodSource>({
        into: true,
        container: true,
        name: true,
        from: true,
        key: true,
        isOptional: true,
        isOutside: true,
        replacesValue: true,
      }),
    ],
    ['podPrivilege', membersOf<PodPrivilege>({ what: true, container: true, name: true })],
    ['schemaImpact', membersOf<SchemaImpact>({ changes: true, counts: true, versions: true })],
    [
      'versionImpact',
      membersOf<VersionImpact>({
        name: true,
        before: true,
        after: true,
        comparedWith: true,
        isLossy: true,
        counts: true,
        changes: true,
        unlisted: true,
      }),
    ],
    ['versionState', membersOf<VersionState>({ isServed: true, isStored: true, isDeprecated: true })],
    [
      'schemaCounts',
      membersOf<SchemaCounts>({
        removed: true,
        required: true,
        tightened: true,
        changed: true,
        loosened: true,
        added: true,
      }),
    ],
    [
      'schemaChange',
      membersOf<SchemaChange>({
        what: true,
        effect: true,
        keyword: true,
        paths: true,
        morePaths: true,
        fields: true,
        before: true,
        after: true,
      }),
    ],
    [
      'fieldChange',
      membersOf<FieldChange>({
        path: true,
        pointer: true,
        pointerBefore: true,
        kind: true,
        before: true,
        after: true,
        containers: true,
        jump: true,
        itemsAdded: true,
        itemsRemoved: true,
        text: true,
      }),
    ],
    ['textChange', membersOf<TextChange>({ linesAdded: true, linesRemoved: true, values: true, moreValues: true })],
    ['fieldChange.containers[]', membersOf<ContainerImage>({ name: true, image: true, isSidecar: true })],
    [
      'restart',
      membersOf<Restart>({
        how: true,
        because: true,
        checksumOf: true,
        replicas: true,
        held: true,
        hasGap: true,
        autoscaler: true,
        budget: true,
      }),
    ],
    ['autoscaler', membersOf<Autoscaler>({ name: true, minReplicas: true, maxReplicas: true })],
    ['objectEffect', membersOf<ObjectEffect>({ effect: true, names: true, before: true, after: true })],
    [
      'admissionChange',
      membersOf<AdmissionChange>({
        webhook: true,
        effect: true,
        rules: true,
        selectorBefore: true,
        selectorAfter: true,
        isHole: true,
        namespaces: true,
        objects: true,
        names: true,
        policies: true,
      }),
    ],
    [
      'admissionRule',
      membersOf<AdmissionRule>({ operations: true, apiGroups: true, apiVersions: true, resources: true, scope: true }),
    ],
    ['imageChange', membersOf<ImageChange>({ before: true, after: true, jump: true, stillIn: true })],
    ['impact.scale', membersOf<Scale>({ from: true, to: true })],
    [
      'restart.budget',
      membersOf<Budget>({ name: true, minAvailable: true, maxUnavailable: true, isKept: true, exceeded: true }),
    ],
    ['restart.budget.exceeded', membersOf<ExceededBudget>({ pods: true, down: true, allowed: true })],
    ['access', membersOf<Access>({ gained: true, lost: true, rules: true, aggregation: true, unbound: true })],
    ['grant', membersOf<Grant>({ accounts: true, role: true, permissions: true, marks: true, omitted: true })],
    ['grant.role', membersOf<BoundRole>({ kind: true, name: true })],
    ['account', membersOf<Account>({ kind: true, name: true, namespace: true, within: true })],
    [
      'permission',
      membersOf<Permission>({
        verbs: true,
        apiGroups: true,
        resources: true,
        resourceNames: true,
        nonResourceURLs: true,
        marks: true,
      }),
    ],
    ['tracking', membersOf<Tracking>({ failuresAllowedPerReplica: true, noActivitySeconds: true, logs: true })],
    [
      'tracking.logs',
      membersOf<LogRules>({
        skip: true,
        skipContainers: true,
        onlyContainers: true,
        keep: true,
        drop: true,
        replicas: true,
      }),
    ],
    ['tracking.logs.keep[]', membersOf<LinePattern>({ pattern: true, container: true })],
    [
      'untouched',
      membersOf<Untouched>({ ref: true, reason: true, detail: true, before: true, after: true, impact: true }),
    ],
    ['problem', membersOf<Problem>({ severity: true, reason: true, place: true, what: true, hint: true })],
    ['problem.place', membersOf<Place>({ input: true, file: true, line: true, ref: true, key: true })],
  ])('%s', (place, members) => {
    const [name = '', ...keys] = place.split('.')
    const steps = keys.flatMap((key) =>
      key.endsWith('[]') ? ['properties', key.slice(0, -2), 'items'] : ['properties', key],
    )

    expect(namesOf(at(schema, '$defs', name, ...steps, 'properties'))).toEqual(members)
  })

  test('of drift', () => {
    const drift = arrayAt(schema, '$defs', 'reason', 'oneOf').flatMap(
      (one) => at(one, 'properties', 'drift', 'items', 'properties') ?? [],
    )

    expect(drift.map(namesOf)).toEqual(drift.map(() => membersOf<Drift>({ manager: true, path: true })))
    expect(drift).toHaveLength(2)
  })
})

describe('the schema', () => {
  const parts = partsOf(schema)

  test('describes every field, and every kind of object', () => {
    const fields = parts.flatMap(({ properties, type }) =>
      type === 'object' && isJsonObject(properties) ? Object.entries(properties) : [],
    )
    const undescribed = fields.filter(([, field]) => !isDescribed(field)).map(([name]) => name)

    expect(fields.length).toBeGreaterThan(100)
    expect(undescribed).toEqual([])
  })

  test('is closed: an object has the fields that it names, and needs those that are always there', () => {
    const open = parts.filter((part) => part.type === 'object' && part.additionalProperties !== false)

    expect(open).toEqual([at(schema, '$defs', 'object')])
  })

  test('defines nothing that is not used', () => {
    const used = new Set(parts.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').at(-1)] : [])))

    expect(namesOf(schema.$defs).filter((name) => !used.has(name))).toEqual([])
  })
})

function isDescribed(field: JsonValue | undefined): boolean {
  if (typeof at(field, 'description') === 'string') return true
  const name = String(at(field, '$ref')).split('/').at(-1) ?? ''
  return typeof at(schema, '$defs', name, 'description') === 'string'
}

/** Every object inside of a value, itself among them. */
function partsOf(value: JsonValue | undefined): readonly JsonObject[] {
  if (isJsonArray(value)) return value.flatMap(partsOf)
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(partsOf)] : []
}

function namesOf(object: JsonValue | undefined): readonly string[] {
  return isJsonObject(object) ? Object.keys(object).sort() : []
}

function texts(list: JsonValue | undefined): readonly string[] {
  return isJsonArray(list) ? list.map(String).sort() : []
}
