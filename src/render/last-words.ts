/** What Go prints before the stacks of its goroutines is told up to here. */
const MAX_LINES = 3
const MAX_CHARS = 300

/** Why Go ended an engine: what it printed about that, else its exit code. */
export function lastWords(printed: string, exitCode: number): string {
  const end = /^(?:panic|fatal error|runtime):.*/ms.exec(printed)?.[0] ?? printed
  const said = end.split(/\n(?:[^\S\n]*\n|goroutine )/, 1)[0] ?? ''
  const text = said.trim().split('\n').slice(0, MAX_LINES).join('; ').slice(0, MAX_CHARS)
  return text === '' ? `exit code ${exitCode}` : text
}
