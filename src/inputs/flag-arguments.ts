import type { Hint } from '../model/hint.ts'
import { MAX_TYPOS, typosBetween } from '../model/typos.ts'
import type { HelmFlag } from './helm-flags.ts'
import { shorten } from './input-problem.ts'
import type { ShellWord } from './shell-words.ts'

/** A flag as it was given. */
export interface GivenFlag {
  readonly flag: HelmFlag
  /** `--values` or `-f`. */
  readonly written: string
  readonly value: string
  readonly line: number
}

export interface ArgumentFault {
  readonly line: number
  readonly what: string
  readonly hint: Hint
}

/** Commands that people leave in front of the flags. */
const COMMANDS = new Set(['helm', 'upgrade', 'install', 'template'])

/**
 * The flags in a list of words, as pflag reads them (spf13/pflag v1.0.10, flag.go, parseArgs): long with `=` or the next
 * word, short ones together. Anything else is a fault. A word that may belong to a value is never repeated.
 */
export function flagArguments(
  words: readonly ShellWord[],
  flags: readonly HelmFlag[],
): { readonly given: readonly GivenFlag[]; readonly faults: readonly ArgumentFault[] } {
  const long = new Map(flags.map((flag) => [flag.name, flag]))
  const short = new Map(flags.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag]])))
  const given: GivenFlag[] = []
  const faults: ArgumentFault[] = []
  /** Positional words so far that belong to no value: the release, then the chart. */
  let names = 0
  let at = 0

  /** Takes the next word for the value of a flag. */
  const behind = (flag: HelmFlag, written: string, line: number): string | undefined => {
    const next = words[at]
    const isMissing = next === undefined || (next.text.startsWith('--') && long.has(nameOf(next.text)))
    if (isMissing) {
      const what = next === undefined ? 'nothing' : `--${nameOf(next.text)}`
      faults.push({ line, what: `line ${line}: ${written} has no value: ${what} follows`, hint: giveValue(flag) })
      return undefined
    }
    at++
    return next.text
  }
  const alone = (flag: HelmFlag): string | undefined => {
    if (flag.takes === 'boolean') return 'true'
    if (flag.takes !== 'word') return undefined
    const next = words[at]?.text
    if (next === undefined || flag.behind?.includes(next) !== true) return flag.alone ?? ''
    at++
    return next
  }
  const take = (flag: HelmFlag, written: string, line: number, value: string | undefined) => {
    if (value !== undefined) given.push({ flag, written, value, line })
  }
  const readLong = ({ text, line }: ShellWord) => {
    const flag = long.get(nameOf(text))
    if (flag === undefined) {
      faults.push(unknown(`--${nameOf(text)}`, line, likelyFlag(nameOf(text), flags)))
      // Its value, most likely. pflag passes over it, too, where it takes unknown flags.
      if (!text.includes('=') && words[at]?.text.startsWith('-') === false) at++
      return
    }
    const written = `--${flag.name}`
    const equals = text.indexOf('=')
    take(flag, written, line, equals === -1 ? (alone(flag) ?? behind(flag, written, line)) : text.slice(equals + 1))
  }
  const readShort = ({ text, line }: ShellWord) => {
    for (let index = 1; index < text.length; index++) {
      const flag = short.get(text[index] ?? '')
      const written = `-${text[index]}`
      if (flag === undefined) {
        faults.push(unknown(written, line, undefined))
        return
      }
      const rest = text.slice(index + 1)
      if (rest.length > 1 && rest.startsWith('=')) {
        take(flag, written, line, rest.slice(1))
        return
      }
      const itself = flag.takes === 'boolean' || flag.takes === 'word' ? alone(flag) : undefined
      if (itself === undefined) {
        take(flag, written, line, rest === '' ? behind(flag, written, line) : rest)
        return
      }
      take(flag, written, line, itself)
    }
  }

  let isAfterValue = false
  while (at < words.length) {
    const word = words[at] ?? { text: '', line: 1 }
    at++
    if (word.text.length < 2 || !word.text.startsWith('-') || word.text === '--') {
      if (isAfterValue) faults.push(afterValue(word.line, given.at(-1)))
      else if (COMMANDS.has(word.text)) faults.push(command(word))
      else faults.push(positional(word, names++))
      continue
    }
    const before = given.length
    if (word.text.startsWith('--')) readLong(word)
    else readShort(word)
    // What follows a value may be the rest of it, where its quotes are missing.
    const last = given.length > before ? given.at(-1) : undefined
    isAfterValue = last !== undefined && last.flag.takes !== 'boolean' && last.flag.takes !== 'word'
  }
  return { given, faults }
}

/** `set` of `--set=a=b`. */
function nameOf(word: string): string {
  const equals = word.indexOf('=')
  return word.slice(2, equals === -1 ? undefined : equals)
}

function likelyFlag(name: string, flags: readonly HelmFlag[]): string | undefined {
  const ranked = flags
    .map((flag) => ({ flag, typos: typosBetween(name, flag.name) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .toSorted((a, b) => a.typos - b.typos)
  return ranked[0] === undefined ? undefined : `--${ranked[0].flag.name}`
}

function unknown(written: string, line: number, likely: string | undefined): ArgumentFault {
  return {
    line,
    what: `line ${line}: "${shorten(written)}" is no flag of helm upgrade, install or template`,
    hint: likely === undefined ? { kind: 'see-flags' } : { kind: 'correct-key', likely },
  }
}

function giveValue(flag: HelmFlag): Hint {
  return { kind: 'write-form', form: flag.name.startsWith('set') ? `--${flag.name} key=value` : `--${flag.name}=value` }
}

function command({ text, line }: ShellWord): ArgumentFault {
  return { line, what: `line ${line}: "${text}" is no flag`, hint: { kind: 'leave-out' } }
}

function positional({ text, line }: ShellWord, index: number): ArgumentFault {
  const isChart = /^(?:\.{0,2}\/|oci:|https?:)|\.tgz$/.test(text) || text.includes('/') || index > 0
  return {
    line,
    what: `line ${line}: "${shorten(text)}" is no flag`,
    hint: { kind: 'write-in-input', input: isChart ? 'chart' : 'release' },
  }
}

function afterValue(line: number, last: GivenFlag | undefined): ArgumentFault {
  return {
    line,
    what: `line ${line}: a word behind the value of ${last?.written ?? 'a flag'} is no flag`,
    hint: { kind: 'quote-value' },
  }
}
