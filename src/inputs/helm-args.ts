import { commands, planCommandOf } from '../model/command.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import { unreachable } from '../model/unreachable.ts'
import { flagArguments, type GivenFlag } from './flag-arguments.ts'
import { convertedFlag } from './flag-conversion.ts'
import { goBoolean } from './go-boolean.ts'
import { helmFlags } from './helm-flags.ts'
import { INPUT_DEFAULTS, type InputName, type RawInputs } from './input-names.ts'
import { inputProblem } from './input-problem.ts'
import { shellWords } from './shell-words.ts'

/** A flag that the run does without, and why. */
export interface IdleFlag {
  readonly flag: string
  readonly why: string
}

export interface HelmArgs {
  /** All inputs, with what the flags say. */
  readonly raw: RawInputs
  readonly problems: readonly Problem[]
  /** Each flag once. */
  readonly idleFlags: readonly IdleFlag[]
  /**
   * The same problem at the flag, where nothing but flags has written the input; undefined where it follows from what a
   * shell would have made of the text.
   */
  readonly atFlag: (problem: Problem) => Problem | undefined
}

/**
 * Input `helm-args`: flags of `helm upgrade`, `install` and `template`, as one text. What they say becomes the inputs
 * that say the same, so that everything behind reads inputs only. An input that is written beside its flag is a
 * problem, but lists: there, what the flags say comes last. `raw` gives texts without the blanks around them.
 */
export function withHelmArgs(raw: RawInputs): HelmArgs {
  const text = raw('helm-args')
  if (text === '') return { raw, problems: [], idleFlags: [], atFlag: (problem) => problem }
  const { words, faults: shellFaults } = shellWords(text)
  const { given, faults } = flagArguments(words, helmFlags)
  const isRead = shellFaults.length === 0
  const problems = (isRead ? faults : shellFaults).map(({ what, hint, line }) =>
    inputProblem('helm-args', what, hint, line),
  )
  const written = new Map<InputName, Written>()
  const idleFlags: IdleFlag[] = []
  for (const one of inOrderOfTable(given)) {
    const said = readFlag(one, raw)
    if (said.kind === 'wrong' && isRead) problems.push(said.problem)
    if (said.kind === 'idle') idleFlags.push({ flag: said.flag, why: said.why })
    if (said.kind === 'written') written.set(said.input, joined(written.get(said.input), said))
  }
  return {
    problems: [...problems, ...[...written.values()].flatMap((one) => (isGivenTwice(one, raw) ? [twice(one)] : []))],
    idleFlags,
    raw: (name) => textOf(name, written.get(name), raw),
    atFlag: (problem) => {
      const moved = movedToFlag(problem, written, raw)
      return isRead || moved === problem ? moved : undefined
    },
  }
}

type Said =
  | Written
  | { readonly kind: 'nothing' }
  | ({ readonly kind: 'idle' } & IdleFlag)
  | { readonly kind: 'wrong'; readonly problem: Problem }

/** What flags write into one input. */
interface Written {
  readonly kind: 'written'
  readonly input: InputName
  readonly flag: string
  readonly line: number
  readonly isList: boolean
  readonly texts: readonly string[]
}

/** Of a flag that is given twice the last counts, of two flags for one input the first of the table, which comes first here. */
function inOrderOfTable(given: readonly GivenFlag[]): readonly GivenFlag[] {
  const lists = given.filter(isListed)
  const others = new Map(given.filter((one) => !isListed(one)).map((one) => [one.flag, one]))
  return [...helmFlags.flatMap((flag) => others.get(flag) ?? []), ...lists]
}

function isListed({ flag }: GivenFlag): boolean {
  return flag.takes === 'list' || flag.takes === 'entries'
}

