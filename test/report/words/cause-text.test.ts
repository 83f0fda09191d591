import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { causePhrase } from '../../../src/report/words/cause-text.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { apply, ref } from '../plans.ts'

/** Of an Ingress whose spec changes. */
function said(before: string, after: string): string {
  const [old, now] = [before, after].map((spec) => ({ spec: load(spec) as JsonObject }))
  const reason = { code: 'chart-changed', paths: [] } as const
  const bodies = { ...(old && { before: old }), ...(now && { after: now }) }
  const { impact } = apply(ref('networking.k8s.io/v1', 'Ingress', 'web'), 'update', reason, bodies)
  return plainText(causePhrase(reason, impact))
}

const rules = (...hosts: readonly string[]) => `rules: [${hosts.map((host) => `{ host: ${host} }`).join(', ')}]`
const many = ['b', 'c', 'd', 'e', 'f']

test.each([
  [
    'a host and its certificate',
    `{ ${rules('a')} }`,
    `{ ${rules('a', 'b')}, tls: [{ hosts: [b] }] }`,
    'serves b; TLS for b',
  ],
  ['the first host', '{ defaultBackend: null }', `{ defaultBackend: null, ${rules('a')} }`, 'serves a'],
  ['a host that goes', `{ ${rules('a', 'b')} }`, `{ ${rules('a')} }`, '⚠️ no longer serves b'],
  ['certificates that go', `{ ${rules('a')}, tls: [{ hosts: [a] }] }`, `{ ${rules('a')} }`, '⚠️ no TLS for a any more'],
  [
    'what else changes is told beside it',
    `{ ${rules('a')}, ingressClassName: nginx }`,
    '{ rules: [{ host: a, http: { paths: [{ path: /x }] } }, { host: b }] }',
    'serves b; ingressClassName nginx removed, rules[a].http added',
  ],
  [
    'a second certificate is not that of a host that the words name',
    `{ ${rules('a')}, tls: [{ hosts: [x] }] }`,
    `{ ${rules('a')}, tls: [{ hosts: [x] }, { hosts: [a], secretName: s }] }`,
    'a is served by TLS now; tls +1',
  ],
  [
    'more hosts than the words name',
    `{ ${rules('a')} }`,
    `{ ${rules('a', ...many)} }`,
    'serves b, c, d, e and 1 more; rules[b], rules[c], rules[d], rules[e] and rules[f] added',
  ],
])('what words say is not said again as a field: %s', (_what, before, after, expected) => {
  expect(said(before, after)).toBe(expected)
})
