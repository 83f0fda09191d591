import { builtInKind } from '../manifest/built-in-kinds.ts'
import { nameChange, renamings, sharedParts } from '../manifest/name-change.ts'
import { contentOf, type NewNames, underNewNames } from '../manifest/new-names.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import { compareRefs, groupOf, type Ref } from '../model/ref.ts'
import { nameWithoutSuffix } from './name-suffix.ts'

/** The object whose place a new one takes. */
export interface Predecessor {
  readonly resource: Resource
  /** What the chart wrote for it, under the names of now. */
  readonly object: KubeObject
}

/** More pairs of one kind and namespace are not compared one by one: only those that say the same, or whose names fit. */
const MAX_COMPARED = 2_500
/** Each round finds pairs by names that the round before has found. */
const MAX_ROUNDS = 8

/**
 * Which of the created resources takes the place of which of the deleted ones: to the reader it is one object with another
 * name. They are found by a version or hash at the end of the name, by what they hold, and by the names that others have
 * got; each but once, and none where several could be meant. Both are compared as the chart writes them.
 */
export function renamedObjects(
  created: readonly Resource[],
  deleted: readonly Resource[],
): ReadonlyMap<Resource, Predecessor> {
  const [ours, theirs] = [created, deleted].map((all) => all.filter(mayBeRenamed).toSorted(byRef).map(candidateOf)) as [
    Candidate[],
    Candidate[],
  ]
  const pairs = new Map<Candidate, Candidate>(pairsBySuffix(ours, theirs))
  const taken = new Set(pairs.values())
  const changes = new Map<string, Set<string>>()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [open, left] = [ours.filter((one) => !pairs.has(one)), theirs.filter((one) => !taken.has(one))]
    const found = pairsOfRound(open, left, changes)
    if (found.length === 0) break
    for (const [one, other] of found) {
      pairs.set(one, other)
      taken.add(other)
      learn(changes, nameChange(other.ref.name, one.ref.name))
      learn(changes, { from: other.ref.name, to: one.ref.name })
    }
  }
  const objects = Map.groupBy(pairs, ([one]) => one.ref.namespace)
  const namesIn = new Map<string | undefined, NewNames>()
  return new Map(
    [...pairs].map(([one, { resource }]) => {
      const { namespace } = one.ref
      const reached = [...(objects.get(namespace) ?? []), ...(objects.get(undefined) ?? [])]
      const names = namesIn.get(namespace) ?? {
        changes,
        objects: new Map(reached.map(([to, from]) => [`${from.ref.kind}/${from.ref.name}`, to.ref.name])),
      }
      namesIn.set(namespace, names)
      return [
        one.resource,
        { resource, object: underNewNames(resource.manifest.object, one.resource.manifest.object, names) },
      ]
    }),
  )
}

interface Candidate {
  readonly resource: Resource
  readonly ref: Ref
  /** Kind and namespace. */
  readonly place: string
  readonly content: ReadonlyMap<string, number>
  readonly size: number
  /** The same for the same content. */
  readonly signature: string
}

/** What holds other objects is never another one's heir: it takes them with it. */
function mayBeRenamed({ manifest: { ref } }: Resource): boolean {
  const kind = builtInKind(ref)
  return kind?.isPrecious !== true || kind.kind === 'PersistentVolumeClaim' || kind.kind === 'StatefulSet'
}

