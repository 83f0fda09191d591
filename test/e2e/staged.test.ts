import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, at, type Json, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { type ActionResult, runAction } from '../../src/tools/local/runner/run-action.ts'
import { type AuditEvent, readAudit } from '../cluster/audit.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { helmIn } from './helm.ts'
import { chartPath } from './scene.ts'
import { historyOf, type Steps, violations, writesOfAuthor } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')
const auditLog = local?.auditLog ?? ''
const CRD = 'widgets.demo.staged-helm-deploy.dev'
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CHANGES = { set: 'tag=2\ngreeting=bonjour\nextra=true\nlegacy=false\nprecious=false' }

const hooks: Steps = [['jobs/backup'], ['jobs/migrate']]
const main: Steps = [
  ['services/db', 'statefulsets/db'],
  ['jobs/seed'],
  ['configmaps/settings', 'deployments/web', 'deployments/worker'],
  ['widgets/report'],
]
const smoke: Steps = [['jobs/smoke']]

/** One chart through its life; facts about order come from the API server's audit log. */
describe.skipIf(local === undefined)('a chart with an object in each stage', () => {
  let namespace: Namespace
  let install: Run
  let plan: Run
  let upgrade: Run

  beforeAll(async () => {
    await removeCrd(openApi(kubeconfig))
    namespace = await createNamespace(kubeconfig)
    install = await run(namespace, 'deploy')
    plan = await run(namespace, 'plan', CHANGES)
    upgrade = await run(namespace, 'deploy', CHANGES)
  })
  afterAll(() => namespace?.remove())

  describe('on install', () => {
    test('succeeds', () => {
      expect(install.exitCode, install.log).toBe(0)
      expect(install.outputs).toMatchObject({ status: 'deployed', revision: '1', changed: 'true', 'to-create': '10' })
    })

    test('is written stage by stage: each waits until all before it is ready', () => {
      const added: Steps = [['configmaps/legacy', 'configmaps/precious']]
      expect(violations(install.events, [[`customresourcedefinitions/${CRD}`], ...hooks, ...main, ...smoke])).toEqual(
        [],
      )
      expect(violations(install.events, [...hooks, ...added, ['deployments/web']])).toEqual([])
    })

    test('is written kind by kind inside a group, members of one kind together', () => {
      const of = (name: string) => historyOf(name, install.events)
      const [settings, web, worker] = [of('configmaps/settings'), of('deployments/web'), of('deployments/worker')]
      expect(written(settings)).toBeLessThan(Math.min(written(web), written(worker)))
      expect(Math.max(written(web), written(worker))).toBeLessThan(Math.min(web.readyAt ?? 0, worker.readyAt ?? 0))
    })

    test('keeps a hook without a policy and deletes one with `hook-succeeded` after the last hook of the event', () => {
      const [backup, migrate] = ['jobs/backup', 'jobs/migrate'].map((name) => historyOf(name, install.events))
      expect(migrate?.deletedAt).toBeUndefined()
      expect(backup?.deletedAt).toBeGreaterThan(migrate?.readyAt ?? Number.POSITIVE_INFINITY)
    })
  })

  describe('on upgrade', () => {
    test('succeeds', () => {
      expect(upgrade.exitCode, upgrade.log).toBe(0)
      expect(upgrade.outputs).toMatchObject({ status: 'deployed', revision: '2', 'previous-revision': '1' })
    })

    test('replaces hooks one at a time, then changes what changed, then prunes, then runs post hooks', () => {
      const changed: Steps = [['jobs/seed'], ['configmaps/settings', 'deployments/web', 'deployments/worker']]
      const pruned: Steps = [['configmaps/legacy']]
      expect(violations(upgrade.events, [...hooks, ...changed, ...pruned, ...smoke])).toEqual([])
      expect(violations(upgrade.events, [...hooks, ['configmaps/extra'], ['deployments/web']])).toEqual([])
    })

    test('deletes an old hook and waits for its absence before it creates the new one', () => {
      const verbs = writesOfAuthor(upgrade.events).filter(
        ({ ref }) => ref.resource === 'jobs' && ref.name === 'migrate',
      )
      expect(verbs.map(({ verb, code }) => [verb, code])).toEqual([
        ['delete', 200],
        ['patch', 201],
      ])
    })

    test('leaves what did not change unwritten, and what is to be kept in the cluster', async () => {
      const touched = new Set(writesOfAuthor(upgrade.events).map(({ ref }) => `${ref.resource}/${ref.name}`))
      const unchanged = ['services/db', 'statefulsets/db', 'widgets/report', 'configmaps/precious']
      expect(unchanged.filter((name) => touched.has(name))).toEqual([])
      const maps = await namespace.api.get(`${namespace.path}/configmaps`)
      expect(namesOf(maps)).toEqual(['extra', 'kube-root-ca.crt', 'precious', 'settings'])
    })
  })

  describe('planned before the upgrade', () => {
    test('is written to in no way', () => {
      expect(plan.exitCode, plan.log).toBe(0)
      expect(plan.outputs).toMatchObject({ status: 'planned', revision: '2' })
      expect(writesOfAuthor(plan.events).filter(({ ref }) => ref.resource !== 'selfsubjectaccessreviews')).toEqual([])
      expect(plan.events.some(({ isDryRun }) => isDryRun)).toBe(true)
    })

    test('announces exactly what the upgrade then does', () => {
      const counts = ['to-create', 'to-update', 'to-recreate', 'to-delete', 'unchanged'] as const
      const countsOf = ({ outputs }: Run) => counts.map((name) => [name, outputs[name]])
      expect(countsOf(plan)).toEqual(countsOf(upgrade))
      expect(countsOf(plan)).toEqual([
        ['to-create', '1'],
        ['to-update', '3'],
        ['to-recreate', '1'],
        ['to-delete', '1'],
        ['unchanged', '4'],
      ])
      expect(planLines(plan.log)).toEqual(planLines(upgrade.log))
    })
  })

  /** The proof that the checks above can fail: other ways to bring the same objects into a cluster do not pass them. */
  describe('brought in by others', () => {
    test('by helm, which knows no weight groups and does not wait: every barrier of `main` is found missing', async () => {
      const other = await createNamespace(kubeconfig)
      const since = Date.now()
      // So slow that helm has written everything before the first of it is ready, on a busy machine too.
      await (await helmIn(other, 'helm4'))('install', 'app', chartPath('staged'), '--set', 'slow=8s')
      const events = await waitFor({ what: 'the application is ready', limitMs: 180_000 }, async () => {
        const soFar = await eventsOf(other, since)
        return main.flat().every((name) => historyOf(name, soFar).readyAt !== undefined) && soFar
      })
      const found = violations(events, [...main, ...smoke]).map(withoutTimes)
      expect(found).toEqual(
        expect.arrayContaining([
          'jobs/seed was written before statefulsets/db was ready',
          'deployments/web was written before jobs/seed was ready',
          'widgets/report was written before deployments/worker was ready',
          'jobs/smoke was written before deployments/web was ready',
        ]),
      )
      await other.remove()
    })

    test('all at once: every barrier between hooks is found missing, too', async () => {
      const other = await createNamespace(kubeconfig)
      const since = Date.now()
      const template = await (await helmIn(other, 'helm4'))('template', 'app', chartPath('staged'))
      await createAll(other, loadAll(template) as readonly Json[])
      const events = await waitFor({ what: 'the Jobs are complete' }, async () => {
        const soFar = await eventsOf(other, since)
        const isOver = hooks.flat().every((name) => historyOf(name, soFar).readyAt !== undefined)
        return isOver && soFar
      })
      expect(violations(events, [...hooks, ['services/db']]).map(withoutTimes)).toEqual([
        'jobs/migrate was written before jobs/backup was ready',
        'services/db was written before jobs/backup was ready',
        'services/db was written before jobs/migrate was ready',
      ])
      await other.remove()
    })
  })
})

