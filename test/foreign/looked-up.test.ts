import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { comment } from '../../src/report/comment/comment.ts'
import { planLog } from '../../src/report/log/log.ts'
import { planJson, planTextFile } from '../../src/report/outputs/plan-file.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { passAsIs, planAsIs } from '../../src/secrecy/printed-as-is.ts'
import { redacted } from '../../src/secrecy/redacted.ts'
import { parseGiven, planInput } from '../plan/given.ts'
import { info, pass } from '../report/runs.ts'

const VALUE = 'q7rT-first-0451'
const OTHER = 'm2xK-second-77'

/** What a hostile chart makes of values that it looked up. */
const chart = [VALUE, OTHER].map((value) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: `web-${value}`,
    labels: { app: value, [value]: 'x' },
    annotations: { 'werf.io/weight': '1', note: value },
  },
  spec: {
    selector: { matchLabels: { app: value } },
    template: {
      metadata: { labels: { app: value } },
      spec: { containers: [{ name: `c-${value}`, image: `example.com/${value}:1`, env: [{ name: value, value }] }] },
    },
  },
}))

function planned() {
  const secrets = createSecrets()
  for (const value of [VALUE, OTHER]) secrets.addLookedUp(value)
  const own = createSecrets()
  for (const value of [VALUE, OTHER]) own.addLookedUp(value)
  const input = { ...planInput(parseGiven(JSON.stringify({ chart }))), hideNames: own.redactNames }
  const made = makePlan(input)
  const fingerprint = fingerprintOf(made, { ignored: [], redact: own.redact, hideNames: own.redactNames })
  return { made, fingerprint, secrets }
}

describe('S-15 a value that a template looked up, in names, labels, keys and images', () => {
  test('is in no report', () => {
    const { made, fingerprint, secrets } = planned()
    const clean = redacted(pass({ plan: made.plan, fingerprint }), passAsIs, secrets).value
    const texts = [
      JSON.stringify(clean),
      JSON.stringify(planLog(redacted(made.plan, planAsIs, secrets).value)),
      planJson([clean]),
      planTextFile([clean]),
      comment({ passes: [clean], info, diffContext: 3, limitBytes: 60_000 }),
    ]
    expect(texts.filter((text) => text.includes(VALUE) || text.includes(OTHER))).toEqual([])
    expect(texts.filter((text) => !text.includes('web-***'))).toEqual([])
  })

  test('leaves objects that can be told apart, by a number', () => {
    const { made, secrets } = planned()
    const text = planTextFile([redacted(pass({ plan: made.plan }), passAsIs, secrets).value])
    expect(text).toContain('Deployment/web/web-***:')
    expect(text).toContain('Deployment/web/web-***2:')
  })

  test('is applied as it is', () => {
    const { made } = planned()
    expect([...made.payloads.values()].map(({ result }) => result.metadata.name)).toEqual([
      `web-${OTHER}`,
      `web-${VALUE}`,
    ])
  })

  test('is in no id, so that an approval can be kept in a comment, and the next plan has the same ids', () => {
    const [first, second] = [planned(), planned()]
    expect(Object.keys(first.fingerprint.digests)).toEqual(Object.keys(second.fingerprint.digests))
    expect(new Set(Object.keys(first.fingerprint.digests)).size).toBe(2)
    expect(JSON.stringify(first.fingerprint)).not.toMatch(/first|second/)
  })
})

test('names print as they are where a Secret that nobody looked up holds the same', () => {
  const secrets = createSecrets()
  secrets.add('storefront')
  expect(secrets.redactNames('Deployment/storefront')).toBe('Deployment/storefront')
})