function candidateOf(resource: Resource): Candidate {
  const { object, ref } = resource.manifest
  const content = contentOf(object)
  return {
    resource,
    ref,
    place: `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace ?? ''}`,
    content,
    size: [...content.values()].reduce((sum, amount) => sum + amount, 0),
    signature: JSON.stringify([...content].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

type Found = readonly [created: Candidate, deleted: Candidate]

function pairsBySuffix(ours: readonly Candidate[], theirs: readonly Candidate[]): readonly Found[] {
  const keyOf = ({ place, ref }: Candidate) => {
    const base = nameWithoutSuffix(ref)
    return base === undefined ? undefined : `${place}/${base}`
  }
  const [mine, old] = [Map.groupBy(ours, keyOf), Map.groupBy(theirs, keyOf)]
  return [...mine].flatMap(([key, all]) => {
    const others = key === undefined ? [] : (old.get(key) ?? [])
    const [[one], [other]] = [all, others]
    const isOne = all.length === 1 && others.length === 1
    return isOne && one !== undefined && other !== undefined ? [[one, other] as const] : []
  })
}

/** A pair that may be one object; lower is better. */
interface Guess {
  readonly pair: Found
  readonly rank: readonly number[]
}

function pairsOfRound(
  ours: readonly Candidate[],
  theirs: readonly Candidate[],
  changes: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Found[] {
  const old = Map.groupBy(theirs, ({ place }) => place)
  return [...Map.groupBy(ours, ({ place }) => place)].flatMap(([place, mine]) =>
    mutualBest(guesses(mine, old.get(place) ?? [], changes)),
  )
}

function guesses(
  ours: readonly Candidate[],
  theirs: readonly Candidate[],
  changes: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Guess[] {
  const byName = new Map(ours.map((one) => [one.ref.name, one]))
  const byBase = Map.groupBy(ours, ({ ref }) => nameWithoutSuffix(ref))
  const bySignature = Map.groupBy(ours, ({ signature }) => signature)
  const isSmall = ours.length * theirs.length <= MAX_COMPARED
  return theirs.flatMap((other) => {
    const base = nameWithoutSuffix(other.ref)
    const named = new Set([
      ...renamings(other.ref.name, changes).flatMap((name) => byName.get(name) ?? []),
      ...(base === undefined ? [] : renamings(base, changes).flatMap((name) => byBase.get(name) ?? [])),
    ])
    const alike = bySignature.get(other.signature) ?? []
    const compared = isSmall ? ours : alike.length * theirs.length <= MAX_COMPARED ? alike : []
    return [...new Set([...named, ...compared])].flatMap((one) => guess(one, other, named.has(one)))
  })
}

function guess(one: Candidate, other: Candidate, isNamed: boolean): readonly Guess[] {
  const different = one.signature === other.signature ? 0 : differentAmount(one, other)
  const all = (one.size + other.size + different) / 2
  const words = sharedParts(one.ref.name, other.ref.name)
  const isSame = different === 0 && (one.size > 0 || words > 0)
  const isNear = all >= MIN_CONTENT && different <= all * MAX_DIFFERENT
  if (!isNamed && !isSame && !isNear) return []
  return [{ pair: [one, other], rank: [isNamed ? 0 : 1, different, -words] }]
}

/** Of so little any two objects may have the most in common. */
const MIN_CONTENT = 6
/** Of all that one of both holds. */
const MAX_DIFFERENT = 0.25

/** How many texts only one of both has. */
function differentAmount(a: Candidate, b: Candidate): number {
  let both = 0
  for (const [text, amount] of a.content) both += Math.min(amount, b.content.get(text) ?? 0)
  return a.size + b.size - 2 * both
}

/** Pairs of which each half has no other as good. */
function mutualBest(all: readonly Guess[]): readonly Found[] {
  const [ofOne, ofOther] = [bestBy(all, 0), bestBy(all, 1)]
  return all.filter((one) => ofOne.get(one.pair[0]) === one && ofOther.get(one.pair[1]) === one).map(({ pair }) => pair)
}

/** The best of each; none where two are as good. */
function bestBy(all: readonly Guess[], side: 0 | 1): ReadonlyMap<Candidate, Guess | 'several'> {
  const best = new Map<Candidate, Guess>()
  const several = new Set<Candidate>()
  for (const one of all) {
    const candidate = one.pair[side]
    const known = best.get(candidate)
    const order = known === undefined ? -1 : compareRanks(one.rank, known.rank)
    if (order < 0) {
      best.set(candidate, one)
      several.delete(candidate)
    } else if (order === 0) several.add(candidate)
  }
  return new Map([...best].map(([candidate, one]) => [candidate, several.has(candidate) ? 'several' : one]))
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, one] of a.entries()) {
    const order = one - (b[index] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

function learn(changes: Map<string, Set<string>>, { from, to }: { readonly from: string; readonly to: string }): void {
  const known = changes.get(from)
  if (known === undefined) changes.set(from, new Set([to]))
  else if (known.size < MAX_WAYS) known.add(to)
}

/** Most names that one name gives way to. */
const MAX_WAYS = 4

function byRef(a: Resource, b: Resource): number {
  return compareRefs(a.manifest.ref, b.manifest.ref)
}
