import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codeOf } from './lock.ts'
import { moduleFolder, type Recipe } from './recipes.ts'

const PROGRESS_EVERY_MS = 10_000
/** Lines of compiler output that a failed build shows. */
const ERROR_LINES = 30

/** The same for everybody: no C compiler needed, no newer Go fetched behind the user's back, no paths in the binary. */
const GO_ENVIRONMENT = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '-mod=readonly' }

/** Compiles one module into `output`, telling how far it is. */
export async function goBuild(folder: string, recipe: Recipe, output: string, report: (line: string) => void) {
  await requireGo(folder)
  const started = Date.now()
  let compiled = 0
  let downloaded = 0
  const tail: string[] = []
  report(`building ${recipe.title} from source, once; this usually takes ${duration(recipe.usualSeconds)} on two cores`)
  const ticker = setInterval(() => {
    const soFar = duration((Date.now() - started) / 1000)
    report(
      `${recipe.title}: ${downloaded} modules fetched, ${compiled} of about ${recipe.packages} packages built, ${soFar} so far`,
    )
  }, PROGRESS_EVERY_MS)
  try {
    const exitCode = await goRun(folder, buildArguments(recipe, output), (line) => {
      if (line.startsWith('go: downloading ')) downloaded += 1
      else if (/^[\w.-]+(\/[\w.~-]+)*$/.test(line)) compiled += 1
      else tail.push(line)
      if (tail.length > ERROR_LINES) tail.shift()
    })
    if (exitCode !== 0) throw new Error(`building ${recipe.title} failed:\n${tail.join('\n')}`)
  } finally {
    clearInterval(ticker)
  }
  report(`built ${recipe.title} in ${duration((Date.now() - started) / 1000)}`)
}

function buildArguments(recipe: Recipe, output: string): string[] {
  const variables = Object.entries(recipe.variables).map(([name, value]) => `-X ${name}=${value}`)
  const ldflags = ['-s', '-w', ...variables].join(' ')
  return ['build', '-v', '-trimpath', '-buildvcs=false', `-ldflags=${ldflags}`, '-o', output, recipe.package]
}

/** Before anything is downloaded. */
async function requireGo(folder: string): Promise<void> {
  const module = await readFile(join(folder, 'go.mod'), 'utf8')
  const needed = /^go (\d+\.\d+)/m.exec(module)?.[1] ?? ''
  const problem = goProblem(await goVersion(), needed)
  if (problem !== undefined) throw new Error(problem)
}

/** One clear sentence where Go is missing or too old. */
export function goProblem(found: string | undefined, needed: string): string | undefined {
  const wanted = `Go ${needed} or newer is needed to build the test binaries, and`
  if (found === undefined) return `${wanted} no "go" was found in PATH.`
  return isAtLeast(found, needed) ? undefined : `${wanted} the "go" in PATH is ${found}.`
}

async function goVersion(): Promise<string | undefined> {
  let text = ''
  try {
    const exitCode = await goRun(moduleFolder('.'), ['env', 'GOVERSION'], (line) => {
      text += line
    })
    return exitCode === 0 ? text.trim().replace(/^go/, '') : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAtLeast(found: string, needed: string): boolean {
  const [major = 0, minor = 0] = found.split('.').map((part) => Number.parseInt(part, 10))
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map((part) => Number.parseInt(part, 10))
  return major !== neededMajor ? major > neededMajor : minor >= neededMinor
}

function goRun(folder: string, args: readonly string[], onLine: (line: string) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: folder,
      env: { ...process.env, ...GO_ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: child.stdout }).on('line', onLine)
    createInterface({ input: child.stderr }).on('line', onLine)
    child.on('error', reject)
    child.on('close', resolve)
  })
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
