import { expect, test } from 'vitest'
import { commonMetadata } from '../../../src/report/rows/common-metadata.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { commonMetadataPhrase } from '../../../src/report/words/metadata-text.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { apply, group, plan, ref, stage } from '../plans.ts'

/** What is told once, of objects that get these labels. */
function common(...objects: readonly (readonly string[])[]): string {
  const operations = objects.map((labels, index) =>
    apply(
      ref('v1', 'ConfigMap', `c${index}`),
      'update',
      { code: 'chart-changed', paths: [] },
      {
        before: { metadata: { labels: {} }, data: { a: '1' } },
        after: { metadata: { labels: Object.fromEntries(labels.map((key) => [key, 'x'])) }, data: { a: '2' } },
      },
    ),
  )
  return plainText(
    commonMetadataPhrase(commonMetadata(rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), []))),
  )
}

test('labels of the same objects are told together', () => {
  expect(common(['a', 'b'], ['a', 'b'], ['a', 'b'])).toBe('on 3 objects: label a added: x, label b added: x')
})

test('labels of as many objects, but not of the same ones, are told as those of each', () => {
  expect(common(['a'], ['a'], ['a'], ['b'], ['b'], ['b'])).toBe('on 3 objects each: label a added: x, label b added: x')
})
