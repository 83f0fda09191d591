import { expect, test } from 'vitest'
import type { Impact } from '../../../src/model/impact.ts'
import { withHiddenChanges } from '../../../src/report/rows/hidden-changes.ts'

const webhook = (caBundle: string, label: string) => ({
  metadata: { labels: { chart: label } },
  webhooks: [{ name: 'a', clientConfig: { caBundle } }],
})

test('a text that was redacted on both sides says that it changed', () => {
  const impact: Impact = {
    risk: 'other',
    fields: [
      { path: 'webhooks[a].clientConfig.caBundle', pointer: '/webhooks/0/clientConfig/caBundle', kind: 'changed' },
      { path: 'metadata.labels.chart', pointer: '/metadata/labels/chart', kind: 'changed' },
    ],
  }
  expect(withHiddenChanges(webhook('***', 'a-1'), webhook('***', 'a-2'), impact)).toEqual(
    webhook('*** (changed)', 'a-2'),
  )
})
