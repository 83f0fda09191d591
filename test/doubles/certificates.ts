import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** All in PEM. */
export interface MadeCertificate {
  readonly cert: string
  readonly key: string
}

export interface MadeAuthority {
  readonly ca: string
  /** A certificate for these names and addresses of IPv4. `days`: how long it is valid, from a day ago on; -1: until yesterday. */
  issue(names: readonly string[], days?: number): MadeCertificate
}

const DAY_MS = 86_400_000

/** An authority for servers of tests, whose certificates need no program to make them (RFC 5280, X.690). */
export function makeAuthority(name = 'test authority'): MadeAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = nameOf(name)
  const whole = (options: Omit<ToSign, 'issuer' | 'signer'>) =>
    certificate({ ...options, issuer: subject, signer: authority.privateKey })
  const isAuthority = extension([2, 5, 29, 19], true, sequence(BOOLEAN_TRUE))
  return {
    ca: whole({ subject, key: authority.publicKey, days: 2, extensions: [isAuthority] }),
    issue(names, days = 2) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = extension([2, 5, 29, 17], false, sequence(...names.map(alternativeName)))
      return {
        cert: whole({ subject: nameOf('test'), key: pair.publicKey, days, extensions: [alternatives] }),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

interface ToSign {
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly key: KeyObject
  readonly signer: KeyObject
  readonly days: number
  readonly extensions: readonly Buffer[]
}

function certificate({ subject, issuer, key, signer, days, extensions }: ToSign): string {
  const algorithm = sequence(identifier([1, 2, 840, 10045, 4, 3, 2]))
  const version3 = encoded(0xa0, encoded(0x02, Buffer.from([2])))
  const serial = encoded(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const now = Date.now()
  const [fromMs, untilMs] = days < 0 ? [now - 3 * DAY_MS, now - DAY_MS] : [now - DAY_MS, now + days * DAY_MS]
  const content = sequence(
    ...[version3, serial, algorithm, issuer, sequence(time(fromMs), time(untilMs)), subject],
    key.export({ type: 'spki', format: 'der' }),
    encoded(0xa3, sequence(...extensions)),
  )
  const whole = sequence(content, algorithm, bits(sign('sha256', content, signer)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const BOOLEAN_TRUE = encoded(0x01, Buffer.from([0xff]))

function extension(id: readonly number[], isCritical: boolean, value: Buffer): Buffer {
  return sequence(identifier(id), ...(isCritical ? [BOOLEAN_TRUE] : []), encoded(0x04, value))
}

function alternativeName(name: string): Buffer {
  const isAddress = /^[\d.]+$/.test(name)
  return isAddress ? encoded(0x87, Buffer.from(name.split('.').map(Number))) : encoded(0x82, Buffer.from(name))
}

function nameOf(commonName: string): Buffer {
  return sequence(encoded(0x31, sequence(identifier([2, 5, 4, 3]), encoded(0x0c, Buffer.from(commonName)))))
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return encoded(0x18, Buffer.from(text))
}

function bits(content: Buffer): Buffer {
  return encoded(0x03, Buffer.concat([Buffer.from([0]), content]))
}

function identifier([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const base128 = (value: number): number[] =>
    value < 128 ? [value] : [...base128(value >> 7).map((byte) => byte | 0x80), value & 0x7f]
  return encoded(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return encoded(0x30, Buffer.concat(parts))
}

function encoded(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
