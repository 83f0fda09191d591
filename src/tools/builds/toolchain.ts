import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Lines of compiler output that a failed build shows. */
const ERROR_LINES = 30
/** The first minor release (1.21) that fetches the release pinned in go.mod by itself. */
const MINIMUM_MINOR = 21
/**
 * The compiler keeps what it has allocated: collecting it is 25 to 35 % of its processor time. The limit brings the
 * collector back for the few packages that would take more, per compiler process.
 */
const COMPILER_MEMORY = { GOGC: 'off', GOMEMLIMIT: '2GiB' }
const DOWNLOADING = 'go: downloading '

/** The Go command for one module, at the very release that its go.mod pins. */
export interface Go {
  /** Standard output of `go ...`. */
  run(args: readonly string[], env?: Environment): Promise<string>
  /** Where the release's own files lie. */
  root(): Promise<string>
  /** Fetches what a build needs, and gives the packages that it would compile: those that Go's cache does not have. */
  missing(compilation: Compilation, onFetched: (module: string) => void): Promise<readonly string[]>
  /** Compiles packages and all that they import, without linking. */
  compile(compilation: Compilation, onCompiled: (name: string) => void): Promise<void>
  /** Links one program; fast after `compile` of the same compilation. */
  link(compilation: Compilation, program: string, output: string): Promise<void>
}

export interface Compilation {
  readonly packages: readonly string[]
  readonly env: Environment
  readonly ldflags: string
  readonly gcflags: readonly string[]
}

type Environment = Readonly<Record<string, string>>

/** Fails with one clear sentence where Go is missing or too old to fetch the pinned release. */
export async function goFor(folder: string): Promise<Go> {
  const module = await readFile(join(folder, 'go.mod'), 'utf8')
  const toolchain = /^toolchain (go\S+)/m.exec(module)?.[1]
  if (toolchain === undefined) throw new Error(`${folder}/go.mod pins no toolchain.`)
  await requireGo()
  const fixed = environmentFor(toolchain)
  const run: Go['run'] = async (args, env = {}) => {
    const lines: string[] = []
    await spawnGo({ folder, args, env: { ...fixed, ...env }, onLine: (line) => lines.push(line) })
    return lines.join('\n')
  }
  const list = (compilation: Compilation, flags: readonly string[], on: Pick<GoCall, 'onLine' | 'onError'>) =>
    spawnGo({
      folder,
      args: ['list', ...flags, ...flagsOf(compilation), ...compilation.packages],
      env: { ...fixed, ...compilation.env },
      ...on,
    })
  return {
    run,
    root: async () => (await run(['env', 'GOROOT'])).trim(),
    missing: async (compilation, onFetched) => {
      const packages: string[] = []
      await list(compilation, ['-deps', '-f', '{{if .Stale}}{{.ImportPath}}{{end}}'], {
        onLine: (line) => packages.push(line),
        onError: (line) => {
          if (line.startsWith(DOWNLOADING)) onFetched(line.slice(DOWNLOADING.length))
        },
      })
      return packages
    },
    compile: (compilation, onCompiled) =>
      list(compilation, ['-export', '-v', '-f', '{{.Name}}'], { onError: (line) => onCompiled(line) }),
    link: async (compilation, program, output) => {
      await run(['build', ...flagsOf(compilation), '-o', output, program], compilation.env)
    },
  }
}

function flagsOf({ ldflags, gcflags }: Compilation): readonly string[] {
  return ['-trimpath', '-buildvcs=false', `-ldflags=${ldflags}`, ...gcflags.map((flags) => `-gcflags=${flags}`)]
}

/** The same for everybody: exactly this release, no C compiler, no settings of the machine. */
function environmentFor(toolchain: string): Environment {
  return {
    CGO_ENABLED: '0',
    GOTOOLCHAIN: toolchain,
    GOWORK: 'off',
    GOFLAGS: '-mod=readonly',
    GOEXPERIMENT: '',
    ...COMPILER_MEMORY,
  }
}

async function requireGo(): Promise<void> {
  let found: string | undefined = ''
  try {
    const onLine = (line: string) => {
      found = line.replace(/^go/, '')
    }
    // Outside of the module: an old release would refuse its go.mod before it tells its version.
    await spawnGo({ folder: '/', args: ['env', 'GOVERSION'], env: { GOTOOLCHAIN: 'local' }, onLine })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
    found = undefined
  }
  const problem = goProblem(found)
  if (problem !== undefined) throw new Error(problem)
}

/** One clear sentence where Go is missing or too old. `found`: as in `1.26.8`. */
export function goProblem(found: string | undefined): string | undefined {
  const needed = `Go 1.${MINIMUM_MINOR} or newer is needed to build the render engine and the test tools, and`
  if (found === undefined) return `${needed} no "go" was found in PATH.`
  const [major = 0, minor = 0] = found.split('.').map((part) => Number.parseInt(part, 10))
  const isNewEnough = major > 1 || (major === 1 && minor >= MINIMUM_MINOR)
  return isNewEnough ? undefined : `${needed} the "go" in PATH is ${found}.`
}

interface GoCall {
  readonly folder: string
  readonly args: readonly string[]
  readonly env: Environment
  readonly onLine?: (line: string) => void
  readonly onError?: (line: string) => void
}

function spawnGo({ folder, args, env, onLine, onError }: GoCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const tail: string[] = []
    const child = spawn('go', args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: child.stdout }).on('line', (line) => onLine?.(line))
    createInterface({ input: child.stderr }).on('line', (line) => {
      onError?.(line)
      tail.push(line)
      if (tail.length > ERROR_LINES) tail.shift()
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`go ${args[0]} failed:\n${tail.join('\n')}`))
    })
  })
}
