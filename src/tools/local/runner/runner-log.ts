/**
 * Turns what an action prints into what a runner's log shows of it, line by line: groups get a heading, annotations their
 * level, and commands to the runner are left out. The last line may come in pieces.
 */
export function createRunnerLog(print: (line: string) => void): { write(text: string): void; end(): void } {
  let rest = ''
  const show = (line: string) => {
    const shown = shownLine(line)
    if (shown !== undefined) print(shown)
  }
  return {
    write: (text) => {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop() ?? ''
      for (const line of lines) show(line)
    },
    end: () => {
      if (rest !== '') show(rest)
    },
  }
}

function shownLine(line: string): string | undefined {
  const found = /^::([a-z-]+)(?: .*?)?::(.*)$/.exec(line)
  if (found === null) return line
  const [, command, message = ''] = found
  switch (command) {
    case 'group':
      return `> ${message}`
    case 'error':
    case 'warning':
    case 'notice':
      return `${command}: ${decoded(message)}`
    default:
      return undefined
  }
}

/** The escapes of workflow commands. */
function decoded(message: string): string {
  return message.replaceAll('%0D', '\r').replaceAll('%0A', '\n  ').replaceAll('%25', '%')
}
