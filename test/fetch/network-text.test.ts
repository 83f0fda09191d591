import { expect, test } from 'vitest'
import { networkText } from '../../src/fetch/network-text.ts'

const url = new URL('https://charts.example:8443/index.yaml')
const failed = (code: string, isBroken = false) =>
  networkText({ error: Object.assign(new Error(`failed\n${code}`), { code }), isBroken }, url)

test.each([
  ['EAI_AGAIN', 'the name charts.example cannot be looked up just now', true],
  ['ENOTFOUND', 'the name charts.example is not known', false],
  ['ECONNREFUSED', 'charts.example:8443 refuses connections', false],
  ['ECONNRESET', 'charts.example:8443 cannot be reached: failed ECONNRESET (ECONNRESET)', true],
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'charts.example:8443 cannot be reached: failed UND_ERR_CONNECT_TIMEOUT (UND_ERR_CONNECT_TIMEOUT)',
    true,
  ],
  ['CERT_NOT_YET_VALID', 'the certificate of charts.example:8443 is not valid yet', false],
  ['CERT_REVOKED', 'charts.example:8443 cannot be reached: failed CERT_REVOKED (CERT_REVOKED)', false],
])('%s: %s', (code, what, isPassing) => {
  expect(failed(code)).toMatchObject({ what, isPassing })
})

test('what happens amid an answer breaks it off', () => {
  expect(failed('ECONNRESET', true)).toMatchObject({ what: 'the answer breaks off', isPassing: true })
})
