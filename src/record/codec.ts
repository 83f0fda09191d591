import { Buffer } from 'node:buffer'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import { messageOf } from '../model/errors.ts'
import { MAX_DEPTH, parseJson, stringifyJson } from '../model/json.ts'
import type { JsonValue } from '../model/object.ts'
import type { ReleaseRecord } from '../model/release.ts'
import { readShape, withoutEmpty } from './shape.ts'

/**
 * Unpacked records above this size are refused. Source: Helm's cap on a chart archive
 * (docs/sources.md#helm-archive-limits).
 */
export const UNPACKED_LIMIT_BYTES = 100 * 1024 * 1024
/** How much larger than packed a record may be; gzip reaches 1,000 times. */
const RATIO_LIMIT = 200
/** Below this size any ratio is fine: a thousand similar objects compress well. */
const RATIO_FREE_BYTES = 16 * 1024 * 1024
/** Digits in a row outside of a text; longer numbers cost more than linear time to read. */
const DIGITS_LIMIT = 512

/**
 * The value of `data.release` as the API takes it: base64 (the API's) of base64 (Helm's) of gzip of JSON.
 * Source: docs/sources.md#helm-release-storage.
 */
export function encodeRecord(record: ReleaseRecord): string {
  return Buffer.from(gzip(stringifyJson(withoutEmpty(record))).toString('base64'), 'latin1').toString('base64')
}

/**
 * The record in a Secret's `data.release`, packed or (as Helm's first releases wrote it) plain. What is read is
 * hostile: whoever may write Secrets could have made it. Throws an Error whose message is the cause.
 */
export function decodeRecord(data: string, limitBytes = UNPACKED_LIMIT_BYTES): DecodedRecord {
  const stored = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64')
  const json = isGzip(stored) ? gunzip(stored, limitBytes) : stored
  if (json.length > limitBytes) throw new Error(tooLarge(limitBytes))
  checkBounds(json)
  return { record: readShape(readJson(json.toString('utf8'))), unpackedBytes: json.length }
}

/** Without the parser's message, which quotes what it read: a record holds values of Secrets. */
function readJson(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch {
    throw new Error('it is not valid JSON')
  }
}

export interface DecodedRecord {
  readonly record: ReleaseRecord
  readonly unpackedBytes: number
}

/** Bytes that the record takes in a Secret, of the API server's 1 MiB. */
export function storedBytes(record: ReleaseRecord): number {
  return base64Bytes(gzip(stringifyJson(withoutEmpty(record))).length)
}

/** Bytes that a text takes in a record, packed on its own. */
export function packedBytes(text: string): number {
  return base64Bytes(gzip(text).length)
}

function gzip(text: string): Buffer {
  return gzipSync(text, { level: constants.Z_BEST_COMPRESSION })
}

function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

function isGzip(bytes: Buffer): boolean {
  return bytes.length > 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

function gunzip(packed: Buffer, limitBytes: number): Buffer {
  const maxOutputLength = Math.min(limitBytes, Math.max(RATIO_FREE_BYTES, packed.length * RATIO_LIMIT))
  try {
    return gunzipSync(packed, { maxOutputLength })
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error(tooLarge(maxOutputLength), { cause })
    throw new Error(`it cannot be unpacked (${messageOf(cause)})`, { cause })
  }
}

function tooLarge(limitBytes: number): string {
  return `it unpacks to more than ${limitBytes} bytes`
}

/** Walks the JSON once, outside of its texts, before anything recursive does. */
function checkBounds(json: Buffer): void {
  let depth = 0
  let digits = 0
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0
    digits = byte >= DIGIT_0 && byte <= DIGIT_9 ? digits + 1 : 0
    if (digits > DIGITS_LIMIT) throw new Error(`it holds a number of more than ${DIGITS_LIMIT} digits`)
    if (byte === QUOTE) index = endOfText(json, index)
    else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) depth += 1
    else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) depth -= 1
    if (depth > MAX_DEPTH) throw new Error(`it nests deeper than ${MAX_DEPTH} levels`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d

/** Index of the quote that closes the text opened at `start`; the end where there is none (the parser refuses it). */
function endOfText(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
