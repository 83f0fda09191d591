import { describe, expect, test } from 'vitest'
import { commentBody, visibleText } from '../../src/github/comment-body.ts'
import { formatMarker, parseMarker } from '../../src/github/comment-marker.ts'
import type { FoundComment } from '../../src/ports.ts'

const line = formatMarker({ key: 'k1', readAtMs: 5 })
const existing: FoundComment = {
  id: 1,
  nodeId: 'IC_1',
  url: 'https://github.example/acme/shop/pull/57#issuecomment-1',
  body: `${line}\r\n\r\n### shop\r\n`,
  marker: { key: 'k1', readAtMs: 5 },
  text: '### shop\n',
}

describe('a comment is its marker and its text', () => {
  test('what the marker needs is taken off the limit of the text', () => {
    const text = (limitBytes: number) => 'x'.repeat(limitBytes)
    const body = commentBody({ kind: 'whole', marker: { key: 'k1' }, text }, undefined, 1_000) ?? ''
    expect(body).toHaveLength(1_000)
    expect([parseMarker(body), visibleText(body)]).toEqual([{ key: 'k1' }, expect.stringMatching(/^x+$/)])
  })

  test('a text alone goes below the marker that is there', () => {
    expect(commentBody({ kind: 'text', text: 'new' }, existing)).toBe(`${line}\n\nnew`)
    expect(commentBody({ kind: 'text', text: 'new' }, undefined)).toBeUndefined()
  })

  test('a text that went through an editor with returns is read without them', () => {
    expect(visibleText(existing.body)).toBe(existing.text)
  })
})
