import type { Hint } from '../model/hint.ts'
import { commaList } from './comma-list.ts'
import type { GivenFlag } from './flag-arguments.ts'
import { goBoolean } from './go-boolean.ts'
import { goDurationSeconds } from './go-duration.ts'
import type { FlagConversion } from './helm-flags.ts'

/** The lines of an input that say the same as a flag; none where the flag says nothing. */
type Converted = { readonly texts: readonly string[] } | { readonly hint: Hint }

/** Names the standard input. */
const STANDARD_INPUT = '-'

export function convertedFlag({ flag, value }: GivenFlag, as: FlagConversion | undefined): Converted {
  if (flag.takes === 'entries') return lines([value])
  if (flag.takes === 'list') {
    const list = commaList(value)
    if (list === undefined) return { hint: { kind: 'write-comma-list' } }
    return flag.name === 'values' ? valuesFiles(list) : lines(list)
  }
  if (flag.takes === 'boolean') return { texts: ofBoolean(goBoolean(value) ?? false, as) }
  if (as === 'waits') return waits(value)
  const seconds = as === 'duration' ? goDurationSeconds(value) : undefined
  return { texts: [seconds === undefined ? value : `${seconds}s`] }
}

function ofBoolean(isOn: boolean, as: FlagConversion | undefined): readonly string[] {
  if (typeof as === 'object') return isOn ? [as.whenTrue] : []
  return [String(as === 'negated' ? !isOn : isOn)]
}

/** A boolean, or a strategy of Helm 4: with `hookOnly` only hooks are waited for. */
function waits(value: string): Converted {
  if (value === 'watcher' || value === 'legacy') return { texts: ['true'] }
  if (value === 'hookOnly') return { texts: ['false'] }
  const isOn = goBoolean(value)
  if (isOn !== undefined) return { texts: [String(isOn)] }
  return { hint: { kind: 'write-one-of', choices: ['true', 'false', 'watcher', 'legacy', 'hookOnly'] } }
}

/** The input takes patterns, the flag does not. An address may have their characters. */
function valuesFiles(list: readonly string[]): Converted {
  if (list.includes(STANDARD_INPUT)) return { hint: { kind: 'write-values-file' } }
  const isPattern = (entry: string) => /[*?[\]{}]/.test(entry) && !/^https?:\/\//.test(entry)
  return list.some(isPattern) ? { hint: { kind: 'name-files' } } : lines(list)
}

/** An input has one value per line, without blanks around it: other values cannot be written so. */
function lines(values: readonly string[]): Converted {
  const texts = nonEmpty(values)
  const isLine = (text: string) => !/[\r\n]/.test(text) && text.trim() === text
  return texts.every(isLine) ? { texts } : { hint: { kind: 'write-inline-values' } }
}

function nonEmpty(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '')
}