interface Run extends ActionResult {
  readonly events: readonly AuditEvent[]
}

async function run(
  namespace: Namespace,
  command: string,
  inputs: { readonly [name: string]: string } = {},
): Promise<Run> {
  const since = Date.now()
  const place = { namespace: namespace.name, kubeconfig: namespace.kubeconfig }
  const result = await runAction({
    inputs: { command, release: 'app', chart: chartPath('staged'), ...place, ...inputs },
  })
  return { ...result, events: await eventsOf(namespace, since) }
}

/** What happened in the namespace, and to the CRD. */
async function eventsOf(namespace: Namespace, since: number): Promise<readonly AuditEvent[]> {
  const events = await readAudit(auditLog, { since })
  return events.filter(({ ref }) => ref.namespace === namespace.name || ref.name === CRD)
}

async function removeCrd(api: Api): Promise<void> {
  await api.request('DELETE', `${CRD_PATH}/${CRD}`)
  await waitFor(
    { what: 'the CRD is gone' },
    async () => (await api.request('GET', `${CRD_PATH}/${CRD}`)).status === 404,
  )
}

/** Everything of a chart in one go, as an executor without barriers would. */
async function createAll(namespace: Namespace, documents: readonly Json[]): Promise<void> {
  await Promise.all(
    documents.map(async (document) => {
      const [apiVersion, kind] = [String(at(document, 'apiVersion')), String(at(document, 'kind'))]
      const folder = apiVersion === 'v1' ? namespace.path : namespace.in(apiVersion)
      await namespace.api.create(`${folder}/${kind.toLowerCase()}s`, document)
    }),
  )
}

/** The lines of the plan in the log: what is done to which object. */
function planLines(log: string): readonly string[] {
  const lines = log.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith('::group::plan: '))
  return lines.slice(start, lines.indexOf('::endgroup::', start))
}

function namesOf(list: Json): readonly unknown[] {
  const items = at(list, 'items')
  return Array.isArray(items) ? items.map((item) => at(item, 'metadata', 'name')) : []
}

function written(history: { readonly writtenAt: number | undefined }): number {
  return history.writtenAt ?? Number.NaN
}

function withoutTimes(violation: string): string {
  return violation.replace(/ \d+ ms /, ' ')
}
