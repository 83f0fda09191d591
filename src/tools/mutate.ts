import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { ROOMS_VARIABLE } from './mutation/vitest.config.ts'
import { rooms } from './rooms.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CONFIG = join(ROOT, 'build', 'stryker.config.json')
/** No dependencies of the project: they would double the number of its packages, for a tool that few runs need. */
const PACKAGES = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']

const USAGE = `usage: npm run mutate -- ROOM[,ROOM]... [OPTION OF STRYKER]...

ROOM  a folder of src/. StrykerJS changes the sources of the first one in one place at a time and runs the unit tests of
      all of them against each change; reports/mutation/ROOM.html shows the changes that no test noticed.

A part of a room: npm run mutate -- readiness --mutate src/readiness/generic-readiness.ts:30-60`

const folders = rooms.map(({ name }) => name).filter((name) => !name.endsWith('.ts'))
const [list = '', ...options] = process.argv.slice(2)
if (list.split(',').every((name) => folders.includes(name))) {
  process.exitCode = await mutate(list.split(','), options)
} else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

async function mutate(names: readonly string[], more: readonly string[]): Promise<number> {
  await mkdir(join(ROOT, 'build'), { recursive: true })
  await writeFile(CONFIG, JSON.stringify(configOf(names[0] ?? ''), undefined, 2))
  const packages = PACKAGES.flatMap((one) => ['--package', one])
  const child = spawn('npx', ['--yes', ...packages, 'stryker', 'run', relative(ROOT, CONFIG), ...more], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, [ROOMS_VARIABLE]: names.join(',') },
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

function configOf(room: string): object {
  const report = join('reports', 'mutation', room)
  return {
    mutate: [`src/${room}/**/*.ts`],
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
