import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SLOWEST = 10

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** What people may expect, on two cores. */
  readonly usually: string
}

/** The part of vitest's JSON report that is read. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[]
  }[]
}

/** `npm test`: everything that must hold before a change lands, cheapest first. Stops at the first step that fails. */
const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-test-'))
const reportFile = join(folder, 'report.json')
const steps: readonly Step[] = [
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'], usually: '5 s' },
  { name: 'style', command: ['biome', 'check', '--error-on-warnings', '.'], usually: '5 s' },
  {
    name: 'tools',
    command: ['node', join('src', 'tools', 'tools.ts')],
    usually: '1 s, and 6 min on a machine that has not built them yet',
  },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${reportFile}`],
    usually: '12 min',
  },
  { name: 'bundle', command: ['node', join('src', 'tools', 'build.ts'), '--check'], usually: '10 s' },
]

process.exitCode = await runSteps()
await rm(folder, { recursive: true })

async function runSteps(): Promise<number> {
  for (const [index, step] of steps.entries()) {
    process.stdout.write(`\n[${index + 1}/${steps.length}] ${step.name}: usually ${step.usually}\n`)
    const startedAt = performance.now()
    const exitCode = await run(step.command)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    if (step.name === 'tests') await printSlowest()
    if (exitCode !== 0) {
      process.stdout.write(`\n[${index + 1}/${steps.length}] ${step.name} failed after ${seconds} s\n`)
      return 1
    }
    process.stdout.write(`[${index + 1}/${steps.length}] ${step.name} passed in ${seconds} s\n`)
  }
  process.stdout.write(`\n${await totals()}\n`)
  return 0
}

async function run([command, ...args]: Step['command']): Promise<number> {
  const executable = command === 'node' ? process.execPath : join(ROOT, 'node_modules', '.bin', command)
  const child = spawn(executable, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

/** Tests that run side by side share the machine: their times say where to look, not what each costs alone. */
async function printSlowest(): Promise<void> {
  const report = await readReport()
  if (report === undefined) return
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ file: name, fullName, ms: duration ?? 0 })),
  )
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  const lines = slowest.map(({ file, fullName, ms }) => {
    const seconds = (ms / 1000).toFixed(1).padStart(6)
    return `${seconds} s  ${relative(ROOT, file)}: ${fullName}`
  })
  process.stdout.write(`\nThe slowest ${lines.length} tests\n${lines.join('\n')}\n`)
}

/** `N passed, N failed, N skipped`, the last line. */
async function totals(): Promise<string> {
  const report = await readReport()
  if (report === undefined) throw new Error('vitest left no report')
  return `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`
}

/** None where vitest ended before the first test. */
async function readReport(): Promise<Report | undefined> {
  return readFile(reportFile, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  )
}
