import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test } from '../cluster/fixture.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { tellingChart } from '../fetch/chart-files.ts'
import { type ChartWorld, startChartWorld } from '../fetch/chart-world.ts'
import { live } from './life.ts'

const REPOSITORY = 'https://charts.example/stable'
const REGISTRY = 'oci://registry.example/team'

/** The built action with what `docker/login-action` leaves behind, no helm on the way. */
describe('a chart of a registry', () => {
  let folder: string
  let world: ChartWorld
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetched-charts-'))
    world = await startChartWorld({ stable: REPOSITORY }, ['registry.example'])
    const dependencies = [{ name: 'store', version: '^1.0', repository: REPOSITORY }]
    const charts = ['1.1.0', '1.2.0', '2.0.0'].flatMap((version) => [
      { repository: REPOSITORY, name: 'store', version, files: tellingChart({ name: 'store', version }) },
      { repository: REGISTRY, name: 'shop', version, files: tellingChart({ name: 'shop', version }) },
    ])
    await world.publish(charts)
    await mkdir(join(folder, 'app'))
    await writeFile(
      join(folder, 'app', 'Chart.yaml'),
      dump({ apiVersion: 'v2', name: 'app', version: '1.0.0', dependencies }),
    )
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('is planned and deployed by the login of the job, and a second run fetches no archive', async ({
    namespace,
  }) => {
    const cache = join(folder, 'cache')
    const plan = await run(namespace, { command: 'plan', cache })
    expect(plan.exitCode, plan.log).toBe(0)
    expect(plan.log).toContain('1.2.0')
    expect((await archivesFetched()).length).toBe(1)
    await world.registry.forget()

    const deploy = await run(namespace, { command: 'deploy', cache })
    expect(deploy.exitCode, deploy.log).toBe(0)
    expect(deploy.outputs).toMatchObject({
      status: 'deployed',
      'chart-version': '1.2.0',
      'chart-digest': world.digestsOf('shop', '1.2.0')[0],
    })
    expect(await archivesFetched()).toEqual([])
    const logins = (await world.registry.requests()).filter(({ server }) => server === 'tokens')
    expect(logins.map(({ authorization }) => authorization)).toEqual(
      logins.map(() => `Basic ${loginOf('engine no 1')}`),
    )
  })

  test('is not fetched by a wrong password', async ({ namespace }) => {
    const { exitCode, log, outputs } = await run(namespace, {
      command: 'deploy',
      cache: join(folder, 'other-cache'),
      password: 'engine no 2',
    })
    expect(exitCode).toBe(1)
    expect(outputs).toMatchObject({ status: 'failed', 'failure-reason': 'fetch-failed' })
    expect(log).toMatch(/registry\.example.*\(401\)|\(401\).*registry\.example/)
    expect(log).not.toContain('engine no 2')
  })

  test('its dependencies are fetched from a repository', async ({ namespace }) => {
    const inputs = { chart: 'app', 'chart-version': '', 'chart-cache': join(folder, 'third-cache') }
    const { exitCode, log } = await run(namespace, { command: 'deploy', cache: inputs['chart-cache'], inputs })
    expect(exitCode, log).toBe(0)
    expect(log).toMatch(/store.*1\.2\.0/)
  })

  interface Asked {
    readonly command: string
    readonly cache: string
    readonly password?: string
    readonly inputs?: Readonly<Record<string, string>>
  }

  async function run(namespace: Namespace, { command, cache, password = 'engine no 1', inputs = {} }: Asked) {
    const docker = await mkdtemp(join(folder, 'docker-'))
    const auths = { 'registry.example': { auth: loginOf(password) } }
    await writeFile(join(docker, 'config.json'), JSON.stringify({ auths }))
    const registries = world.trusted.map(({ host, authorities }) => ({ host, ca: authorities }))
    return live(
      namespace,
      {
        command,
        chart: `${REGISTRY}/shop`,
        'chart-version': '^1.0',
        'chart-cache': cache,
        registries: dump(registries),
        ...inputs,
      },
      { workspace: folder, env: { HTTPS_PROXY: world.proxy.url, DOCKER_CONFIG: docker } },
    )
  }

  async function archivesFetched(): Promise<readonly string[]> {
    const requests = await world.registry.requests()
    const isLayer = ({ path, status }: (typeof requests)[number]) => status === 200 && /\/blobs\/sha256:/.test(path)
    const layers = requests.filter((request) => request.method === 'GET' && isLayer(request))
    return layers.filter(({ host }) => host === 'registry.example').map(({ path }) => path)
  }
})

function loginOf(password: string): string {
  return Buffer.from(`ada:${password}`).toString('base64')
}
