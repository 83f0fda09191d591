import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'
import type { RenderedDocument } from '../model/rendered.ts'

/** A literal of Go's templates: a boolean, a number, a string in double or back quotes. */
const LITERAL = String.raw`(true|false|-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|${'`[^`]*`'})`
const LITERALS = new RegExp(String.raw`repl\{\{-?\s*${LITERAL}\s*-?\}\}|\{\{repl-?\s+${LITERAL}\s*-?\}\}`, 'g')
const TEMPLATES = /repl\{\{([^}]*)|\{\{repl([^}]*)/g
/** Functions of KOTS start with an upper-case letter; those of Sprig and Go do not. */
const FUNCTIONS = /\b[A-Z]\w*/g
/** Also where the closing quote is missing, so that the search never has to start anew inside of one. */
const QUOTED = /"(?:[^"\\\n]|\\.)*\\?"?|`[^`]*`?/g

/** How many places one problem names. */
const MAX_PLACES = 3

/** A use of KOTS' template functions: where in an object, and which functions. */
export interface TemplateUse {
  /** `spec.values.image.tag`. */
  readonly path: string
  readonly functions: readonly string[]
}

/**
 * The text of a file with every template that is a mere literal replaced by it, before YAML is parsed, as KOTS does.
 */
export function withLiterals(text: string): string {
  return text.replace(LITERALS, (whole, first: string | undefined, second: string | undefined) => {
    const literal = first ?? second ?? ''
    if (literal.startsWith('`')) return literal.slice(1, -1)
    if (!literal.startsWith('"')) return literal
    try {
      return String(JSON.parse(literal))
    } catch {
      return whole // An escape that only Go knows: it is left in place and reported as a template.
    }
  })
}

/** Names of the functions of all templates in a text; empty where it holds none. Without a name: its first word. */
export function templateFunctions(text: string): readonly string[] {
  const names = [...text.matchAll(TEMPLATES)].flatMap(([, first, second]) => {
    const body = (first ?? second ?? '').replace(QUOTED, ' ')
    const found = body.match(FUNCTIONS)
    return found ?? [body.trim().split(/\s+/, 1)[0]?.slice(0, 40) || 'a template']
  })
  return [...new Set(names)]
}

/** All templates within a value, keys included, each with its path. */
export function templatesIn(value: JsonValue | undefined, path: string): readonly TemplateUse[] {
  if (typeof value === 'string') {
    const functions = templateFunctions(value)
    return functions.length === 0 ? [] : [{ path, functions }]
  }
  if (isJsonArray(value)) return value.flatMap((item, index) => templatesIn(item, `${path}[${index}]`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = path === '' ? key : `${path}.${key}`
    const functions = templateFunctions(key)
    return [...(functions.length === 0 ? [] : [{ path: inside, functions }]), ...templatesIn(member, inside)]
  })
}

/** One problem for all templates of a document, naming the functions and the first places. */
export function templateProblem(
  uses: readonly TemplateUse[],
  { file, line }: Pick<RenderedDocument, 'file' | 'line'>,
  ref: Ref,
): Problem | undefined {
  const [first] = uses
  if (first === undefined) return undefined
  const functions = [...new Set(uses.flatMap((use) => use.functions))].join(', ')
  const more = uses.length > MAX_PLACES ? ` and ${uses.length - MAX_PLACES} more` : ''
  const places = uses.slice(0, MAX_PLACES).map(({ path }) => path)
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: { file, line, ref, key: first.path },
    what: `${ref.kind}/${ref.name}: ${places.join(', ')}${more}: template functions of KOTS are not evaluated here: ${functions}`,
    hint: { kind: 'replace-template' },
  }
}
