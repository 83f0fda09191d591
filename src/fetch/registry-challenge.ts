/** What a registry wants to see before it answers: one challenge of `WWW-Authenticate` (RFC 9110). */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Longer headers are not read. */
const MAX_CHARS = 8192

/** The challenges of a header, as far as it can be read. Complexity: linear. */
export function readChallenges(header: string): readonly Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = []
  const tokens = header.length > MAX_CHARS ? [] : [...tokensOf(header)]
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || tokens[index - 1]?.kind === 'equals') continue
    const value = tokens[index + 2]
    if (tokens[index + 1]?.kind !== 'equals') found.push({ scheme: token.text.toLowerCase(), parameters: new Map() })
    else if (value !== undefined && value.kind !== 'equals') {
      found.at(-1)?.parameters.set(token.text.toLowerCase(), value.text)
    }
  }
  return found
}

interface Token {
  readonly kind: 'word' | 'quoted' | 'equals'
  readonly text: string
}

function* tokensOf(header: string): Iterable<Token> {
  let word = ''
  for (let index = 0; index < header.length; index += 1) {
    const character = header.charAt(index)
    if (!' \t,="'.includes(character)) {
      word += character
      continue
    }
    if (word !== '') yield { kind: 'word', text: word }
    word = ''
    if (character === '=') yield { kind: 'equals', text: '' }
    if (character !== '"') continue
    let text = ''
    for (index += 1; index < header.length && header.charAt(index) !== '"'; index += 1) {
      if (header.charAt(index) === '\\') index += 1
      text += header.charAt(index)
    }
    yield { kind: 'quoted', text }
  }
  if (word !== '') yield { kind: 'word', text: word }
}
