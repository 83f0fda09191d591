import { Buffer } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson, stringifyJson } from '../../src/model/json.ts'
import { at } from '../../src/model/object.ts'
import type { ReleaseRecord } from '../../src/model/release.ts'
import { decodeRecord, encodeRecord } from '../../src/record/codec.ts'
import { readShape } from '../../src/record/shape.ts'
import { goTime, microTime } from '../../src/record/time.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { mutated, randomFrom } from '../fuzz/mutate.ts'
import { refusing } from '../fuzz/refusals.ts'
import { dataOf, migrate, recordOf } from './records.ts'

/** Records made from a seed: less proves less. */
const DAMAGED = 1_000

const decode = (text: string): ReleaseRecord => decodeRecord(dataOf(text)).record
const plain = (text: string): string => Buffer.from(Buffer.from(text).toString('base64')).toString('base64')
const minimal = '"name":"web","version":1,"info":{}'

describe('encoding', () => {
  test('is base64 of base64 of gzip of JSON', () => {
    const packed = Buffer.from(
      Buffer.from(encodeRecord(recordOf(3, 'deployed')), 'base64').toString('latin1'),
      'base64',
    )
    expect(packed.subarray(0, 3)).toEqual(Buffer.from([0x1f, 0x8b, 0x08]))
    const { hooks: _empty, ...written } = recordOf(3, 'deployed')
    expect(JSON.parse(gunzipSync(packed).toString())).toEqual(written)
  })

  test('leaves out what Go leaves out when it is empty', () => {
    const record = recordOf(1, 'deployed', { config: {}, manifest: '', hooks: [], apply_method: '' })
    const packed = Buffer.from(Buffer.from(encodeRecord(record), 'base64').toString('latin1'), 'base64')
    expect(Object.keys(JSON.parse(gunzipSync(packed).toString()))).toEqual([
      'name',
      'info',
      'chart',
      'version',
      'namespace',
    ])
  })

  test('gives the same text for the same record', () => {
    expect(encodeRecord(recordOf(3, 'deployed'))).toBe(encodeRecord(recordOf(3, 'deployed')))
  })
})

describe('decoding', () => {
  test('gives back what was encoded', () => {
    const record = recordOf(3, 'pending-upgrade', { hooks: [{ ...migrate, last_run: { phase: 'Running' } }] })
    expect(decodeRecord(encodeRecord(record)).record).toEqual(record)
  })

  test('gives back any values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (config) => {
        const record = readShape(parseJson(JSON.stringify({ ...recordOf(1, 'deployed'), config })))
        expect(stringifyJson(decodeRecord(encodeRecord(record)).record.config)).toBe(stringifyJson(record.config))
      }),
      { numRuns: 100 },
    )
  })

  test('reads a record that was stored before Helm packed them', () => {
    expect(decodeRecord(plain(`{${minimal},"namespace":"shop"}`)).record.namespace).toBe('shop')
  })

  test('fills in what Go leaves out, and reads null as empty', () => {
    expect(decode(`{${minimal},"hooks":null}`)).toEqual({
      name: 'web',
      version: 1,
      info: { status: 'unknown' },
      chart: {},
      config: {},
      manifest: '',
      hooks: [],
      namespace: '',
    })
  })

  test('keeps numbers beyond 2^53 to the digit', () => {
    const { record } = decodeRecord(encodeRecord(decode(`{${minimal},"config":{"id":9007199254740993}}`)))
    expect(record.config.id).toBe(9007199254740993n)
  })

  test('keeps keys that it does not know, at every level', () => {
    const text = `{${minimal.replace('{}', '{"annotations":{"a":"b"}}')},"sequencing":{"a":1},"hooks":[{"new":true}]}`
    const { record } = decodeRecord(encodeRecord(decode(text)))
    expect([at(record, 'info', 'annotations', 'a'), at(record, 'sequencing', 'a'), record.hooks[0]?.new]).toEqual([
      'b',
      1,
      true,
    ])
  })

  test('takes keys of the language for what they are', () => {
    const { record } = decodeRecord(encodeRecord(decode(`{${minimal},"config":{"__proto__":{"a":1},"constructor":2}}`)))
    expect(Object.keys(record.config)).toEqual(['__proto__', 'constructor'])
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  test('reads a status of a newer Helm as unknown', () => {
    expect(decode(`{"name":"web","version":1,"info":{"status":"sequencing"}}`).info.status).toBe('unknown')
  })
})

