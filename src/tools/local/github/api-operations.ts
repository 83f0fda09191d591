import { jsonField, jsonList, jsonText } from '../../../github/json-field.ts'

/** A part of the description. */
export interface Part {
  readonly value: unknown
  /** Its JSON pointer as a fragment, to compile it as a schema. */
  readonly pointer: string
  /** What stands at a path below it, references followed. */
  at(...path: readonly string[]): Part | undefined
}

export interface Operation extends Part {
  readonly method: string
  /** Fits paths; its groups are the path's parameters, by name. */
  readonly path: RegExp
}

export interface Parameter {
  readonly in: string
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Part | undefined
}

/** All operations of an OpenAPI document. */
export function operationsOf(api: unknown): readonly Operation[] {
  const paths = partOf(api, api, '#').at('paths')
  return Object.entries(Object(paths?.value)).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).flatMap((method) => {
      const part = paths?.at(path, method)
      return part === undefined ? [] : [{ ...part, method: method.toUpperCase(), path: patternOf(path) }]
    }),
  )
}

export function parametersOf(operation: Operation): readonly Parameter[] {
  return jsonList(operation.value, 'parameters').flatMap((_, index) => {
    const part = operation.at('parameters', String(index))
    const [place, name] = [jsonText(part?.value, 'in'), jsonText(part?.value, 'name')]
    if (place === undefined || name === undefined) return []
    return [{ in: place, name, isRequired: jsonField(part?.value, 'required') === true, schema: part?.at('schema') }]
  })
}

function partOf(api: unknown, value: unknown, pointer: string): Part {
  const ref = jsonText(value, '$ref')
  if (ref !== undefined) return partOf(api, jsonField(api, ...ref.split('/').slice(1)), ref)
  const at: Part['at'] = (name, ...rest) => {
    if (name === undefined) return partOf(api, value, pointer)
    const next = jsonField(value, name)
    const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
    return next === undefined ? undefined : partOf(api, next, `${pointer}/${step}`).at(...rest)
  }
  return { value, pointer, at }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`)
}
