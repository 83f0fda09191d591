import { JSONPathEnvironment, JSONPathNode, type JSONPathQuery } from 'json-p3'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { canonicalJson } from './canonical-json.ts'
import { pointerOf } from './json-pointer.ts'
import { toRfc9535 } from './jsonpath-grammar.ts'

/**
 * JSONPath as client-go writes it: `.status.phase`, `{.status.items[0]}`, `[*]`, `[?(@.type=="Ready")]`,
 * `.metadata.annotations.example\.com/key`. Evaluated by json-p3, which follows RFC 9535 and never evaluates code.
 */
export type JsonPath = { readonly query: JSONPathQuery }

const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 })

/** A path that can be evaluated, or what is wrong with it as one clause. */
export function parseJsonPath(path: string): JsonPath | { readonly error: string } {
  const translated = toRfc9535(path)
  if ('error' in translated) return translated
  try {
    return { query: environment.compile(translated.query) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'invalid path' }
  }
}

/** The values at a path, in document order and each once; none where anything on the way is missing. */
export function evaluate(path: JsonPath, object: JsonObject): readonly JsonValue[] | TooMuch {
  const nodes = nodesOf(path, object)
  return 'error' in nodes ? nodes : nodes.map((node) => node.value as JsonValue)
}

/** JSON pointers of the values at a path. */
export function locate(path: JsonPath, object: KubeObject): readonly string[] | TooMuch {
  const nodes = nodesOf(path, object)
  return 'error' in nodes ? nodes : nodes.map((node) => pointerOf(node.location))
}

/** The path asks this object for more than is looked at. */
export type TooMuch = { readonly error: string }

/**
 * The text that client-go prints for these values, which is what `kots.io/wait-for-properties` compares: scalars as Go
 * prints them, objects and lists as JSON with sorted keys, several values with a blank between. Nothing: empty.
 */
export function printedValues(values: readonly JsonValue[]): string {
  return values.map(printedValue).join(' ')
}

/** Values that one step of a path may lead to; a wait or a hidden field names a handful. */
const MAX_NODES = 10_000
const TOO_MUCH: TooMuch = { error: `leads to more than ${MAX_NODES} values, or into an object of more than 200 levels` }

/**
 * Step by step: each value once and no more than `MAX_NODES`, so that a step costs no more than the object is large, whatever
 * the steps before it were.
 */
function nodesOf(path: JsonPath, object: JsonObject): readonly JSONPathNode[] | TooMuch {
  const root = object as JSONPathNode['root']
  let nodes: readonly JSONPathNode[] = [new JSONPathNode(root, [], root)]
  try {
    for (const segment of path.query.segments) {
      const found = new Map<string, JSONPathNode>()
      for (const node of segment.lazyResolve(nodes)) {
        found.set(pointerOf(node.location), node)
        if (found.size > MAX_NODES) return TOO_MUCH
      }
      nodes = [...found.values()]
    }
  } catch {
    // The library refuses objects nested deeper than `maxRecursionDepth`.
    return TOO_MUCH
  }
  return nodes
}

function printedValue(value: JsonValue): string {
  if (typeof value === 'number') return printedNumber(value)
  if (isJsonArray(value) || isJsonObject(value)) return canonicalJson(value)
  return String(value)
}

/** Go's %v switches to an exponent of two digits below 1e-4 and from 1e21 on; JavaScript below 1e-6. */
function printedNumber(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
