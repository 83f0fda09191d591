/** One JSON pointer (RFC 6901) from its steps: `['spec', 'containers', 0]` gives `/spec/containers/0`. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The steps of a JSON pointer, all as text: whether `0` is an index or a key depends on the value it is applied to. */
export function stepsOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `/spec/containers/0/image` of the server's `spec.containers[0].image`. */
export function pointerOfField(field: string): string {
  return pointerOf(field.split(/[.[\]]+/).filter((step) => step !== ''))
}
