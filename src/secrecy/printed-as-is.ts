import type { AccessRequest } from '../model/access.ts'
import type { Tracking } from '../model/directives.ts'
import type { Event } from '../model/event.ts'
import type { Evidence, PodEvidence } from '../model/evidence.ts'
import type { Hint } from '../model/hint.ts'
import type { FieldChange, Grant, Impact, PodPrivilege, SchemaChange } from '../model/impact.ts'
import type { Failure } from '../model/outcome.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { Fingerprint, Operation, Plan, PlanDifference } from '../model/plan.ts'
import type { Place, Problem } from '../model/problem.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import type { Ref } from '../model/ref.ts'
import type { AsIs } from './as-is.ts'

const ref: AsIs<Ref> = { apiVersion: 'name', kind: 'name', namespace: 'name', name: 'name' }

const right: AsIs<AccessRequest> = { namespace: 'name' }

const hint: AsIs<Hint> = { kind: 'word', refusal: { kind: 'word' }, rights: right, revisions: {}, release: 'fact' }

const place: AsIs<Place> = { file: 'fact', ref }

export const problemAsIs: AsIs<Problem> = { severity: 'word', reason: 'word', place, hint }

const readiness: AsIs<ReadinessReason> = { code: 'word', what: 'word', pod: 'name', container: 'name' }

export const failureAsIs: AsIs<Failure> = {
  reason: 'word',
  ref,
  stage: 'word',
  operationId: 'fact',
  place: { file: 'fact' },
  hint,
  readiness,
  others: { ref, readiness },
}

const tracking: AsIs<Tracking> = {
  logs: { keep: { container: 'name' }, drop: { container: 'name' } },
}

/** Rules of roles are names of verbs, resources and objects; accounts have names. */
const grant: AsIs<Grant> = {
  accounts: { kind: 'name', name: 'name', namespace: 'name', within: 'name' },
  role: { kind: 'name', name: 'name' },
  permissions: {
    verbs: 'name',
    apiGroups: 'name',
    resources: 'name',
    resourceNames: 'name',
    nonResourceURLs: 'name',
    marks: 'word',
  },
  marks: 'word',
}

const schemaChange: AsIs<SchemaChange> = { what: 'word', effect: 'word', keyword: 'name', paths: 'name' }

/** Paths on a node and capabilities are told only where nothing of them is masked. */
const privilege: AsIs<PodPrivilege> = { what: 'word', container: 'name', name: 'name' }

const field: AsIs<FieldChange> = {
  path: 'name',
  pointer: 'name',
  pointerBefore: 'name',
  kind: 'word',
  containers: { name: 'name' },
  jump: 'word',
  text: { values: { kind: 'word' } },
}

/** Paths are names of fields; keys of maps in them are names as well. Hosts and addresses are told where nothing is masked. */
const impact: AsIs<Impact> = {
  risk: 'word',
  fields: field,
  respelled: field,
  noise: 'word',
  immutable: 'name',
  images: { jump: 'word' },
  restart: {
    how: 'word',
    because: 'word',
    checksumOf: 'name',
    autoscaler: { name: 'name' },
    budget: { name: 'name', exceeded: {} },
  },
  atOnce: {},
  scale: {},
  scaledBy: { name: 'name' },
  evictions: 'word',
  evictable: {},
  schedule: { before: {}, after: {} },
  usedBy: 'name',
  staleIn: 'name',
  workloads: 'name',
  traffic: {
    effect: 'word',
    names: 'name',
    peers: { range: 'name', pods: 'name', namespaces: 'name', ports: 'name' },
    ports: { port: 'name' },
    policies: 'name',
  },
  steering: { effect: 'word', map: 'word', key: 'name', kind: 'word' },
  podLimits: { what: 'word', container: 'name', names: 'name' },
  podLosses: { what: 'word', container: 'name' },
  podSources: { into: 'word', container: 'name', name: 'name', from: 'name', key: 'name' },
  startsAfter: 'name',
  podSecurity: { gained: privilege, lost: privilege },
  admission: {
    webhook: 'name',
    effect: 'word',
    names: 'name',
    policies: 'name',
    rules: { operations: 'name', apiGroups: 'name', apiVersions: 'name', resources: 'name', scope: 'name' },
  },
  effects: { effect: 'word', names: 'name' },
  access: { gained: grant, lost: grant, rules: 'word', aggregation: 'word', unbound: 'word' },
  schema: {
    changes: schemaChange,
    counts: {},
    versions: { name: 'name', before: {}, after: {}, comparedWith: 'name', counts: {}, changes: schemaChange },
  },
}

const operation: AsIs<Operation> = {
  id: 'fact',
  ref,
  file: 'fact',
  kind: 'word',
  change: 'word',
  reason: { code: 'word', drift: {}, because: 'word' },
  before: 'object',
  after: 'object',
  impact,
  renamedFrom: { ref, object: 'object', podLabels: { key: 'name' } },
  propagation: 'word',
  open: { path: 'name', of: { ref, path: 'name' } },
  newSchema: 'name',
  onlyIf: 'word',
  until: 'word',
  failure: 'word',
  tracking,
  properties: {},
  outputLogsOn: 'word',
}

export const planAsIs: AsIs<Plan> = {
  verb: 'word',
  release: 'fact',
  namespace: 'fact',
  comparedBy: 'word',
  revisionBecause: 'word',
  recordEnd: 'word',
  fetched: { name: 'name', version: 'name', digest: 'fact', signedBy: 'name', parent: 'name' },
  stages: { name: 'word', groups: { ranks: operation } },
  changedHooks: ref,
  goneHooks: ref,
  untouched: { ref, reason: 'word', before: 'object', after: 'object', impact },
  problems: problemAsIs,
}

const pods: AsIs<PodEvidence> = { name: 'name', containers: { name: 'name' } }

const evidence: AsIs<Evidence> = { ref, pods, events: {} }

const outcome: AsIs<PassResult['outcome']> = { status: 'word', failure: failureAsIs }

export const eventAsIs: AsIs<Event> = {
  type: 'word',
  stage: 'word',
  result: 'word',
  id: 'fact',
  reason: readiness,
  failure: failureAsIs,
  pod: 'name',
  container: 'name',
  pods,
  evidence,
  state: 'word',
  namespace: 'name',
  ref,
  outcome,
}

/** Hashes are ours: rewritten ones would match no approval. */
const fingerprint: AsIs<Fingerprint> = {
  hash: 'fact',
  comparedBy: 'word',
  digests: 'fact',
  earlierDigests: 'fact',
  madeOn: 'fact',
}

const difference: AsIs<PlanDifference> = { kind: 'word', id: 'fact', operation }

export const passAsIs: AsIs<PassResult> = {
  command: 'word',
  release: 'fact',
  namespace: 'fact',
  plan: planAsIs,
  fingerprint,
  differences: difference,
  chart: {},
  previousChart: {},
  problems: problemAsIs,
  events: eventAsIs,
  outcome,
}

/** Facts about the run and its commit; none of them is a value of the release. */
export const runInfoAsIs: AsIs<RunInfo> = {
  cluster: 'fact',
  label: 'fact',
  commitSha: 'fact',
  runUrl: 'fact',
  actionVersion: 'fact',
}
