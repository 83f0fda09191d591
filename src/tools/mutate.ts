import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mutant, mutants } from '../../test/mutation/mutants.ts'

/**
 * `npm run mutate`: takes one rule away at a time, in a copy of the sources, and runs the unit tests of the rooms that
 * plan and execute. A mutant that no test notices is printed; fewer than 85 % killed is a failure. About five minutes.
 */
const ROOT = join(import.meta.dirname, '..', '..')
const LOWEST_SHARE = 0.85
const TESTS = ['plan', 'observe', 'execute', 'manifest', 'directives', 'pass'].map((room) => `test/${room}/`)

const copy = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-mutate-'))
try {
  for (const part of [
    'src',
    'test',
    'docs',
    'examples',
    'action.yml',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]) {
    await cp(join(ROOT, part), join(copy, part), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  if (!passes()) throw new Error('the tests fail without any mutant')
  const survivors: Mutant[] = []
  for (const [index, mutant] of mutants.entries()) {
    const isKilled = await kill(mutant)
    if (!isKilled) survivors.push(mutant)
    process.stdout.write(
      `[${index + 1}/${mutants.length}] ${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.file}: ${mutant.rule}\n`,
    )
  }
  const killed = mutants.length - survivors.length
  process.stdout.write(`\n${killed} of ${mutants.length} killed (${Math.round((100 * killed) / mutants.length)} %)\n`)
  if (killed / mutants.length < LOWEST_SHARE) process.exitCode = 1
} finally {
  await rm(copy, { recursive: true, force: true })
}

async function kill({ file, from, rule, to }: Mutant): Promise<boolean> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${rule}: its text does not stand once in ${file}`)
  await writeFile(
    path,
    text.replace(from, () => to),
  )
  try {
    return !passes()
  } finally {
    await writeFile(path, text)
  }
}

function passes(): boolean {
  const vitest = join(copy, 'node_modules', '.bin', 'vitest')
  const run = spawnSync(vitest, ['run', '--project', 'unit', '--bail', '1', ...TESTS], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, CI: 'true' },
    timeout: 120_000,
  })
  return run.status === 0
}
