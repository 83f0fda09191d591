import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** What people may expect, on two cores. */
  readonly usually: string
}

/** `npm test`: everything that must hold before a change lands, cheapest first. Stops at the first step that fails. */
const report = join(await mkdtemp(join(tmpdir(), 'staged-helm-deploy-test-')), 'report.json')
const steps: readonly Step[] = [
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'], usually: '5 s' },
  { name: 'style', command: ['biome', 'check', '--error-on-warnings', '.'], usually: '5 s' },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${report}`],
    usually: '5 min, and 20 min more on a machine that has not built the engine and the control plane yet',
  },
  { name: 'bundle', command: ['node', join('src', 'tools', 'build.ts'), '--check'], usually: '1 min' },
]

for (const [index, step] of steps.entries()) {
  process.stdout.write(`\n[${index + 1}/${steps.length}] ${step.name}: usually ${step.usually}\n`)
  const startedAt = performance.now()
  const exitCode = await run(step.command)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  if (exitCode !== 0) {
    process.stdout.write(`\n[${index + 1}/${steps.length}] ${step.name} failed after ${seconds} s\n`)
    process.exit(1)
  }
  process.stdout.write(`[${index + 1}/${steps.length}] ${step.name} passed in ${seconds} s\n`)
}
process.stdout.write(`\n${await totals()}\n`)

async function run([command, ...args]: Step['command']): Promise<number> {
  const executable = command === 'node' ? process.execPath : join(ROOT, 'node_modules', '.bin', command)
  const child = spawn(executable, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

/** `N passed, N failed, N skipped`, the last line. */
async function totals(): Promise<string> {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly numPassedTests: number
    readonly numFailedTests: number
    readonly numPendingTests: number
  }
  await rm(join(report, '..'), { recursive: true })
  return `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`
}
