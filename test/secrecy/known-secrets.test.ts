import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { cpuMsOf } from '../cpu-time.ts'

test('S-27 a long value that repeats itself costs no more than any other', () => {
  const value = '9'.repeat(60_000)
  const secrets = createSecrets()
  secrets.addLookedUp(value)
  const encoded = Buffer.from(value).toString('base64')
  const tookMs = cpuMsOf(() => {
    expect(secrets.redact(`a ${value} b ${encoded} c`)).toBe('a *** b *** c')
    expect(secrets.redactNames(`${value}-web`)).toBe('***-web')
  })
  expect(tookMs).toBeLessThan(5_000)
})

describe('S-27 a value of a Secret leaves in no form', () => {
  const value = 'p@ss "word"/<1>'
  const forms = [
    ['plain', value],
    ['in base64', Buffer.from(value).toString('base64')],
    ['in base64 with a line feed behind it', Buffer.from(`${value}\n`).toString('base64')],
    ['URL-escaped', encodeURIComponent(value)],
    ['JSON-escaped', JSON.stringify(value).slice(1, -1)],
    ['JSON-escaped as Go writes it', 'p@ss \\"word\\"/\\u003c1\\u003e'],
  ] as const
  test.each(forms)('%s', (_name, form) => {
    const secrets = createSecrets()
    secrets.add(value)

    expect(secrets.redact(`before ${form} after`)).toBe('before *** after')
  })

  test.each([' ', '\t', '\n', '\r\n', '    '])('in base64 with %j in front of it', (blank) => {
    const secrets = createSecrets()
    secrets.add(`${blank}${value}`)

    expect(secrets.redact(`before ${Buffer.from(`${blank}${value}`).toString('base64')} after`)).toBe(
      'before *** after',
    )
    expect(secrets.redact(`before${blank}${value}${blank}after`)).toBe(`before${blank}***${blank}after`)
  })

  test.each([' ', '\t'])('in base64 with %j in front of a line or a leaf of it', (blank) => {
    const texts = [`a: 1\n${blank}${value}\nb: 2`, JSON.stringify({ a: `${blank}${value}` })]
    for (const text of texts) {
      const secrets = createSecrets()
      secrets.add(text)

      expect(secrets.redact(`before ${Buffer.from(`${blank}${value}`).toString('base64')} after`), text).toBe(
        'before *** after',
      )
    }
  })

  /** Of each length modulo 3, as base64 ends otherwise for each. */
  const bundles = ['certificate-of-a', 'certificate-of-ab', 'certificate-of-abc']
  const ends = ['', '\n', '\r\n', '\n\n']
  const ways: readonly (readonly [string, (text: string) => string])[] = [
    ['padded', (text) => Buffer.from(text).toString('base64')],
    ['unpadded', (text) => Buffer.from(text).toString('base64').replace(/=+$/, '')],
    ['for URLs', (text) => Buffer.from(text).toString('base64url')],
  ]
  test.each(ways)('the end of its base64 text goes with it, %s', (_name, encode) => {
    const left = bundles.flatMap((bundle) =>
      ends.map((end) => {
        const secrets = createSecrets()
        secrets.add(bundle)
        return secrets.redact(`caBundle: '${encode(`${bundle}${end}`)}' # changed`)
      }),
    )

    expect([...new Set(left)]).toEqual(["caBundle: '***' # changed"])
  })

  test('of a longer base64 text only what holds the value is hidden, of other texts nothing behind it', () => {
    const secrets = createSecrets()
    secrets.add('certificate-of-abc')
    const longer = Buffer.from('certificate-of-abc and an example of the certificate').toString('base64')

    expect(secrets.redact(longer)).toMatch(/^\*{3}[A-Za-z0-9]{40,}={0,2}$/)
    expect(secrets.redact('certificate-of-abc-2 certificate-of-abc=')).toBe('***-2 ***=')
  })

  test('each line of a value of several lines, but not the frame of a PEM block', () => {
    const secrets = createSecrets()
    secrets.add('-----BEGIN KEY-----\nMIIEvQIBADAN\nq83vEjRWeJA=\n-----END KEY-----\n')

    expect(secrets.redact('-----BEGIN KEY----- then q83vEjRWeJA=, MIIEvQIBADAN')).toBe(
      '-----BEGIN KEY----- then ***, ***',
    )
  })

  test('leaves of a dockerconfigjson, and the password inside auth', () => {
    const secrets = createSecrets()
    const auth = Buffer.from('robot:t0ken-of-robot').toString('base64')
    secrets.add(JSON.stringify({ auths: { 'registry.example.com': { auth, email: 'ops@example.com' } } }))

    expect(secrets.redact(`registry.example.com ${auth} t0ken-of-robot ops@example.com`)).toBe(
      'registry.example.com *** *** ***',
    )
  })

  test('the password of a URL', () => {
    const secrets = createSecrets()
    secrets.add('postgres://shop:s3cr%40t-pw@db:5432/shop')

    expect(secrets.redact('tried s3cr@t-pw and s3cr%40t-pw at db:5432')).toBe('tried *** and *** at db:5432')
  })
})

test('masking stays useful: short and common values are not hidden', () => {
  const secrets = createSecrets()
  for (const value of ['true', '5432', 'admin', 'default', 'password', '', '  ', 'Deployment']) secrets.add(value)

  expect(secrets.redact('true: Deployment default/web asks for the password of admin at 5432')).toBe(
    'true: Deployment default/web asks for the password of admin at 5432',
  )
})

test('values that overlap in a text are hidden together, the longest first', () => {
  const secrets = createSecrets()
  secrets.add('abcdef123')
  secrets.add('abcdef')
  secrets.add('def123456')

  expect(secrets.redact('<abcdef123456> <abcdef> <abcdef123>')).toBe('<***> <***> <***>')
})

test('some thousand values cost little on a text of a megabyte', () => {
  const secrets = createSecrets()
  for (let i = 0; i < 3_000; i++) secrets.add(`secret-value-${i}-${'x'.repeat(i % 40)}`)
  const text = 'Deployment/shop/web waits: 1 of 3 updated secret-value-\n'.repeat(18_000)

  let redacted = ''
  const costMs = cpuMsOf(() => {
    redacted = secrets.redact(`${text}secret-value-17-${'x'.repeat(17)}`)
  })

  expect(redacted).toBe(`${text}***`)
  expect(costMs).toBeLessThan(2_000)
})