function readFlag(given: GivenFlag, raw: RawInputs): Said {
  const { flag, value, line } = given
  const { effect } = flag
  // An expression that gave nothing, as with inputs.
  if (value === '') return { kind: 'nothing' }
  if (flag.takes === 'boolean') {
    const isOn = goBoolean(value)
    if (isOn === undefined) return wrongValue(given, { kind: 'write-flag-or-false', flag: `--${flag.name}` })
    if (!isOn && effect.kind !== 'input') return { kind: 'nothing' }
  }
  switch (effect.kind) {
    case 'refused':
      return refused(given, effect.instead)
    case 'none':
      if (effect.except?.value === value) return refused(given, effect.except.instead)
      return { kind: 'idle', flag: `--${flag.name}`, why: effect.why }
    case 'plan':
      return asPlan(given, raw)
    case 'input': {
      const { input } = effect
      const converted = convertedFlag(given, effect.as)
      if ('hint' in converted) return wrongValue(given, converted.hint)
      if (converted.texts.length === 0) return { kind: 'nothing' }
      return { kind: 'written', input, flag: `--${flag.name}`, line, isList: isListed(given), texts: converted.texts }
    }
    default:
      return unreachable(effect)
  }
}

/** A dry run of a command is its plan. */
function asPlan(given: GivenFlag, raw: RawInputs): Said {
  const { value, line } = given
  if (['none', 'false'].includes(value)) return { kind: 'nothing' }
  const values = ['client', 'server', 'none']
  if (!['true', 'unset', ...values].includes(value)) return wrongValue(given, { kind: 'write-one-of', choices: values })
  const command = raw('command')
  const plan = isCommand(command) ? planCommandOf(command) : undefined
  if (plan === undefined) return refused(given, `leave it out: the command ${command} has no plan`)
  return { kind: 'written', input: 'command', flag: '--dry-run', line, isList: false, texts: [plan] }
}

function isCommand(text: string): text is keyof typeof commands {
  return Object.hasOwn(commands, text)
}

function joined(before: Written | undefined, said: Written): Written {
  if (before === undefined) return said
  return said.isList ? { ...before, texts: [...before.texts, ...said.texts] } : before
}

/** Never the value: it may be secret. */
function wrongValue({ written, line }: GivenFlag, hint: Hint): Said {
  return { kind: 'wrong', problem: flagProblem(line, `the value of ${written} cannot be taken`, hint) }
}

function refused({ written, line }: GivenFlag, instead: string): Said {
  return { kind: 'wrong', problem: flagProblem(line, `${written} is refused`, { kind: 'instead-of-flag', instead }) }
}

/** An input that says its default cannot be told from one that is left out. `--dry-run` only changes the command. */
function isGivenTwice({ input, isList }: Written, raw: RawInputs): boolean {
  const text = raw(input).toLowerCase()
  return !isList && input !== 'command' && text !== '' && text !== INPUT_DEFAULTS[input]
}

function twice({ input, flag, line }: Written): Problem {
  return flagProblem(line, `${flag} and the input ${input} are both given`, { kind: 'give-one-of-both' })
}

function flagProblem(line: number, what: string, hint: Hint): Problem {
  return inputProblem('helm-args', `line ${line}: ${what}`, hint, line)
}

function textOf(name: InputName, written: Written | undefined, raw: RawInputs): string {
  if (written === undefined) return raw(name)
  const before = written.isList && raw(name) !== '' ? [raw(name)] : []
  return [...before, ...written.texts].join('\n')
}

function movedToFlag(problem: Problem, written: ReadonlyMap<InputName, Written>, raw: RawInputs): Problem {
  const { what, place } = problem
  const source = [...written.values()].find(({ input }) => input === place.input)
  if (source === undefined || (source.isList && raw(source.input) !== '')) return problem
  const { flag, line } = source
  // The lines of the input are the values of the flag.
  const moved = `${flag}: ${what.replace(/^line (?=\d)/, 'value ')}`
  return { ...problem, place: { input: 'helm-args', line }, what: moved }
}
