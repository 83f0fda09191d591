import type { AnnotationPlace, Runner, Secrets } from '../ports.ts'
import { prose } from '../report/markdown/markdown.ts'
import { harmless, printable, printableLines } from '../report/words/printable.ts'
import type { Outgoing, Redacted } from '../secrecy/redacted.ts'

/**
 * The runner for everybody but `main.ts`: no text reaches the raw one with a secret in it, or with a command that is not
 * ours. Its methods are properties, so that the compiler takes no raw runner for it.
 */
export interface SafeRunner extends Pick<Runner, NoTextOut> {
  readonly info: (text: Outgoing) => void
  readonly annotate: (level: AnnotationLevel, message: Outgoing, place?: Redacted<AnnotationPlace>) => void
  readonly debug: (text: Outgoing) => void
  readonly startGroup: (title: Outgoing) => void
  readonly output: (name: string, value: Outgoing) => void
  readonly summary: (markdown: Outgoing) => Promise<void>
  readonly keepFile: (name: string, text: Outgoing) => Promise<string>
}

/** What the runner gives, or keeps for the other process of this step. A mask must be the secret itself. */
type NoTextOut = 'input' | 'endGroup' | 'saveState' | 'state' | 'mask'

type AnnotationLevel = Parameters<Runner['annotate']>[0]

export function safeRunner(raw: Runner, secrets: Secrets): SafeRunner {
  const text = (channel: Channel, outgoing: Outgoing) =>
    typeof outgoing === 'string'
      ? channels[channel].foreign(secrets.redact(outgoing))
      : channels[channel].redacted(outgoing.value)
  return {
    input: (name) => raw.input(name),
    endGroup: () => raw.endGroup(),
    saveState: (name, value) => raw.saveState(name, value),
    state: (name) => raw.state(name),
    mask: (value) => raw.mask(value),
    info: (line) => raw.info(text('log', line)),
    annotate: (level, message, place) => raw.annotate(level, text('log', message), place?.value),
    debug: (line) => raw.debug(text('log', line)),
    startGroup: (title) => raw.startGroup(text('title', title)),
    output: (name, value) => raw.output(name, text('value', value)),
    summary: (markdown) => raw.summary(text('markdown', markdown)),
    keepFile: (name, content) => raw.keepFile(name, text('value', content)),
  }
}

type Channel = 'log' | 'title' | 'markdown' | 'value'

interface Escapes {
  /** Foreign text, of which secrets were taken out just now. */
  readonly foreign: (text: string) => string
  /** What the report made of redacted values. */
  readonly redacted: (text: string) => string
}

const LINE_END = /\r\n|\r|\n/
const unchanged = (text: string) => text

const channels: Readonly<Record<Channel, Escapes>> = {
  log: {
    foreign: (text) => printableLines(text).join('\n'),
    redacted: (text) => text.split(LINE_END).map(harmless).join('\n'),
  },
  /** One line. */
  title: { foreign: printable, redacted: harmless },
  /** Markdown is escaped where it is made (docs/decisions/0029). */
  markdown: { foreign: prose, redacted: unchanged },
  /** Read by programs: an output, a file. */
  value: { foreign: unchanged, redacted: unchanged },
}
