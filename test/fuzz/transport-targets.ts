import { rangesIn } from '../../src/impact/address-ranges.ts'
import { expiryOfCertificate, expiryOfToken } from '../../src/kube/credential-expiry.ts'
import { advance, LOG_START, skipSeen, splitStamp } from '../../src/kube/log-lines.ts'
import { faultOfAnswer } from '../../src/kube/retry.ts'
import { streamLines } from '../../src/kube/stream-lines.ts'
import { proxyFromEnvironment } from '../../src/network/proxy.ts'
import { parseRetryAfter } from '../../src/network/retry-after.ts'
import type { Target } from './target.ts'

const LINE_LIMIT_CHARS = 1_000

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

export const transportTargets: readonly Target[] = [
  {
    name: 'tokens and certificates',
    covers: ['kube/credential-expiry.ts'],
    seeds: [
      `e30.${Buffer.from('{"exp":1767225600}').toString('base64url')}.c2ln`,
      '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n-----END CERTIFICATE-----\n',
    ],
    read: (text) => {
      expiryOfToken(text)
      expiryOfCertificate(text)
    },
  },
  {
    name: 'proxies and addresses',
    covers: ['network/proxy.ts'],
    seeds: ['10.0.0.0/8,.example.com,[::1]:443,*', 'http://u:p@proxy:3128', '0.0.0.0/0, ::/0 10.1.2.3/33'],
    read: (text) => {
      const server = new URL('https://api.example.com:6443')
      proxyFromEnvironment(server, { HTTPS_PROXY: 'http://proxy', NO_PROXY: text })
      proxyFromEnvironment(server, { HTTPS_PROXY: text })
      rangesIn(text)
    },
  },
  {
    name: 'refusals and when to ask again',
    covers: ['network/retry-after.ts'],
    seeds: ['120', 'Wed, 21 Oct 2026 07:28:00 GMT', 'etcdserver: leader changed', 'failed calling webhook "a": x509'],
    read: (text) => {
      const afterMs = parseRetryAfter(text, 0)
      if (afterMs !== undefined && !(afterMs >= 0)) throw new Error(`waits for ${afterMs} ms`)
      for (const status of [409, 429, 500]) faultOfAnswer(status, text, afterMs)
    },
  },
  {
    name: 'streams',
    covers: ['kube/log-lines.ts'],
    seeds: ['2026-01-01T00:00:00.123456789Z a\n2026-01-01T00:00:00.123456789Z b\r\n', '{"type":"ADDED"}\n\n'],
    read: async (text) => {
      let position = LOG_START
      for await (const lines of streamLines(chunksOf(Buffer.from(text)), LINE_LIMIT_CHARS)) {
        for (const line of lines) {
          if (line.length > LINE_LIMIT_CHARS) throw new Error('a line is longer than its limit')
          const { time } = splitStamp(line)
          skipSeen(position)(time)
          position = advance(position, time)
        }
      }
    },
  },
]
