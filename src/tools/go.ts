import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROGRESS_EVERY_MS = 10_000
/** Lines of compiler output that a failed build shows. */
const ERROR_LINES = 30
/** The first minor release (1.21) that fetches the release pinned in go.mod by itself. */
const MINIMUM_MINOR = 21

/** The Go command for one module, at the very release that its go.mod pins. */
export interface Go {
  build(options: GoBuild): Promise<void>
  /** Standard output of `go ...`. */
  run(args: readonly string[], env?: Environment): Promise<string>
  /** Where the release's own files lie. */
  root(): Promise<string>
}

export interface GoBuild {
  readonly output: string
  readonly env: Environment
  readonly ldflags: string
  readonly report: (line: string) => void
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
  return {
    run,
    root: async () => (await run(['env', 'GOROOT'])).trim(),
    build: (options) => build(folder, { ...options, env: { ...fixed, ...options.env } }),
  }
}

/** The same for everybody: exactly this release, no C compiler, no settings of the machine. */
function environmentFor(toolchain: string): Environment {
  return { CGO_ENABLED: '0', GOTOOLCHAIN: toolchain, GOWORK: 'off', GOFLAGS: '-mod=readonly', GOEXPERIMENT: '' }
}

async function build(folder: string, { output, env, ldflags, report }: GoBuild): Promise<void> {
  const started = Date.now()
  let compiled = 0
  let fetched = 0
  const ticker = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000)
    report(`${fetched} modules fetched, ${compiled} packages compiled, ${seconds} s`)
  }, PROGRESS_EVERY_MS)
  try {
    await spawnGo({
      folder,
      env,
      args: [
        'build',
        '-v',
        '-trimpath',
        '-buildvcs=false',

        `-ldflags=${ldflags}`,
        '-o',
        output,
        '.',
      ],
      onError: (line) => {
        if (line.startsWith('go: downloading ')) fetched += 1
        else compiled += 1
      },
    })
  } finally {
    clearInterval(ticker)
  }
}

async function requireGo(): Promise<void> {
  const needed = `Go 1.${MINIMUM_MINOR} or newer is needed to build the render engine`
  let found = ''
  try {
    const onLine = (line: string) => {
      found = line
    }
    // Outside of the module: an old release would refuse its go.mod before it tells its version.
    await spawnGo({ folder: '/', args: ['env', 'GOVERSION'], env: { GOTOOLCHAIN: 'local' }, onLine })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
    throw new Error(`${needed}, and no "go" was found in PATH.`, { cause })
  }
  const minor = Number(/^go1\.(\d+)/.exec(found)?.[1] ?? 0)
  if (minor < MINIMUM_MINOR) throw new Error(`${needed}, and the "go" in PATH is ${found}.`)
}

function spawnGo(options: {
  readonly folder: string
  readonly args: readonly string[]
  readonly env: Environment
  readonly onLine?: (line: string) => void
  readonly onError?: (line: string) => void
}): Promise<void> {
  return new Promise((resolve, reject) => {
    const tail: string[] = []
    const child = spawn('go', options.args, {
      cwd: options.folder,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: child.stdout }).on('line', (line) => options.onLine?.(line))
    createInterface({ input: child.stderr }).on('line', (line) => {
      options.onError?.(line)
      tail.push(line)
      if (tail.length > ERROR_LINES) tail.shift()
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`go ${options.args[0]} failed:\n${tail.join('\n')}`))
    })
  })
}
