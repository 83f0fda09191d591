import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { commonMetadata, metadataBeside } from '../../../src/report/rows/common-metadata.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { commonMetadataPhrase, metadataPhrase } from '../../../src/report/words/metadata-text.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { apply, group, plan, ref, stage } from '../plans.ts'

type Labels = Readonly<Record<string, string>>

/** ConfigMaps whose data change as well, unless they are to stay. */
function rows(...changes: readonly (readonly [Labels, Labels, 'labels only'?])[]): readonly Row[] {
  const body = (labels: Labels, text: string): JsonObject => ({ metadata: { labels }, data: { text } })
  const operations = changes.map(([before, after, only], index) => {
    const bodies = { before: body(before, 'a'), after: body(after, only === undefined ? 'b' : 'a') }
    return apply(ref('v1', 'ConfigMap', `c${index}`), 'update', { code: 'chart-changed', paths: [] }, bodies)
  })
  return rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), [])
}

function told(all: readonly Row[]): { readonly once: string; readonly beside: readonly string[] } {
  const common = commonMetadata(all)
  return {
    once: plainText(commonMetadataPhrase(common)),
    beside: all.map((row) => plainText(metadataPhrase(metadataBeside(row, common).beside))),
  }
}

const chart = (name: string, version: string) => ({ 'helm.sh/chart': `${name}-${version}` })

test('versions of subcharts are told once, each with its values', () => {
  const all = rows(
    [chart('a', '1'), chart('a', '2')],
    [chart('b', '1'), chart('b', '2')],
    [chart('b', '1'), chart('b', '2')],
  )

  expect(told(all)).toEqual({ once: 'on 3 objects: label helm.sh/chart b-1 → b-2, a-1 → a-2', beside: ['', '', ''] })
})

test('any other label is told beside its object, where it does not change alike on three of them', () => {
  const all = rows([{ team: 'a' }, { team: 'x' }], [{ team: 'b' }, { team: 'x' }], [{ team: 'c' }, { team: 'x' }])

  expect(told(all)).toEqual({ once: '', beside: ['label team a → x', 'label team b → x', 'label team c → x'] })
})

const team = { team: 'a' }
const four = { a: '1', b: '1', c: '1', d: '1' }

test.each<[string, readonly Row[], string, readonly string[]]>([
  [
    'is not told again where it is the reason of a row',
    rows([{}, team, 'labels only'], [{}, team, 'labels only'], [{}, team, 'labels only'], [{}, team]),
    '',
    ['', '', '', 'label team added: a'],
  ],
  [
    'is told once where it is none',
    rows([{}, team], [{}, team], [{}, team, 'labels only'], [{}, team]),
    'on 3 objects: label team added: a',
    ['', '', '', ''],
  ],
  [
    'and where the row names only some of several',
    rows([{}, four, 'labels only'], [{}, four, 'labels only'], [{}, four, 'labels only']),
    'on 3 objects: label a added: 1, label b added: 1, label c added: 1, label d added: 1',
    ['', '', ''],
  ],
  [
    'a version is never the reason',
    rows(
      ...['x', 'y', 'z'].map((one) => [{ version: one }, { version: one, ...chart('a', '2') }, 'labels only'] as const),
    ),
    'on 3 objects: label helm.sh/chart added: a-2',
    ['', '', ''],
  ],
])('a label that changes alike on many objects %s', (_what, all, once, beside) => {
  expect(told(all)).toEqual({ once, beside })
})

test('of very many subcharts some are told once, the others beside their objects', () => {
  const names = Array.from({ length: 40 }, (_, index) => `chart${index}x`)
  const { beside, once } = told(rows(...names.map((name) => [chart(name, '1'), chart(name, '2')] as const)))

  for (const name of names) expect([once, ...beside].filter((text) => text.includes(`${name}-1`))).toHaveLength(1)
  expect(beside.filter((text) => text === '')).toHaveLength(16)
})
