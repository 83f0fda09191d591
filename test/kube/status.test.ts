import { expect, test } from 'vitest'
import { errorOfAnswer } from '../../src/kube/status.ts'
import { statusBody } from '../doubles/fake-transport.ts'

const about = { doing: 'apply Deployment/shop/web' }
const translate = (status: number, body: unknown) =>
  errorOfAnswer(about, { status, text: typeof body === 'string' ? body : JSON.stringify(body) })

test('a field conflict keeps manager and field of each cause', () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "hpa" using apps/v1', field: '.spec.replicas' },
  ]
  const error = translate(409, statusBody(409, 'Conflict', 'Apply failed with 1 conflict', { name: 'web', causes }))
  expect(error.message).toBe('apply Deployment/shop/web: Apply failed with 1 conflict')
  expect(error.details).toMatchObject({ status: 409, reason: 'Conflict', causes })
})

test('404 of a named object is NotFound, 404 of a path is NotServed', () => {
  expect(translate(404, statusBody(404, 'NotFound', 'gone', { name: 'web', kind: 'pods' })).details.reason).toBe(
    'NotFound',
  )
  expect(translate(404, statusBody(404, 'NotFound', 'no such path', {})).details.reason).toBe('NotServed')
  expect(translate(404, '404 page not found\n').details.reason).toBe('NotServed')
})

test('what is no Status, such as the page of a proxy, is not quoted', () => {
  const error = translate(502, '<html>secret</html>')
  expect(error.details).toMatchObject({ reason: 'Unknown', message: 'the server answered 502 without a reason' })
  expect(translate(403, '{"broken').details.reason).toBe('Forbidden')
})

test('hostile length is bounded', () => {
  const causes = Array.from({ length: 5_000 }, () => ({ reason: 'x', message: 'y'.repeat(10_000), field: 'z' }))
  const { details } = translate(422, statusBody(422, 'Invalid', 'm'.repeat(100_000), { name: 'a', causes }))
  expect([details.message.length, details.causes.length, details.causes[0]?.message.length]).toEqual([
    4_000, 200, 4_000,
  ])
})
