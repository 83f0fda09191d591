import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { formatMarker, parseMarker } from '../../src/github/comment-marker.ts'
import type { ApprovedPlan } from '../../src/model/plan.ts'
import type { CommentMarker } from '../../src/ports.ts'

const hash = 'a'.repeat(64)
const plan: ApprovedPlan = {
  release: 'shop',
  namespace: 'web',
  hash,
  comparedBy: 'dry-run',
  digests: { 'main/apply/apps/Deployment/web/shop': '0123abcd' },
}

/** A line as ours, of any JSON. */
function packed(value: unknown): string {
  return `<!-- staged-helm-deploy v1 ${deflateRawSync(JSON.stringify(value)).toString('base64url')} -->`
}

function digestsOf(count: number): { readonly [id: string]: string } {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`main/apply/${index}`, `${(index * 2_654_435_761) % 4_294_967_296}`]),
  )
}

describe('line 1 of a comment tells what the comment says', () => {
  test.each<readonly [string, CommentMarker]>([
    ['the key alone', { key: 'k1' }],
    [
      'a plan of a run',
      { key: 'k1', headSha: 'def', runId: 881, runAttempt: 2, readAtMs: 1_700_000_000_000, plans: [plan] },
    ],
    ['no plans at all', { key: 'k1', plans: [] }],
    ['closed', { key: 'k1', isClosed: true }],
  ])('%s comes back as it went', (_case, marker) => {
    expect(parseMarker(`${formatMarker(marker)}\n### shop`)).toEqual(marker)
  })

  test('nothing in it can end the HTML comment', () => {
    const line = formatMarker({ key: '-->-- --!>', plans: [{ ...plan, release: '--><h1>' }] })
    expect(line).toMatch(/^<!-- [\w -]+ -->$/)
    expect(parseMarker(line)?.key).toBe('-->-- --!>')
  })

  test('a text that went through an editor with returns is read all the same', () => {
    expect(parseMarker(`${formatMarker({ key: 'k1' })}\r\n### shop`)).toEqual({ key: 'k1' })
  })
})

describe('digests fit into 8 KB at most', () => {
  const stageDigests = { main: 'ffff0000' }
  const read = (one: ApprovedPlan) => parseMarker(formatMarker({ key: 'k1', plans: [one] }))?.plans?.[0]

  test('those of the operations go before those of the stages', () => {
    expect(read({ ...plan, stageDigests })).toEqual(plan)
  })

  test('many operations: those of the stages', () => {
    const { digests: _none, ...rest } = plan
    expect(read({ ...rest, digests: digestsOf(5_000), stageDigests })).toEqual({ ...rest, stageDigests })
  })

  test('many stages too: the hashes alone', () => {
    const { digests: _none, ...rest } = plan
    expect(read({ ...rest, digests: digestsOf(5_000), stageDigests: digestsOf(5_000) })).toEqual(rest)
  })

  test('so many plans that their hashes do not fit: none', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const plans = Array.from({ length: 400 }, (_, index) => ({ ...plan, hash: sha256(`${index}`) }))
    expect(parseMarker(formatMarker({ key: 'k1', plans }))).toEqual({ key: 'k1' })
  })
})

describe('what is foreign in it does no harm', () => {
  test.each([
    ['another first line', `hello\n${formatMarker({ key: 'k1' })}`],
    ['a longer name', formatMarker({ key: 'k1' }).replace('v1', 'v10')],
    ['no end', formatMarker({ key: 'k1' }).replace(' -->', '')],
    ['more behind the end', `${formatMarker({ key: 'k1' })} and more`],
    ['no key', packed({ headSha: 'def' })],
    ['a key of another type', packed({ key: 5 })],
    ['no object', packed('k1')],
    ['no packed text', '<!-- staged-helm-deploy v1 AAAA -->'],
    ['no JSON', `<!-- staged-helm-deploy v1 ${deflateRawSync('{').toString('base64url')} -->`],
    ['a text that unpacks to megabytes', packed({ key: 'k'.repeat(2_000_000) })],
  ])('%s: no marker of ours', (_case, body) => {
    expect(parseMarker(body)).toBeUndefined()
  })

  test('members of another type are left out', () => {
    const odd = { key: 'k1', headSha: 5, runId: '881', runAttempt: null, readAtMs: [], isClosed: 'true', plans: {} }
    expect(parseMarker(packed(odd))).toEqual({ key: 'k1' })
  })

  test.each([
    ['without a hash', { release: 'shop', namespace: 'web', comparedBy: 'dry-run' }],
    ['compared in an unknown way', { ...plan, comparedBy: 'by eye' }],
    ['compared without a cluster', { ...plan, comparedBy: 'base-render' }],
    ['no object', 5],
  ])(
    'a plan %s: none of the plans counts, because half an approval would approve what nobody has seen',
    (_case, bad) => {
      expect(parseMarker(packed({ key: 'k1', plans: [plan, bad] }))).toEqual({ key: 'k1' })
    },
  )

  test('names of digests are no members of every object', () => {
    const text = JSON.stringify({ key: 'k1', plans: [{ ...plan, digests: 0 }] }).replace(
      '"digests":0',
      '"digests":{"__proto__":"evil","constructor":"evil","a":5}',
    )
    const marker = parseMarker(`<!-- staged-helm-deploy v1 ${deflateRawSync(text).toString('base64url')} -->`)
    const digests = marker?.plans?.[0]?.digests
    expect(Object.entries(digests ?? {})).toEqual([
      ['__proto__', 'evil'],
      ['constructor', 'evil'],
    ])
    expect(Object.getPrototypeOf(digests)).toBeNull()
  })
})
