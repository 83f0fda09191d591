import fc from 'fast-check'
import { type KindName, POLICIES, resources, type Thing } from './things.ts'

/** A release, the release that follows it, and what somebody else did to the live objects in between. */
export interface Pair {
  readonly before: readonly Thing[]
  readonly after: readonly Thing[]
  readonly drift: readonly Drift[]
}

export interface Drift {
  readonly thing: Thing
  readonly how: DriftKind
}

/** What another manager does to a live object. */
export const DRIFTS = [
  'deletes it',
  'adds a label',
  'removes our label',
  'changes our label',
  'takes our field',
  'changes our field',
  'adds a field',
  'removes our field',
  'scales it',
  'keeps it',
  'claims it',
  'was Helm 3',
] as const

export type DriftKind = (typeof DRIFTS)[number]

/** The same pairs for the same seed. */
export function samplePairs(seed: number, count: number): readonly Pair[] {
  return fc.sample(fc.noBias(pair), { seed, numRuns: count })
}

const small = fc.nat({ max: 2 })
/** Mostly 0, so that most changes are allowed. */
const rare = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(2) })
const policy = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat({ max: POLICIES.length - 1 }) },
)
const plainKinds = Object.keys(resources).filter(
  (kind): kind is KindName => kind !== 'Widget' && kind !== 'CustomResourceDefinition',
)
// A new kind costs the API server more than a hundred objects do.
const kind: fc.Arbitrary<KindName> = fc.oneof(
  { weight: 99, arbitrary: fc.constantFrom(...plainKinds) },
  { weight: 1, arbitrary: fc.constant('Widget' as const) },
)
const thing: fc.Arbitrary<Thing> = fc
  .record({ kind, name: fc.nat({ max: 1 }), value: small, shape: small, labels: small, fixed: rare, policy })
  .map(withoutNonsense)

function things(minLength: number, maxLength: number): fc.Arbitrary<readonly Thing[]> {
  return fc.uniqueArray(thing, { minLength, maxLength, selector: identity })
}

const edit = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'same' } as const) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('value' as const), to: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('shape' as const), to: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('labels' as const), to: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fixed' as const), to: rare }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('policy' as const), to: policy }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('name' as const), to: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'gone' } as const) },
)

const pair: fc.Arbitrary<Pair> = things(1, 5).chain((before) =>
  fc
    .record({
      edits: fc.array(edit, { minLength: before.length, maxLength: before.length }),
      added: things(0, 2),
      drift: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.record({ thing: fc.constantFrom(...before), how: fc.constantFrom(...DRIFTS) }), {
            minLength: 1,
            maxLength: 2,
          }),
        },
      ),
    })
    .map(({ edits, added, drift }) => {
      const edited = before.flatMap((one, index) => {
        const how = edits[index] ?? { kind: 'same' }
        if (how.kind === 'gone') return []
        return how.kind === 'same' ? [one] : [withoutNonsense({ ...one, [how.kind]: how.to })]
      })
      return { before, after: firstOfEach([...edited, ...added]), drift }
    }),
)

/** What Kubernetes or the rules of annotations refuse whatever is deployed before: such pairs would show nothing. */
function withoutNonsense(one: Thing): Thing {
  const isHook = POLICIES[one.policy]?.['helm.sh/hook'] !== undefined
  // An object of an own kind as a pre hook comes before its CRD.
  return one.kind === 'Widget' && isHook ? { ...one, policy: 0 } : one
}

function firstOfEach(all: readonly Thing[]): readonly Thing[] {
  return [...Map.groupBy(all, identity).values()].flatMap((same) => same.slice(0, 1))
}

function identity({ kind: of, name }: Thing): string {
  return `${of}/${name}`
}
