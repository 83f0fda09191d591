import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { GITHUB_TOKEN } from '../../src/tools/local/runner/default-inputs.ts'
import { assertBuilt } from '../../src/tools/local/runner/fresh-bundle.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** What a checkout of this repository needs of it, for its own workflow with `uses: ./`. */
const CHECKED_OUT = ['action.yml', 'dist', 'examples', join('.github', 'workflows')]
const HOST = 'github.example'
/** How the workflows to copy name the action; the one of the checkout answers. */
const PUBLISHED = 'staged-helm-deploy/staged-helm-deploy@v0'

const execute = promisify(execFile)

/** A checkout of this repository as `acme/shop`, in a folder of its own. */
export interface Checkout {
  readonly folder: string
  /** The commit that is checked out. */
  readonly sha: string
  /** Home of `act`, so that it neither reads nor leaves anything of the user's. */
  readonly home: string
}

export interface WorkflowRun {
  /** Path of the workflow in the checkout. */
  readonly workflow: string
  readonly event: { readonly name: string; readonly payload: unknown }
  /** Address of GitHub's API. */
  readonly apiUrl: string
  readonly secrets: { readonly [name: string]: string }
  readonly variables: { readonly [name: string]: string }
}

export interface WorkflowResult {
  readonly exitCode: number
  /** What the steps printed, line by line. */
  readonly log: string
  /** Of all steps; the last step that sets one counts. */
  readonly outputs: { readonly [name: string]: string }
  /** Job summaries. */
  readonly summary: string
  /** `Main ./: success` */
  readonly steps: readonly string[]
}

export async function checkOut(): Promise<Checkout> {
  await assertBuilt()
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-checkout-'))
  const home = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-act-home-'))
  for (const path of CHECKED_OUT) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const git = (...args: readonly string[]) =>
    execute('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('commit', '--quiet', '--message=Everything')
  await git('remote', 'add', 'origin', `https://${HOST}/acme/shop.git`)
  const { stdout } = await git('rev-parse', 'HEAD')
  return { folder, sha: stdout.trim(), home }
}

/**
 * Runs a workflow by `act` on this machine, without containers: a step with `actions/checkout` of the workflow's own
 * repository is answered with a copy of the checkout, so nothing is downloaded.
 */
export async function runWorkflow({ folder, home }: Checkout, run: WorkflowRun): Promise<WorkflowResult> {
  const act = await ensureBinary('act')
  const event = join(home, 'event.json')
  await writeFile(event, JSON.stringify(run.event.payload))
  const pairs = (flag: string, values: { readonly [name: string]: string }) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
  const args = [
    run.event.name,
    '--json',
    '--action-offline-mode',
    `--workflows=${run.workflow}`,
    `--eventpath=${event}`,
    `--github-instance=${HOST}`,
    '--platform=ubuntu-latest=-self-hosted',
    `--local-repository=${PUBLISHED}=${folder}`,
    ...pairs('--env', { GITHUB_API_URL: run.apiUrl, GITHUB_GRAPHQL_URL: `${run.apiUrl}/graphql` }),
    ...pairs('--secret', { GITHUB_TOKEN, ...run.secrets }),
    ...pairs('--var', run.variables),
  ]
  // Steps find the node that runs these tests.
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const child = spawn(act, args, { cwd: folder, env: { HOME: home, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
    })
  }
  const exitCode = await new Promise<number>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? -1))
  })
  process.off('exit', killWithUs)
  return { exitCode, ...read(text) }
}

/** A line of `act --json`, as far as it is read. */
interface ActLine {
  readonly msg?: string
  readonly stage?: string
  readonly step?: string
  readonly stepResult?: string
  readonly command?: string
  readonly name?: string
  readonly arg?: string
  readonly content?: string
}

function read(text: string): Omit<WorkflowResult, 'exitCode'> {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as ActLine)
  const outputs = lines.filter(({ command }) => command === 'set-output')
  return {
    log: lines.map(({ msg }) => msg ?? '').join('\n'),
    outputs: Object.fromEntries(outputs.map(({ name = '', arg = '' }) => [name, arg])),
    summary: lines.flatMap(({ command, content = '' }) => (command === 'summary' ? [content] : [])).join('\n'),
    steps: lines.flatMap(({ stage, step, stepResult }) =>
      stage === undefined || stepResult === undefined ? [] : [`${stage} ${step}: ${stepResult}`],
    ),
  }
}
