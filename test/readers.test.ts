import { beforeAll, expect, test } from 'vitest'
import { findUnused, type Unused } from './readers.ts'

/** Members that are read without a word of `src` that names them, and why each stands in its type. */
const readElsewhere: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "Helm's release record: written as a whole, read by helm",
    [
      'src/model/release.ts ReleaseInfo.deleted',
      'src/model/release.ts ReleaseHook.weight',
      'src/model/release.ts ReleaseHook.delete_policies',
      'src/model/release.ts ReleaseHook.output_log_policies',
      'src/model/release.ts HookRun.started_at',
      'src/model/release.ts HookRun.completed_at',
      'src/model/release.ts HookRun.phase',
    ],
  ],
  [
    'the marker of a comment: stored on GitHub, and tells which run has written it',
    ['src/ports.ts CommentMarker.runId', 'src/ports.ts CommentMarker.runAttempt'],
  ],
  [
    'handed on as a whole: to the engine as JSON, to the runner, to the API client, to a type of the same shape',
    [
      'src/model/release.ts ValuesInput.files',
      'src/model/release.ts ValuesInput.files.label',
      'src/model/release.ts ValuesInput.set',
      'src/model/release.ts ValuesInput.setString',
      'src/model/release.ts ValuesInput.setJson',
      'src/model/release.ts ValuesInput.setLiteral',
      'src/ports.ts AnnotationPlace.title',
      'src/ports.ts ChartRules.choose.from',
      'src/ports.ts ChartRules.choose.versions',
      'src/ports.ts ChartRules.choose.wanted',
      'src/ports.ts ChartRules.verify.keyringPath',
      'src/ports.ts ChartRules.verify.provenance',
      'src/ports.ts AnnotationPlace.file',
      'src/ports.ts AnnotationPlace.startLine',
      'src/ports.ts Reader.discovery.refresh',
      'src/ports.ts Reader.discovery.signal',
      'src/model/event.ts Event.stage',
      'src/model/event.ts Event.group',
      'src/model/event.ts Event.result',
    ],
  ],
  [
    'a pattern of a type, not a value',
    [
      'src/model/api-object.ts ApiKinds.Event',
      'src/model/api-object.ts ApiKinds.Lease',
      'src/model/api-object.ts ApiKinds.Pod',
      'src/model/api-object.ts ApiKinds.Secret',
      'src/model/event.ts EventOf.type',
      'src/model/observed.ts DryRunRefusal.kind',
      'src/model/refusal.ts ObjectRefusal.kind',
      'src/model/verb.ts RevisionVerb.revision',
    ],
  ],
  [
    'read through the type of the table itself, which satisfies this one',
    ['src/model/verb.ts RevisionWords.pending', 'src/model/verb.ts RevisionWords.title'],
  ],
])

/** Exports that only tests import, and why. Those of `src/tools` are for the command line and for tests. */
const publicForTests: ReadonlyMap<string, readonly string[]> = new Map([
  ['the shortest ValuesInput', ['src/model/release.ts noValues']],
  [
    'compared with the lists of Helm',
    ['src/manifest/kind-order.ts installOrder', 'src/manifest/kind-order.ts uninstallOrder'],
  ],
  [
    'one step of a pure chain, asserted by itself',
    [
      'src/plan/rights-problems.ts rightsProblems',
      'src/record/history.ts historyOf',
      'src/record/repair.ts foreignPending',
      'src/render/engine-answer.ts withTextsInPlace',
    ],
  ],
])

/** The compiler reads the whole project; more on a busy machine. */
const SLOW_MS = 180_000

let unused: Unused
beforeAll(() => {
  unused = findUnused()
}, SLOW_MS)

test('every member of the model and of the ports has a reader in src', () => {
  expect(new Set(unused.members), 'nothing in src reads it').toEqual(new Set([...readElsewhere.values()].flat()))
})

test('every export of src has a user in another file of src', () => {
  const own = unused.exports.filter((name) => !name.startsWith('src/tools/'))
  expect(new Set(own), 'no other file imports it: drop `export`').toEqual(new Set([...publicForTests.values()].flat()))
})
