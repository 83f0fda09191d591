import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect } from 'vitest'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { type ActionResult, runAction } from '../../src/tools/local/runner/run-action.ts'
import { cloneOf, newRepository } from '../host/repository.ts'
import { test } from './scene.ts'

const NUMBER = 61

const chart = (greeting: string, more: Readonly<Record<string, string>> = {}) => ({
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/templates/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { greeting: {{ .Values.greeting }}, file: {{ .Values.file | default "" | quote }} }\n',
  'charts/web/values.yaml': `greeting: ${greeting}\n`,
  ...more,
})

/** The pull request of a fork: its head has left the base, which has gone on since. */
function forked(github: GithubDouble) {
  const repository = newRepository()
  const parting = repository.commit(chart('hello', { 'prod.yaml': 'greeting: hello\n', 'motd.txt': 'old' }))
  repository.git('checkout', '--quiet', '-b', 'feature')
  const headSha = repository.commit(chart('bonjour', { 'prod.yaml': 'greeting: salut\n', 'motd.txt': 'new' }))
  repository.git('checkout', '--quiet', 'main')
  const baseSha = repository.commit({
    'charts/web/templates/later.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: later }\n',
  })
  repository.git('checkout', '--quiet', 'feature')
  const place = { number: NUMBER, headSha, baseSha, headRepository: 'eve/shop', mergeSha: null, mergeBase: parting }
  github.seedPull(place)
  return { repository, parting, headSha, baseSha }
}

function eventOf(name: string, { headSha, baseSha }: { readonly headSha: string; readonly baseSha: string }) {
  const html_url = `https://github.example/acme/shop/pull/${NUMBER}`
  const head = { ref: 'feature', sha: headSha, repo: { full_name: 'eve/shop' } }
  const base = { ref: 'main', sha: baseSha, repo: { full_name: 'acme/shop' } }
  const pull_request = { number: NUMBER, html_url, state: 'open', user: { login: 'eve' }, head, base }
  return { name, payload: { action: 'opened', number: NUMBER, pull_request } }
}

interface Asked {
  readonly github: GithubDouble
  readonly workspace: string
  readonly event: ReturnType<typeof eventOf>
  readonly inputs?: Readonly<Record<string, string>>
}

async function plan({ github, workspace, event, inputs = {} }: Asked): Promise<ActionResult> {
  const given = { command: 'plan', chart: 'charts/web', release: 'web', namespace: 'shop', 'github-token': 'ghs_token' }
  return runAction({ inputs: { ...given, ...inputs }, workspace, event, apiUrl: github.url })
}

const bodies = (github: GithubDouble) => github.comments().map(({ body }) => body)

describe.concurrent('without a cluster', () => {
  test('a fork under pull_request_target gets its plan against the base as a comment', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    const asked = { github, workspace: repository.folder, event: eventOf('pull_request_target', commits) }
    const { exitCode, log, outputs } = await plan({ ...asked, inputs: { cluster: 'none' } })
    expect(log).not.toMatch(/^::error/m)
    expect(exitCode).toBe(0)
    expect(outputs).toMatchObject({
      status: 'planned',
      changed: 'true',
      'to-update': '1',
      unchanged: '0',
      'plan-hash': '',
      revision: '',
    })
    expect(bodies(github)).toEqual([
      expect.stringContaining('rendered diff against the base branch, not compared with the cluster'),
    ])
    expect(bodies(github)[0]).toMatch(/-.*hello[\s\S]*\+.*bonjour/)
    expect(bodies(github)[0]).not.toMatch(/later|meta\.helm\.sh/)
  })

  test('values files and files of set-file are those of each side', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    const inputs = { cluster: 'none', 'values-files': 'prod.yaml', 'set-file': 'file=motd.txt' }
    await plan({ github, workspace: repository.folder, event: eventOf('pull_request_target', commits), inputs })
    expect(bodies(github)[0]).toMatch(/-.*old[\s\S]*\+.*new/)
    expect(bodies(github)[0]).toMatch(/-.*hello[\s\S]*\+.*salut/)
  })

  test('a link of a fork brings no file of the machine into the comment', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    rmSync(join(repository.folder, 'motd.txt'))
    symlinkSync('/proc/self/environ', join(repository.folder, 'motd.txt'))
    const headSha = repository.commit({})
    github.seedPull({ number: NUMBER, headSha })
    const inputs = { cluster: 'none', 'set-file': 'file=motd.txt' }
    const event = eventOf('pull_request_target', { ...commits, headSha })
    const { exitCode, log, outputs, summary } = await plan({ github, workspace: repository.folder, event, inputs })
    expect([exitCode, outputs['failure-reason']]).toEqual([1, 'invalid-input'])
    expect([log, summary, ...bodies(github)].join()).not.toContain('GITHUB_WORKSPACE=')
  })

  test('a clone of one commit takes the base from GitHub', async ({ github }) => {
    const { repository, parting, ...commits } = forked(github)
    github.seedArchive(parting, await packed(chart('packed')))
    const { folder } = cloneOf(repository, '--depth=1', '--branch=feature')
    const { outputs } = await plan({ github, workspace: folder, event: eventOf('pull_request', commits) })
    expect(outputs).toMatchObject({ status: 'planned', 'to-update': '1' })
    expect(bodies(github)[0]).toMatch(/-.*packed[\s\S]*\+.*bonjour/)
  })

  test('a workspace that holds the base is refused', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    repository.git('checkout', '--quiet', 'main')
    const asked = { github, workspace: repository.folder, event: eventOf('pull_request_target', commits) }
    const { exitCode, log, outputs } = await plan({ ...asked, inputs: { cluster: 'none' } })
    expect([exitCode, outputs['failure-reason']]).toEqual([1, 'invalid-input'])
    expect(log).toContain(
      `set ref: \${{ github.event.pull_request.head.sha }} and persist-credentials: false for actions/checkout`,
    )
  })

  test('code of a fork is refused the cluster, which is not asked', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    const asked = { github, workspace: repository.folder, event: eventOf('pull_request_target', commits) }
    const { exitCode, log, outputs } = await plan({ ...asked, inputs: { kubeconfig: NOBODY_HOME } })
    expect([exitCode, outputs['failure-reason']]).toEqual([1, 'forbidden'])
    expect(log).toContain('set cluster: none to plan without a cluster')
  })

  test('a pull request of the repository itself needs a kubeconfig', async ({ github }) => {
    const { repository, ...commits } = forked(github)
    github.seedPull({ number: NUMBER, headRepository: 'acme/shop' })
    const event = eventOf('pull_request', commits)
    event.payload.pull_request.head.repo.full_name = 'acme/shop'
    const { exitCode, log, outputs } = await plan({ github, workspace: repository.folder, event })
    expect([exitCode, outputs['failure-reason']]).toEqual([1, 'invalid-input'])
    expect(log).toContain('there is no kubeconfig')
  })
})

const NOBODY_HOME = `apiVersion: v1
kind: Config
current-context: nobody
contexts: [{ name: nobody, context: { cluster: nobody, user: nobody } }]
clusters: [{ name: nobody, cluster: { server: "http://127.0.0.1:1" } }]
users: [{ name: nobody, user: {} }]
`

async function packed(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const tar = pack()
  for (const [path, text] of Object.entries(files)) tar.entry({ name: `acme-shop-1234567/${path}` }, text)
  tar.finalize()
  return buffer(tar.pipe(createGzip()))
}
