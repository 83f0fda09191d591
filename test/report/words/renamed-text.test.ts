import { expect, test } from 'vitest'
import { plainText } from '../../../src/report/words/phrase.ts'
import { renamedPhrase } from '../../../src/report/words/renamed-text.ts'

const account = (name: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'web', name })
const said = (annotations: { [key: string]: string }) =>
  plainText(
    renamedPhrase({
      ref: account('storefront'),
      after: { metadata: { annotations } },
      from: { ref: account('shop'), isSame: true },
      isAwaited: false,
    }),
  )

test.each([
  [
    'an account of a cloud',
    { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/shop' },
    '⚠️ another identity: bindings and cloud roles of others that name shop do not apply to it; the same but for names and version labels',
  ],
  [
    'any other account',
    { note: 'x' },
    'bindings and cloud roles of others that name shop do not apply to it; the same but for names and version labels',
  ],
])('%s that is renamed is another one to others', (_what, annotations, text) => {
  expect(said(annotations)).toBe(text)
})
