/**
 * The keys above a line of YAML as this project prints it, with items of lists by their name:
 * `spec.template.spec.containers[app]`. Empty at the top. For the reader only.
 */
export function pathOfLine(lines: readonly string[], index: number): string {
  let steps: readonly string[] = []
  let indent = Number.POSITIVE_INFINITY
  for (let at = index; at >= 0 && indent > 0; at--) {
    const line = lines[at] ?? ''
    const column = line.search(/\S/)
    if (column === -1 || column >= indent) continue
    const content = column + (/^(?:- )*/.exec(line.slice(column))?.[0].length ?? 0)
    if (at < index && content < indent) {
      const parent = parentKey(line.slice(content))
      // Above a text there is the key only: what looks like keys inside of it is text.
      if (parent?.isText === true) steps = []
      if (parent !== undefined) steps = [keyStep(parent.key), ...steps]
    }
    for (let dash = content - 2; dash >= column; dash -= 2) steps = [itemStep(lines, at, dash), ...steps]
    indent = column
  }
  return steps.join('').replace(/^\./, '')
}

/** Most lines of an item that are searched for its name. */
const MAX_ITEM_LINES = 300

/** `key:` and `key: |-` have something below them. */
function parentKey(text: string): { readonly key: string; readonly isText: boolean } | undefined {
  const [, key, block] = /^(.+?):(?: ([|>])\S*)?$/.exec(text) ?? []
  return key === undefined ? undefined : { key: unquoted(key), isText: block !== undefined }
}

function keyStep(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** `[app]`, or nothing for an item without a name. `dash`: the column where the item begins. */
function itemStep(lines: readonly string[], first: number, dash: number): string {
  const names = new Map<string, string>()
  for (let at = first; at < first + MAX_ITEM_LINES; at++) {
    const line = lines[at] ?? ''
    if (at > first && line.search(/\S/) < dash + 2) break
    const [, key, name] = /^(name|title|id): (.+)$/.exec(line.slice(dash + 2)) ?? []
    if (key !== undefined && name !== undefined) names.set(key, unquoted(name))
  }
  const best = names.get('name') ?? names.get('title') ?? names.get('id')
  return best === undefined ? '' : `[${best}]`
}

function unquoted(text: string): string {
  return /^(?:'.*'|".*")$/.test(text) ? text.slice(1, -1) : text
}
