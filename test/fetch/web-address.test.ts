import { describe, expect, test } from 'vitest'
import { readAddress, resolveInRepository } from '../../src/fetch/web-address.ts'
import { refusal } from './given-http.ts'

describe('an address', () => {
  test('is shown without login, question and fragment', () => {
    const { url, shown, login } = readAddress('https://robot:p%40ss@charts.example/a.tgz?sig=secret#top')
    expect([url.href, shown, login]).toEqual([
      'https://charts.example/a.tgz?sig=secret',
      'https://charts.example/a.tgz',
      { kind: 'basic', username: 'robot', password: 'p@ss' },
    ])
  })

  test.each(['ftp://charts.example/a.tgz', 'charts.example', 'file:///etc/passwd', 'https://'])(
    '%s is none',
    async (text) => {
      expect(await refusal(new Promise((resolve) => resolve(readAddress(text))))).toBe(
        `"${text}" is no address of a chart (https:// or oci://); check the address and the name`,
      )
    },
  )
})

// What Go's url.Parse and ResolveReference give. Source: Helm, pkg/repo/v1, chartrepo_test.go.
describe('what an index names', () => {
  test.each([
    ['http://localhost:8123/', 'nginx-0.2.0.tgz', 'http://localhost:8123/nginx-0.2.0.tgz'],
    ['http://localhost:8123/charts', 'nginx-0.2.0.tgz', 'http://localhost:8123/charts/nginx-0.2.0.tgz'],
    ['http://localhost:8123/charts/', 'nginx-0.2.0.tgz', 'http://localhost:8123/charts/nginx-0.2.0.tgz'],
    ['http://localhost:8123/charts', '/nginx-0.2.0.tgz', 'http://localhost:8123/nginx-0.2.0.tgz'],
    ['http://localhost:8123', 'https://other.example/a-0.2.0.tgz', 'https://other.example/a-0.2.0.tgz'],
    ['http://localhost:8123/charts?with=queries', 'a.tgz', 'http://localhost:8123/charts/a.tgz?with=queries'],
    ['http://localhost:8123/charts%2fwith', 'a.tgz', 'http://localhost:8123/charts%2fwith/a.tgz'],
    ['https://charts.example/a/b', '../c.tgz', 'https://charts.example/a/c.tgz'],
    ['https://charts.example/a', '//other.example/c.tgz', 'https://other.example/c.tgz'],
    ['https://charts.example/a', 'oci://r.example/c:1.0.0', 'oci://r.example/c:1.0.0'],
  ])('of %s, %s is %s', (repository, reference, resolved) => {
    expect(resolveInRepository(new URL(repository), reference)).toBe(resolved)
  })
})
