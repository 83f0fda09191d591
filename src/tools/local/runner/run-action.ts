import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultInputs } from './default-inputs.ts'
import { assertBuilt } from './fresh-bundle.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..')
/** A run renders for a moment only: to optimize the engine's code for it costs more than it gains. */
const NODE_FLAGS = ['--liftoff-only']
/** Where node keeps the compiled bundle from run to run. */
const COMPILE_CACHE = join(tmpdir(), 'staged-helm-deploy-compile-cache')

/** How a runner would start the action. */
export interface ActionRun {
  readonly inputs: { readonly [name: string]: string }
  /** The workspace; default: the repository. */
  readonly workspace?: string
  readonly event?: { readonly name: string; readonly payload: unknown }
  /** Address of GitHub's API. */
  readonly apiUrl?: string
  readonly env?: { readonly [name: string]: string }
  /** Receives standard output as it comes. */
  readonly onOutput?: (text: string) => void
  /** State that an earlier process saved: this is the post step. */
  readonly state?: { readonly [name: string]: string }
  /** Called with the process, for signals. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
}

export interface ActionResult {
  readonly exitCode: number
  readonly log: string
  readonly outputs: { readonly [name: string]: string }
  readonly state: { readonly [name: string]: string }
  readonly summary: string
  readonly elapsedMs: number
}

/**
 * Runs `dist/index.js` as a runner does: inputs in `INPUT_*`, files for outputs, state and summary. Defaults of
 * `action.yml` are the runner's to fill in, so they are filled in here.
 */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  await assertBuilt()
  const defaults = await defaultInputs()
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-run-'))
  const file = (name: string) => join(folder, name)
  for (const name of ['output', 'state', 'summary']) await writeFile(file(name), '')
  await writeFile(file('event.json'), JSON.stringify(run.event?.payload ?? {}))
  await mkdir(file('temp'))
  const inputs = Object.entries({ ...defaults, ...run.inputs }).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ])
  const states = Object.entries(run.state ?? {}).map(([name, value]) => [`STATE_${name}`, value])
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...NODE_FLAGS, join(ROOT, 'dist', 'index.js')], {
    // Not the workspace: nothing may depend on where the process was started.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal reaches us only: as a runner, we alone say which signals the action gets.
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: run.workspace ?? ROOT,
      GITHUB_OUTPUT: file('output'),
      GITHUB_STATE: file('state'),
      GITHUB_STEP_SUMMARY: file('summary'),
      GITHUB_EVENT_PATH: file('event.json'),
      GITHUB_EVENT_NAME: run.event?.name ?? 'repository_dispatch',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_API_URL: run.apiUrl ?? 'http://127.0.0.1:1',
      GITHUB_GRAPHQL_URL: `${run.apiUrl ?? 'http://127.0.0.1:1'}/graphql`,
      GITHUB_RUN_ID: '881',
      GITHUB_RUN_NUMBER: '12',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_SHA: 'abc1234abc1234abc1234abc1234abc1234abc12',
      RUNNER_TEMP: file('temp'),
      ...run.env,
      ...Object.fromEntries([...inputs, ...states]),
    },
  })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  run.onStart?.((signal) => child.kill(signal))
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      log += text
      run.onOutput?.(text)
    })
  }
  const exitCode = await new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)))
  process.off('exit', killWithUs)
  return {
    exitCode,
    log,
    outputs: parseCommandFile(await readFile(file('output'), 'utf8')),
    state: parseCommandFile(await readFile(file('state'), 'utf8')),
    summary: await readFile(file('summary'), 'utf8'),
    elapsedMs: performance.now() - startedAt,
  }
}

/** `name<<delimiter` blocks, as the toolkit writes them. */
function parseCommandFile(text: string): { readonly [name: string]: string } {
  const found: [string, string][] = []
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index += 1) {
    const head = /^(.+?)<<(.+)$/.exec(lines[index] ?? '')
    if (head === null) continue
    const end = lines.indexOf(head[2] ?? '', index + 1)
    found.push([head[1] ?? '', lines.slice(index + 1, end).join('\n')])
    index = end
  }
  return Object.fromEntries(found)
}
