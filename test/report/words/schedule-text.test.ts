import { expect, test } from 'vitest'
import { plainText } from '../../../src/report/words/phrase.ts'
import { schedulePhrase, whenPhrase } from '../../../src/report/words/schedule-text.ts'

const when = (expression: string) => plainText(whenPhrase({ expression }))

test.each([
  ['0 3 * * *', 'daily at 03:00'],
  ['30 6,18 * * *', 'daily at 06:30 and 18:30'],
  ['5 0,8,16 * * *', 'daily at 00:05, 08:05 and 16:05'],
  ['@daily', 'daily at 00:00'],
  ['@midnight', 'daily at 00:00'],
  ['@hourly', 'every hour'],
  ['@weekly', 'Sundays at 00:00'],
  ['@monthly', 'on day 1 of each month at 00:00'],
  ['@yearly', 'each year on January 1 at 00:00'],
  ['* * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['17 * * * *', 'every hour at minute 17'],
  ['0 */6 * * *', 'every 6 hours'],
  ['15 */6 * * *', 'every 6 hours at minute 15'],
  ['0 22 * * 1-5', 'Monday to Friday at 22:00'],
  ['0 22 * * MON-fri', 'Monday to Friday at 22:00'],
  ['0 22 * * 1,4', 'Mondays and Thursdays at 22:00'],
  ['0 22 ? * sat', 'Saturdays at 22:00'],
  ['30 6 1 * *', 'on day 1 of each month at 06:30'],
  ['0 0 24 dec *', 'each year on December 24 at 00:00'],
])('the schedule %s is %s', (expression, expected) => {
  expect(when(expression)).toBe(expected)
})

test.each([
  ['a step that leaves a shorter gap', '*/7 * * * *'],
  ['a step of hours that does', '0 */5 * * *'],
  ['a day of the month or a weekday', '0 3 1 * 1'],
  ['minutes in a list', '0,30 3 * * *'],
  ['a range of hours', '0 8-18 * * *'],
  ['steps on some days', '*/5 * * * 1'],
  ['many times', '0 1,2,3,4 * * *'],
  ['a weekday that there is not', '0 3 * * 7'],
  ['an hour that there is not', '0 24 * * *'],
  ['a day that there is not', '0 3 0 * *'],
  ['a month of several', '0 3 1 1,7 *'],
  ['an interval', '@every 1h30m'],
  ['too few fields', '0 3 * *'],
  ['too many fields', '0 0 3 * * *'],
  ['nothing', ''],
])('%s stands as it is written: %s', (_what, expression) => {
  expect(when(expression)).toBe(`at ${expression}`)
})

test('the time zone is told, and a change of it', () => {
  const [before, after] = [{ expression: '0 3 * * *' }, { expression: '0 3 * * *', timeZone: 'Europe/Berlin' }]

  expect(plainText(schedulePhrase({ before, after }))).toBe('runs daily at 03:00 (Europe/Berlin) (was: daily at 03:00)')
})

test('a CronJob that is suspended stops, one that is resumed runs again', () => {
  const schedule = { expression: '0 3 * * *' }

  expect(plainText(schedulePhrase({ before: schedule }))).toBe('⚠️ suspended, no longer runs (daily at 03:00)')
  expect(plainText(schedulePhrase({ after: schedule }))).toBe('runs again daily at 03:00')
})
