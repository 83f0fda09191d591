import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Place, Problem } from '../model/problem.ts'
import { formatRef, type Ref } from '../model/ref.ts'
import type { SingleDocument } from './single-documents.ts'

export interface WellFormedScope {
  /** Namespace of the release. */
  readonly namespace: string
  /** Annotations whose value may be a bare boolean, which becomes its text; none where absent. */
  readonly booleanKeys?: ReadonlySet<string>
}

/** Everything that keeps a document from being deployed, not only the first mistake. */
export function documentProblems(document: SingleDocument, scope: WellFormedScope): readonly Problem[] {
  const { value } = document
  if (!isJsonObject(value)) {
    return [
      problemInDocument(document, `the document is ${describeType(value)}, not an object`, { kind: 'write-object' }),
    ]
  }
  const missing = ['apiVersion', 'kind'].filter((key) => !isText(value[key]))
  if (missing.length > 0) {
    return [
      problemInDocument(document, `the document has no ${missing.join(' and no ')}`, {
        kind: 'add-fields',
        fields: missing,
      }),
    ]
  }
  const metadata = value.metadata
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) {
    return [problemInDocument(document, `${String(value.kind)}: metadata is ${describeType(metadata)}, not an object`)]
  }
  const place = { ...document, ref: refInNamespace(value, metadata ?? {}, scope.namespace) }
  return [...objectNameProblems(place, metadata ?? {}), ...stringMapProblems(place, metadata ?? {}, scope.booleanKeys)]
}

type Spot = SingleDocument & { readonly ref?: Ref }

/** Helm allows `generateName`, but an object with a new name each time can be neither compared, updated nor deleted. */
function objectNameProblems(spot: Spot, metadata: JsonObject): readonly Problem[] {
  const { name, namespace } = metadata
  const kind = spot.ref?.kind ?? ''
  if (name === undefined || name === null || name === '') {
    return isText(metadata.generateName)
      ? [problemInDocument(spot, `${kind}: metadata.generateName is not supported`, { kind: 'fix-object-name' })]
      : [
          problemInDocument(spot, `${kind}: metadata.name is missing`, {
            kind: 'add-fields',
            fields: ['metadata.name'],
          }),
        ]
  }
  const found: Problem[] = []
  if (typeof name !== 'string') {
    found.push(
      problemInDocument(spot, `${kind}: metadata.name is ${describeType(name)}, not a string`, { kind: 'quote-text' }),
    )
  } else if (!isPathSegment(name)) {
    found.push(problemInDocument(spot, `${kind}: metadata.name may not be "." or "..", nor hold "/" or "%"`))
  }
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    found.push(
      problemInDocument(spot, `${kind}: metadata.namespace is ${describeType(namespace)}, not a string`, {
        kind: 'quote-text',
      }),
    )
  } else if (typeof namespace === 'string' && namespace !== '' && !isPathSegment(namespace)) {
    found.push(problemInDocument(spot, `${kind}: metadata.namespace may not be "." or "..", nor hold "/" or "%"`))
  }
  return found
}

/**
 * Kubernetes takes strings only. Null, which YAML reads for a key without a value, counts as the empty string, as in
 * Go.
 */
function stringMapProblems(
  spot: Spot,
  metadata: JsonObject,
  booleanKeys: WellFormedScope['booleanKeys'],
): readonly Problem[] {
  return ['annotations', 'labels'].flatMap((field) => {
    const map = metadata[field]
    const where = `${spot.ref === undefined ? '' : formatRef(spot.ref)}: metadata.${field}`
    if (map === undefined || map === null) return []
    if (!isJsonObject(map)) return [problemInDocument(spot, `${where} is ${describeType(map)}, not an object`)]
    const isAllowedBoolean = (key: string, value: JsonValue) =>
      typeof value === 'boolean' && booleanKeys?.has(key) === true
    return Object.entries(map).flatMap(([key, value]) =>
      value === undefined || value === null || typeof value === 'string' || isAllowedBoolean(key, value)
        ? []
        : [
            problemInDocument(
              spot,
              `${where}: the value of ${key} is ${describeType(value)}, not a string`,
              { kind: 'quote-text' },
              key,
            ),
          ],
    )
  })
}

function refInNamespace(value: JsonObject, metadata: JsonObject, namespace: string): Ref {
  const ref = {
    apiVersion: String(value.apiVersion),
    kind: String(value.kind),
    name: typeof metadata.name === 'string' ? metadata.name : '',
  }
  const written = metadata.namespace
  return { ...ref, namespace: typeof written === 'string' && written !== '' ? written : namespace }
}

function problemInDocument(spot: Spot, what: string, hint?: Hint, key?: string): Problem {
  const place: Place = {
    file: spot.file,
    line: spot.line,
    ...defined({ ref: spot.ref, key }),
  }
  const found = { severity: 'error', reason: 'invalid-input', place, what } as const
  return hint === undefined ? found : { ...found, hint }
}

function describeType(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'object':
      return 'an object'
    case 'string':
      return 'a string'
    case 'boolean':
      return 'a boolean'
    default:
      return 'a number'
  }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** What the API server's URLs can hold. Source: Kubernetes' IsValidPathSegmentName. */
function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}
