import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { redacted } from '../../src/secrecy/redacted.ts'

/** A Secret whose value is the name of a Deployment, too. */
const secrets = createSecrets()
secrets.add('storefront')

/** Refs, kinds, keys and images print as they are, all other text is redacted (docs/decisions/0010). */
describe('what a report is given', () => {
  test('names things and hides values', () => {
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'storefront', name: 'storefront' }
    const event = { id: 'main/apply/storefront', ref, image: 'storefront:1', message: 'storefront is not ready' }
    expect(redacted(event, secrets)).toEqual({ ...event, message: '*** is not ready' })
  })

  test('keeps of an object what it is and its images, whatever its keys are called', () => {
    const [container, hidden] = ['storefront', '***'].map((value) => ({ name: value, args: [value] }))
    const metadata = { name: 'storefront', namespace: 'storefront' }
    const after = {
      kind: 'storefront',
      metadata: { ...metadata, labels: { storefront: 'storefront' } },
      data: { id: 'storefront', file: 'storefront', image: 'storefront', nested: { kind: 'storefront' } },
      spec: { containers: [{ ...container, image: 'storefront:1' }], image: 'storefront' },
    }
    expect(redacted({ after }, secrets).after).toEqual({
      kind: 'storefront',
      metadata: { ...metadata, labels: { storefront: '***' } },
      data: { id: '***', file: '***', image: '***', nested: { kind: '***' } },
      spec: { containers: [{ ...hidden, image: 'storefront:1' }], image: '***' },
    })
  })

  test('may be nothing', () => {
    expect(redacted(undefined, secrets)).toBeUndefined()
  })
})
