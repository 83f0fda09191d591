import { expect, test } from 'vitest'
import { historyOf } from '../../src/record/history.ts'
import { unreadableRecords } from '../../src/record/unreadable-records.ts'
import { problemText } from '../../src/report/words/problem-text.ts'
import { dataOf, recordOf, secretOf } from './records.ts'

test('each record that cannot be read is a warning with its Secret, its revision and the cause', () => {
  const packed = dataOf(JSON.stringify(recordOf(2, 'superseded')))
  const secrets = [
    secretOf(recordOf(1, 'superseded'), { name: 'copy-of-web' }),
    secretOf(recordOf(2, 'superseded'), { data: packed.slice(0, 40) }),
    secretOf(recordOf(3, 'deployed')),
  ]
  const problems = unreadableRecords(historyOf(secrets, 'web'), { release: 'web', namespace: 'shop' })
  expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'warning'])
  expect(problems.map(problemText)).toMatchInlineSnapshot(`
    [
      "Secret/shop/sh.helm.release.v1.web.v2: the record of revision 2 cannot be read and is left out of the history: it cannot be unpacked (unexpected end of file); restore this Secret from a backup, or delete it if no rollback to that revision is needed",
      "Secret/shop/copy-of-web: this release record cannot be read and is left out of the history: the record inside is revision 1; restore this Secret from a backup, or delete it if no rollback to that revision is needed",
    ]
  `)
})

test('a history that is all readable has no warning', () => {
  const history = historyOf([secretOf(recordOf(1, 'deployed'))], 'web')
  expect(unreadableRecords(history, { release: 'web', namespace: 'shop' })).toEqual([])
})
