import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { ROOM_VARIABLE } from './mutation/vitest.config.ts'
import { rooms } from './rooms.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CONFIG = join(ROOT, 'build', 'stryker.config.json')
/** No dependencies of the project: they would double the number of its packages, for a tool that few runs need. */
const PACKAGES = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']

const USAGE = `usage: npm run mutate -- ROOM [OPTION OF STRYKER]...

ROOM  a folder of src/. StrykerJS changes its sources in one place at a time and runs test/ROOM against each change;
      reports/mutation/ROOM.html shows those that no test noticed.

A part of a room: npm run mutate -- readiness --mutate src/readiness/generic-readiness.ts:30-60`

const [room = '', ...options] = process.argv.slice(2)
if (rooms.some(({ name }) => name === room && !name.endsWith('.ts'))) {
  process.exitCode = await mutate(room, options)
} else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

async function mutate(name: string, more: readonly string[]): Promise<number> {
  await mkdir(join(ROOT, 'build'), { recursive: true })
  await writeFile(CONFIG, JSON.stringify(configOf(name), undefined, 2))
  const packages = PACKAGES.flatMap((one) => ['--package', one])
  const child = spawn('npx', ['--yes', ...packages, 'stryker', 'run', relative(ROOT, CONFIG), ...more], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, [ROOM_VARIABLE]: name },
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

function configOf(name: string): object {
  const report = join('reports', 'mutation', name)
  return {
    mutate: [`src/${name}/**/*.ts`],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'src/tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What is computed once when a file is loaded, tables above all, would need all tests for each change.
    ignoreStatic: true,
    concurrency: availableParallelism(),
    // Stryker rewrites this file by TypeScript's JavaScript API, which the native compiler does not have. None is needed.
    tsconfigFile: 'none',
    reporters: ['progress', 'clear-text', 'html', 'json'],
    clearTextReporter: { logTests: false, reportTests: false },
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
  }
}
