import type { Schedule, ScheduleChange } from '../../model/impact.ts'
import { marked, type Phrase, phrase } from './phrase.ts'

/** `runs daily at 04:00 (was: daily at 03:00)`; of one that is suspended when it ran. */
export function schedulePhrase({ after, before }: ScheduleChange): Phrase {
  if (after === undefined) {
    const when = before === undefined ? [] : phrase` (${whenPhrase(before)})`
    return marked(phrase`suspended, no longer runs${when}`)
  }
  if (before === undefined) return phrase`runs again ${whenPhrase(after)}`
  return phrase`runs ${whenPhrase(after)} (was: ${whenPhrase(before)})`
}

/** `daily at 04:00 (Europe/Berlin)`; the expression itself where it says more than such words. */
export function whenPhrase({ expression, timeZone }: Schedule): Phrase {
  const text = whenText(expression)
  const when = text === undefined ? phrase`at ${expression}` : [text]
  return timeZone === undefined ? when : phrase`${when} (${timeZone})`
}

/** `@yearly` and the like. Source: the API reference of Kubernetes, `CronJobSpec.schedule`. */
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** More times of one day are read in the expression. */
const MAX_TIMES = 3

/** In words, for what a reader would call simple; undefined for all else. */
function whenText(expression: string): string | undefined {
  const fields = (DESCRIPTORS[expression.trim().toLowerCase()] ?? expression).trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = fields
  if (weekday === '' || more.length > 0) return undefined
  const days = daysText(day, month, weekday)
  if (days === undefined) return undefined
  const often = oftenText(minute, hour)
  if (often !== undefined) return days === 'daily' ? often : undefined
  const times = timesOf(minute, hour)
  return times === undefined ? undefined : `${days} at ${listText(times)}`
}

/** Steps that do not divide the hour or the day leave a shorter gap at its end. */
function oftenText(minute: string, hour: string): string | undefined {
  if (isAny(hour)) {
    if (isAny(minute)) return 'every minute'
    const step = stepOf(minute, 60)
    if (step !== undefined) return step === 1 ? 'every minute' : `every ${step} minutes`
    const at = numberOf(minute, 59)
    if (at === undefined) return undefined
    return at === 0 ? 'every hour' : `every hour at minute ${at}`
  }
  const [step, at] = [stepOf(hour, 24), numberOf(minute, 59)]
  if (step === undefined || at === undefined) return undefined
  const every = step === 1 ? 'every hour' : `every ${step} hours`
  return at === 0 ? every : `${every} at minute ${at}`
}

function timesOf(minute: string, hour: string): readonly string[] | undefined {
  const at = numberOf(minute, 59)
  const hours = hour.split(',').map((one) => numberOf(one, 23))
  if (at === undefined || hours.length > MAX_TIMES) return undefined
  const times = hours.flatMap((one) => (one === undefined ? [] : [`${twoDigits(one)}:${twoDigits(at)}`]))
  return times.length < hours.length ? undefined : times
}

/** Where both a day of the month and a weekday are named, either of them counts: the expression says that better. */
function daysText(day: string, month: string, weekday: string): string | undefined {
  if (isAny(day) && isAny(month)) return isAny(weekday) ? 'daily' : weekdaysText(weekday)
  const at = numberOf(day, 31)
  if (!isAny(weekday) || at === undefined || at === 0) return undefined
  if (isAny(month)) return `on day ${at} of each month`
  const name = nameOf(month, MONTHS, 1)
  return name === undefined ? undefined : `each year on ${name} ${at}`
}

function weekdaysText(weekday: string): string | undefined {
  const [first = '', last, ...more] = weekday.split('-')
  if (last !== undefined) {
    const [from, to] = [nameOf(first, DAYS, 0), nameOf(last, DAYS, 0)]
    return from === undefined || to === undefined || more.length > 0 ? undefined : `${from} to ${to}`
  }
  const names = weekday.split(',').map((one) => nameOf(one, DAYS, 0))
  return names.includes(undefined) ? undefined : listText(names.map((name) => `${name}s`))
}

/** By its number or its first three letters. */
function nameOf(text: string, names: readonly string[], first: number): string | undefined {
  const index = numberOf(text, names.length - 1 + first)
  if (index !== undefined) return names[index - first]
  return names.find((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase())
}

function isAny(field: string): boolean {
  return field === '*' || field === '?'
}

function stepOf(field: string, whole: number): number | undefined {
  const step = field.startsWith('*/') ? numberOf(field.slice(2), whole - 1) : undefined
  return step === undefined || step === 0 || whole % step !== 0 ? undefined : step
}

function numberOf(text: string, max: number): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

function twoDigits(amount: number): string {
  return String(amount).padStart(2, '0')
}

function listText(items: readonly (string | undefined)[]): string {
  return items.length < 2 ? String(items[0]) : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