describe('S-31 hostile records', () => {
  const bomb = (size: number): string => dataOf(`{"name":"${'a'.repeat(size)}"}`)

  test.each([
    ['not base64 of anything', plain('***'), /JSON/],
    ['truncated gzip', dataOf('{"name":"web"}').slice(0, 24), /cannot be unpacked/],
    ['a list', dataOf('[]'), /the record is not an object/],
    ['no name', dataOf('{"version":1,"info":{}}'), /name is missing/],
    ['no version', dataOf('{"name":"web","info":{}}'), /version is not a positive whole number/],
    ['version 0', dataOf('{"name":"web","version":0,"info":{}}'), /version is not/],
    [
      'a version that nobody can count to',
      dataOf('{"name":"web","version":9007199254740991,"info":{}}'),
      /version is not/,
    ],
    ['no info', dataOf('{"name":"web","version":1}'), /info is not an object/],
    ['notes that are no text', dataOf('{"name":"web","version":1,"info":{"notes":1}}'), /info.notes is not text/],
    ['hooks that are no list', dataOf(`{${minimal},"hooks":{}}`), /hooks is not a list/],
    ['a hook that is no object', dataOf(`{${minimal},"hooks":[1]}`), /hooks\[0\] is not an object/],
    [
      'events that are no texts',
      dataOf(`{${minimal},"hooks":[{"events":[1]}]}`),
      /hooks\[0\].events holds something else/,
    ],
    ['too deep', dataOf(`{${minimal},"config":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`), /nests deeper than 256/],
    ['a number without end', dataOf(`{${minimal},"config":{"a":${'9'.repeat(600)}}}`), /more than 512 digits/],
    ['a bomb', bomb(17 * 1024 * 1024), /unpacks to more than 16777216 bytes/],
  ])('refuses %s', (_name, data, cause) => {
    expect(() => decodeRecord(data)).toThrow(cause)
  })

  test('refuses a plain record that is too large', () => {
    expect(() => decodeRecord(plain(`{${minimal}}`), 10)).toThrow('more than 10 bytes')
  })

  test('does not count brackets and digits inside of texts', () => {
    const text = JSON.stringify(`${'{['.repeat(300)}\\" ${'1'.repeat(600)}`)
    expect(decode(`{${minimal},"manifest":${text}}`).manifest).toHaveLength(1203)
  })

  test(`${DAMAGED} damaged records are read or refused, within the time of a second each`, () => {
    const random = randomFrom(31)
    const seeds = [
      recordOf(1, 'deployed'),
      recordOf(3, 'pending-upgrade', { hooks: [{ ...migrate, last_run: { phase: 'Running' } }] }),
      recordOf(7, 'failed', { config: { a: [1, { b: null }], id: 9_007_199_254_740_993n } }),
      recordOf(2, 'uninstalled', { manifest: '---\nkind: ConfigMap\n'.repeat(50), apply_method: '' }),
    ]
    const texts = seeds.map((seed) => stringifyJson(seed))
    const ways: readonly ((index: number) => string)[] = [
      // What is packed is other JSON, or no JSON.
      (index) => dataOf(mutated(texts[index] ?? '', texts, random)),
      // The packed bytes are damaged.
      (index) => {
        const bytes = Buffer.from(encodeRecord(seeds[index] ?? recordOf(1, 'deployed')), 'base64').toString('latin1')
        const packed = Buffer.from(bytes, 'base64')
        for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
          packed[Math.floor(random() * packed.length)] = Math.floor(random() * 256)
        }
        const cut = packed.subarray(0, random() < 0.3 ? Math.floor(random() * packed.length) : packed.length)
        return Buffer.from(cut.toString('base64')).toString('base64')
      },
      // The text of the Secret is.
      (index) => {
        const data = encodeRecord(seeds[index] ?? recordOf(1, 'deployed'))
        return mutated(data, texts, random)
      },
    ]
    const verdicts = { read: 0, refused: 0 }
    for (let count = 0; count < DAMAGED; count += 1) {
      const data = ways[count % ways.length]?.(Math.floor(count / ways.length) % seeds.length) ?? ''
      const tookMs = cpuMsOf(() =>
        refusing(() => {
          verdicts.refused += 1
          decodeRecord(data)
          verdicts.refused -= 1
          verdicts.read += 1
        }, Error),
      )
      expect(tookMs, data.slice(0, 200)).toBeLessThan(1_000)
    }
    // Both must happen, or the damage is too small or too great to prove anything.
    expect(verdicts.read + verdicts.refused).toBe(DAMAGED)
    expect(Math.min(verdicts.read, verdicts.refused)).toBeGreaterThan(DAMAGED / 20)
  })
})

describe('times', () => {
  test.each([
    [0, '1970-01-01T00:00:00Z'],
    [1_500, '1970-01-01T00:00:01.5Z'],
    [1_020, '1970-01-01T00:00:01.02Z'],
    [10_000, '1970-01-01T00:00:10Z'],
  ])('%i ms as Go writes it', (ms, text) => {
    expect(goTime(ms)).toBe(text)
  })

  test('MicroTime has six digits', () => {
    expect(microTime(1_500, 7)).toBe('1970-01-01T00:00:01.500007Z')
  })
})
