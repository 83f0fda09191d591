import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { defined } from '../model/defined.ts'
import type { ApprovedPlan, ComparedBy } from '../model/plan.ts'
import type { CommentMarker } from '../ports.ts'

/** Longest text of all plans in a marker, in bytes of the line (docs/decisions/0016). */
const MAX_PLANS_BYTES = 8_192

/**
 * The hidden line 1 of a comment. Compressed and in base64url, because `--` would end an HTML comment. Digests that do not
 * fit are left out: first those of operations, then those of stages.
 */
export function formatMarker(marker: CommentMarker, sign?: (marker: CommentMarker) => string): string {
  // What is signed already stays as it is; only its signature may be a new one.
  if (marker.signature !== undefined) return packedLine({ ...marker, signature: sign?.(marker) ?? marker.signature })
  const { plans, signature: _replaced, ...rest } = marker
  if (plans === undefined) return packedLine(rest)
  const signed = (one: CommentMarker): CommentMarker => ({ ...one, ...defined({ signature: sign?.(one) }) })
  const sizeAlone = packedLine(rest).length
  const forms = [plans.map(withoutStageDigests), plans.map(withoutDigests), plans.map(hashOnly)]
  const lines = forms.map((form) => packedLine(signed({ ...rest, plans: form })))
  return lines.find((line) => line.length - sizeAlone <= MAX_PLANS_BYTES) ?? packedLine(rest)
}

/** The marker of a comment, or undefined where its first line is not one of ours. Nothing in it is trusted. */
export function parseMarker(body: string): CommentMarker | undefined {
  if (!body.startsWith(START)) return undefined
  const line = body.slice(0, MAX_LINE_CHARS).split(/\r?\n/, 1)[0] ?? ''
  const encoded = /^([A-Za-z0-9_-]+) -->\s*$/.exec(line.slice(START.length))?.[1]
  if (encoded === undefined) return undefined
  try {
    const packed = Buffer.from(encoded, 'base64url')
    return readMarker(JSON.parse(inflateRawSync(packed, { maxOutputLength: MAX_TEXT_BYTES }).toString('utf8')))
  } catch {
    return undefined // Somebody else's text behind our prefix: not a comment of ours.
  }
}

const START = '<!-- staged-helm-deploy v1 '
const MAX_LINE_CHARS = 32_768
const MAX_TEXT_BYTES = 1_048_576

function packedLine(marker: CommentMarker): string {
  return `${START}${deflateRawSync(JSON.stringify(marker), { level: 9 }).toString('base64url')} -->`
}

function withoutStageDigests({ stageDigests, ...plan }: ApprovedPlan): ApprovedPlan {
  return plan.digests === undefined && stageDigests !== undefined ? { ...plan, stageDigests } : plan
}

function withoutDigests({ digests: _digests, ...plan }: ApprovedPlan): ApprovedPlan {
  return plan
}

function hashOnly({ digests: _digests, stageDigests: _stageDigests, ...plan }: ApprovedPlan): ApprovedPlan {
  return plan
}

function readMarker(value: unknown): CommentMarker | undefined {
  const fields = membersOf(value)
  const key = fields.get('key')
  if (typeof key !== 'string') return undefined
  const headSha = fields.get('headSha')
  const [runId, runAttempt, readAtMs] = [fields.get('runId'), fields.get('runAttempt'), fields.get('readAtMs')]
  const plannedAtMs = fields.get('plannedAtMs')
  const plans = readPlans(fields.get('plans'))
  const signature = fields.get('signature')
  return {
    key,
    ...(typeof headSha === 'string' ? { headSha } : {}),
    ...(typeof runId === 'number' ? { runId } : {}),
    ...(typeof runAttempt === 'number' ? { runAttempt } : {}),
    ...(typeof readAtMs === 'number' ? { readAtMs } : {}),
    ...(fields.get('isClosed') === true ? { isClosed: true } : {}),
    ...defined({ plans }),
    ...(typeof plannedAtMs === 'number' ? { plannedAtMs } : {}),
    ...(typeof signature === 'string' ? { signature } : {}),
  }
}

/** All of them or none: a part of the plans would approve what nobody has seen. */
function readPlans(value: unknown): readonly ApprovedPlan[] | undefined {
  if (!Array.isArray(value)) return undefined
  const plans = value.map(readPlan)
  return plans.every((plan) => plan !== undefined) ? plans : undefined
}

function readPlan(value: unknown): ApprovedPlan | undefined {
  const fields = membersOf(value)
  const [release, namespace, hash] = [fields.get('release'), fields.get('namespace'), fields.get('hash')]
  const comparedBy = COMPARED_BY.find((one) => one === fields.get('comparedBy'))
  if (typeof release !== 'string' || typeof namespace !== 'string' || typeof hash !== 'string') return undefined
  if (comparedBy === undefined) return undefined
  const madeOn = fields.get('madeOn')
  const [digests, stageDigests] = [readTexts(fields.get('digests')), readTexts(fields.get('stageDigests'))]
  return {
    release,
    namespace,
    hash,
    comparedBy,
    ...defined({ digests, stageDigests }),
    ...(typeof madeOn === 'string' ? { madeOn } : {}),
  }
}

const COMPARED_BY: readonly ComparedBy[] = ['dry-run', 'rendered-fields']

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function readTexts(value: unknown): { readonly [key: string]: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const texts: { [key: string]: string } = Object.create(null)
  for (const [key, text] of Object.entries(value)) if (typeof text === 'string') texts[key] = text
  return texts
}
