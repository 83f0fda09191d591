import { expect, test } from 'vitest'
import { proxyFromEnvironment } from '../../src/network/proxy.ts'

const HTTPS_PROXY = 'http://proxy:3128'

test.each([
  ['https://api.example:6443', '', HTTPS_PROXY],
  ['https://api.example:6443', 'example', undefined],
  ['https://example', 'example', undefined],
  ['https://example', '.example', HTTPS_PROXY],
  ['https://api.example', '.example', undefined],
  ['https://badexample', 'example', HTTPS_PROXY],
  ['https://api.example:6443', 'api.example:443', HTTPS_PROXY],
  ['https://api.example:6443', 'x, API.example:6443', undefined],
  ['https://10.1.2.3', '10.0.0.0/8', undefined],
  ['https://11.1.2.3', '10.0.0.0/8', HTTPS_PROXY],
  ['https://[fd00::5]', 'fd00::/8', undefined],
  ['https://10.1.2.3', '10.1.2.3', undefined],
  ['https://10.1.2.3', 'nonsense/99', HTTPS_PROXY],
  ['https://api.example', '*', undefined],
  ['https://localhost:6443', '', undefined],
  ['https://127.0.0.1:6443', '', undefined],
])('%s with NO_PROXY=%s, as Go decides it', (server, NO_PROXY, proxy) => {
  expect(proxyFromEnvironment(new URL(server), { HTTPS_PROXY, NO_PROXY })).toBe(proxy)
})

test('HTTP_PROXY is for http only, capitals win, a missing scheme is http', () => {
  const env = { HTTP_PROXY: 'upper:1', http_proxy: 'lower:1', https_proxy: 'secure:1' }
  expect(proxyFromEnvironment(new URL('http://a'), env)).toBe('http://upper:1')
  expect(proxyFromEnvironment(new URL('https://a'), env)).toBe('http://secure:1')
})
