import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { at, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { deletions, historyOf, type Steps, violations } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = 'demo.staged-helm-deploy.dev'
const [gadgets, gizmos] = [`gadgets.${GROUP}`, `gizmos.${GROUP}`]

/** Source: docs/sources.md#helm-2-hooks. */
describe.skipIf(local === undefined)('a chart of Helm 2', () => {
  let namespace: Namespace
  let install: Chapter
  let upgrade: Chapter
  let tested: Chapter

  beforeAll(async () => {
    await removeCrds()
    namespace = await createNamespace(kubeconfig, 'helm2')
    const deploy = { command: 'deploy', chart: 'test/e2e/charts/helm2' }
    install = await chapter(deploy)
    upgrade = await chapter({ ...deploy, set: 'cache.size=huge' })
    tested = await chapter({ command: 'test' }, await emptyWorkspace())
  })
  afterAll(async () => {
    await namespace?.remove()
    await removeCrds()
  })

  async function chapter(inputs: { readonly [name: string]: string }, workspace?: string): Promise<Chapter> {
    const told = await live(namespace, inputs, workspace === undefined ? {} : { workspace })
    const isOurs = (name = '', place = '') => place === namespace.name || name === gadgets || name === gizmos
    return { ...told, events: told.events.filter(({ ref }) => isOurs(ref.name, ref.namespace)) }
  }

  test('of apiVersion v1 is deployed with the subchart that requirements.yaml names', async () => {
    expect(install.exitCode, install.log).toBe(0)
    const store = await namespace.api.get(`${namespace.path}/configmaps/store`)
    expect(at(store, 'data', 'size')).toBe('huge')
  })

  test('has its crd-install documents established by weight before anything else', () => {
    const order: Steps = [
      [`customresourcedefinitions/${gizmos}`],
      [`customresourcedefinitions/${gadgets}`],
      ['jobs/prepare-store'],
      ['configmaps/store', 'gadgets/first'],
    ]
    expect(violations(install.events, order)).toEqual([])
  })

  test('runs the hook of its subchart, whatever blanks stand around its events', () => {
    expect(historyOf('jobs/prepare-store', install.events).deletedAt).toBeDefined()
    expect(historyOf('jobs/prepare-store', upgrade.events).deletedAt).toBeDefined()
  })

  test('loses no CRD to a delete policy, and runs crd-install on install only', () => {
    expect(upgrade.exitCode, upgrade.log).toBe(0)
    const ofCrds = [...deletions(install.events), ...deletions(upgrade.events)].filter((name) => name.includes(GROUP))
    expect(ofCrds).toEqual([])
    expect(historyOf(`customresourcedefinitions/${gadgets}`, upgrade.events).writtenAt).toBeUndefined()
  })

  test('passes test-success when its Pod ends well and test-failure when its Pod fails, and shows their logs', async () => {
    expect(tested.exitCode, tested.log).toBe(0)
    expect(tested.outputs).toMatchObject({ status: 'tested', revision: '2' })
    expect(tested.log).toContain('answers as it should')
    expect(tested.log).toContain('refuses as it should')
    expect(await namesIn(namespace, 'v1', 'pods')).toEqual(['answers', 'refuses'])
  })
})

async function removeCrds(): Promise<void> {
  const api = openApi(kubeconfig)
  for (const name of [gadgets, gizmos]) {
    await api.request('DELETE', `${CRD_PATH}/${name}`)
    const isGone = async () => (await api.request('GET', `${CRD_PATH}/${name}`)).status === 404
    await waitFor({ what: `the CRD ${name} is gone` }, isGone)
  }
}
