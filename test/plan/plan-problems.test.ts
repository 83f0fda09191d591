import { describe, expect, test } from 'vitest'
import { dryRunAnswer } from '../../src/observe/dry-run.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { problemText } from '../../src/report/words/problem-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { parseGiven, planInput } from './given.ts'

const cause = (field: string, message: string) => ({ reason: 'FieldValueInvalid', field, message })

/** The plan of a resource that is live and whose dry run is refused so. */
async function planOf(error: Error, policy = '') {
  const annotations = policy === '' ? {} : { 'werf.io/delete-policy': policy }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }
  const answer = await dryRunAnswer(() => Promise.reject(error))
  const given = { verb: 'upgrade', chart: [object], previous: [object], answers: { 'ConfigMap/web/a': answer } }
  return makePlan(planInput(parseGiven(JSON.stringify(given)))).plan
}

describe('what the API server refuses has one name in the plan and in the run', () => {
  test.each([
    ['roleRef', 'cannot change roleRef'],
    ['parameters', 'Forbidden: updates to parameters are forbidden.'],
    ['value', 'Forbidden: may not be changed in an update.'],
  ])('%s: %s is immutable, and a policy recreates it', async (field, text) => {
    const error = apiError('Invalid', { message: `is invalid: ${field}: ${text}`, causes: [cause(field, text)] })
    const { problems } = await planOf(error)
    expect(problems.map((problem) => [problem.reason, problemText(problem)])).toEqual([
      [
        'immutable',
        `shop/template/1.yaml:1 ConfigMap/web/a: ${field} is immutable; revert the change, or set werf.io/delete-policy: before-creation-if-immutable on the object`,
      ],
    ])
    const { stages } = await planOf(error, 'before-creation-if-immutable')
    expect(stages[0]?.groups[0]?.ranks[0]?.[0]).toMatchObject({ change: 'recreate', reason: { code: 'immutable' } })
  })

  test('an immutable field that no cause names is told in the words of the server', async () => {
    const { problems } = await planOf(apiError('Invalid', { message: 'spec.a: field is immutable' }))
    expect(problems).toMatchObject([{ reason: 'immutable', what: 'spec.a: field is immutable' }])
  })

  test('another writer between read and dry run is a conflict', async () => {
    const message = 'Operation cannot be fulfilled on configmaps "a": the object has been modified'
    const { problems } = await planOf(apiError('Conflict', { message }))
    expect(problems.map((problem) => [problem.reason, problemText(problem)])).toEqual([
      ['conflict', `shop/template/1.yaml:1 ConfigMap/web/a: ${message}; the object was changed meanwhile: run again`],
    ])
  })

  test('a webhook that says no with status 500 refuses the object, and the server answers', async () => {
    const message = 'admission webhook "policy.example.com" denied the request: no latest tag'
    const { problems } = await planOf(apiError('InternalError', { message }))
    expect(problems).toMatchObject([{ reason: 'rejected', what: message }])
  })

  test('a right that a proxy refuses is a missing right', async () => {
    const message = 'the server answered 403 without a reason'
    const { problems } = await planOf(apiError('Forbidden', { message }))
    expect(problems).toMatchObject([{ reason: 'forbidden', what: message }])
  })

  test('an object that was deleted since it was read is known once it is applied', async () => {
    const { problems, stages } = await planOf(apiError('NotFound', { message: 'configmaps "a" not found' }))
    expect(problems).toEqual([])
    expect(stages[0]?.groups[0]?.ranks[0]?.[0]).toMatchObject({
      change: 'update',
      reason: { because: 'dry-run-refused' },
    })
  })
})
