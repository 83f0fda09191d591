import type { Occasion } from '../model/verb.ts'
import type { Dialect } from './dialect.ts'

/** Events that only Helm 2 knows. Sources: docs/sources.md#helm-2-hooks, docs/sources.md#helm-2-source. */
export const helm2Events: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ['crd-install', { verb: 'install', stage: 'crds' }],
  ['test-success', { verb: 'test', stage: 'test' }],
  ['test-failure', { verb: 'test', stage: 'test' }],
])

/** Whether Helm 3 and 4 drop a hook of these events, which the command `test` needs all the same. */
export function isDroppedTest(events: readonly string[]): boolean {
  return events.includes('test-failure')
}

/** Whether a hook of these events is a test that passes when its Pod or Job fails. */
export function expectsFailure(events: readonly string[]): boolean {
  const tests = events.filter((event) => event.startsWith('test'))
  return tests.length > 0 && tests.every((event) => event === 'test-failure')
}

/** What charts of Helm 2 still carry. The row of Helm 3 reads the common key. Source: docs/sources.md#helm-2-source. */
export const helm2: Dialect = {
  name: 'Helm 2',
  domain: 'helm.sh',
  family: /^helm\.sh\//,
  rows: [
    {
      key: 'helm.sh/hook: crd-install',
      pattern: /^helm\.sh\/hook$/,
      form: 'crd-install',
      default: '',
      verbs: 'install',
      meaning: 'A CRD that is deployed before everything else, by weight, and established before anything goes on.',
      differs:
        'No policy deletes it. An existing CRD is updated instead of failing the install. Ignored in files of `crds/`, which are deployed as such.',
      severity: 'error',
    },
    {
      key: 'helm.sh/hook: test-success',
      pattern: /^helm\.sh\/hook$/,
      form: 'test-success',
      default: '',
      verbs: 'test',
      meaning: 'The same as `test`.',
      differs: '',
      severity: 'error',
    },
    {
      key: 'helm.sh/hook: test-failure',
      pattern: /^helm\.sh\/hook$/,
      form: 'test-failure',
      default: '',
      verbs: 'test',
      meaning: 'A test that passes when its Pod or Job fails.',
      differs: 'Helm 3 and 4 drop the document.',
      severity: 'error',
    },
    {
      key: 'helm.sh/hook-delete-timeout',
      pattern: /^helm\.sh\/hook-delete-timeout$/,
      form: 'a number of seconds',
      default: '',
      verbs: '',
      meaning: 'Not used: how long Helm 2 waits for the deletion of a hook.',
      differs: 'The absence of a deleted hook is awaited until the timeout of the run.',
      severity: 'warning',
      parse: () => ({ asked: {} }),
    },
  ],
}
