import { expect, test } from 'vitest'
import { mayI } from '../../src/kube/access-review.ts'
import type { ApiRequest } from '../../src/kube/api-request.ts'
import { ApiError } from '../../src/model/errors.ts'
import type { AccessRequest } from '../../src/ports.ts'

function server(rules: readonly object[] | ApiError, allows: (attributes: AccessRequest) => boolean) {
  const asked: string[] = []
  const send = ({ path, body }: ApiRequest) => {
    asked.push(path.slice(path.lastIndexOf('/') + 1))
    const spec = JSON.parse(body?.text ?? '').spec
    if (path.endsWith('rulesreviews')) {
      if (rules instanceof ApiError) return Promise.reject(rules)
      return Promise.resolve(JSON.stringify({ status: { resourceRules: rules, incomplete: true } }))
    }
    return Promise.resolve(JSON.stringify({ status: { allowed: allows(spec.resourceAttributes) } }))
  }
  return { asked, send }
}

const ask = (verb: string, resource = 'pods', more: Partial<AccessRequest> = {}): AccessRequest => ({
  verb,
  group: '',
  resource,
  namespace: 'shop',
  ...more,
})

test('few questions are asked one by one, equal ones once', async () => {
  const api = server([], ({ verb }) => verb === 'get')
  expect(await mayI(api, [ask('get'), ask('delete'), ask('get')])).toEqual([true, false, true])
  expect(api.asked).toEqual(['selfsubjectaccessreviews', 'selfsubjectaccessreviews'])
})

test('many questions about a namespace: one list of rules, and only what it does not grant is asked', async () => {
  const rules = [
    { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['get'], apiGroups: ['*'], resources: ['secrets'], resourceNames: ['mine'] },
  ]
  const api = server(rules, ({ resource }) => resource === 'jobs')
  const questions = [
    ask('get'),
    ask('patch'),
    ask('get', 'secrets', { name: 'mine' }),
    ask('get', 'secrets', { name: 'yours' }),
    ask('get', 'secrets'),
    ask('create', 'jobs', { group: 'batch' }),
    ask('get', 'pods/log'),
  ]
  expect(await mayI(api, questions)).toEqual([true, true, true, false, false, true, false])
  expect(api.asked.filter((path) => path === 'selfsubjectrulesreviews')).toHaveLength(1)
  expect(api.asked).toHaveLength(5)
})

test('a subresource is named apart', async () => {
  const seen: unknown[] = []
  const api = server([], (attributes) => seen.push(attributes) > 0)
  await mayI(api, [ask('get', 'pods/log')])
  expect(seen).toEqual([{ verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'shop' }])
})

test('rules of a namespace say nothing about cluster-scoped objects', async () => {
  const api = server([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], () => false)
  const { namespace: _, ...nodes } = ask('get', 'nodes')
  expect(await mayI(api, [nodes, ask('get'), ask('list'), ask('watch'), ask('patch')])).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
})

test('where the rules cannot be listed, each question is asked', async () => {
  const refusal = new ApiError({ doing: 'ask', status: 403, reason: 'Forbidden', message: 'no', causes: [] })
  const api = server(refusal, () => true)
  expect(
    await mayI(
      api,
      ['get', 'list', 'watch', 'patch'].map((verb) => ask(verb)),
    ),
  ).toEqual([true, true, true, true])
})
