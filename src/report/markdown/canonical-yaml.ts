import {
  COLLECTION_STYLE,
  CORE_SCHEMA,
  type Document,
  eventsToAst,
  parseEvents,
  present,
  SCALAR_STYLE,
  visit,
} from 'js-yaml'

/** Longest text that is looked at, in UTF-16 units: parsing and printing it takes some tenths of a second. */
const MAX_CHARS = 200_000

/**
 * A text that is YAML or JSON, in one layout: keys sorted, no comments, one value a line. Two texts that come out the same
 * differ in layout only: numbers stay as they are written, aliases stay aliases. Undefined for any other text.
 */
export function canonicalYaml(text: string): string | undefined {
  if (text.length > MAX_CHARS) return undefined
  try {
    const documents = eventsToAst(parseEvents(text, {}), { source: text, schema: CORE_SCHEMA })
    if (!documents.every(isCollection)) return undefined
    unify(documents)
    return present(documents, { schema: CORE_SCHEMA, lineWidth: -1 })
  } catch {
    return undefined // It is no YAML, which most texts are not.
  }
}

function isCollection({ contents }: Document): boolean {
  return contents !== null && (contents.kind === 'mapping' || contents.kind === 'sequence')
}

/** Edits the tree, which is ours: the library knows no other way. */
function unify(documents: readonly Document[]): void {
  for (const document of documents) {
    document.explicitStart = documents.length > 1
    document.explicitEnd = false
  }
  visit([...documents], (node) => {
    if (node.kind === 'scalar') {
      if (!node.tagged) node.style = SCALAR_STYLE.PLAIN
    } else if (node.kind !== 'alias') {
      node.style = COLLECTION_STYLE.BLOCK
      if (node.kind === 'mapping') node.items.sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
    }
  })
}

type Item = Extract<NonNullable<Document['contents']>, { readonly kind: 'mapping' }>['items'][number]

function keyOf({ key }: Item): string {
  return key.kind === 'scalar' ? key.value : ''
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
