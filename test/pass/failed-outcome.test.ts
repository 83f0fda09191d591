import { describe, expect, test } from 'vitest'
import { outcomeOfError } from '../../src/pass/failed-outcome.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'

const failureOf = (error: unknown) =>
  outcomeOfError(error, 'read the release record', { signal: new AbortController().signal }).failure

describe('what a request around the plan is refused for has the name that it has in the run', () => {
  test.each([
    [
      'a quota is no missing right',
      apiError('Forbidden', { message: 'secrets "a" is forbidden: exceeded quota: objects, requested: secrets=1' }),
      ['rejected', 'raise the quota of the namespace, or request less'],
    ],
    [
      'a namespace on its way out is no missing right',
      apiError('Forbidden', {
        message:
          'secrets "a" is forbidden: unable to create new content in namespace web because it is being terminated',
      }),
      ['rejected', 'wait until the namespace is gone, then run again'],
    ],
    [
      'a webhook that is down is no server that is down',
      apiError('InternalError', {
        message: 'Internal error occurred: failed calling webhook "policy.example.com": EOF',
      }),
      [
        'rejected',
        'check that the Service of the webhook in the message has ready pods, and that its caBundle fits their certificate',
      ],
    ],
    [
      'another writer is a conflict',
      apiError('Conflict', { message: 'Operation cannot be fulfilled on secrets "a": the object has been modified' }),
      ['conflict', 'the object was changed meanwhile: run again'],
    ],
    [
      'a namespace that is gone',
      apiError('NotFound', { message: 'namespaces "web" not found' }),
      ['invalid-input', 'create it, or set the input create-namespace to true if it is the namespace of the release'],
    ],
  ])('%s', (_rule, error, expected) => {
    const failure = failureOf(error)
    expect([failure?.reason, failure?.hint && hintText(failure.hint)]).toEqual(expected)
  })
})
