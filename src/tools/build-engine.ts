import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { cacheFolder } from '../../test/binaries/binaries.ts'
import { withLock } from '../../test/binaries/lock.ts'
import { ENGINE_FILE, WORKER_FILE } from '../render/engine-thread.ts'
import { engineLicenses } from './engine-licenses.ts'
import { copyPatched } from './engine-patch.ts'
import { type Go, type GoBuild, goFor } from './go.ts'

/** Licence notices of the Go modules inside the engine, for `dist/licenses.txt`. */
export const LICENSES_FILE = 'engine-licenses.txt'

const NATIVE_FILE = 'engine'
/** Of Go's own release. */
const GLUE_FILE = 'wasm_exec.js'
const MAX_ENGINE_BYTES = 6 * 1024 * 1024
const HELM_VERSION = 'v4.3.1'
const LDFLAGS = `-s -w -X helm.sh/helm/v4/internal/version.version=${HELM_VERSION}`
const ZSTD_LEVEL = 19
/** 2^25 bytes: the whole engine. Larger windows need leave from the reader. */
const ZSTD_WINDOW_BITS = 25
const RENDER = join(import.meta.dirname, '..', 'render')
const SOURCES = join(RENDER, 'engine')

export interface BuildOptions {
  /** Receives the progress of a first build, line by line. */
  readonly report?: (line: string) => void
}

type Report = (line: string) => void

/**
 * The folder that holds the engine, its thread and its licence notices, built on first use. Kept outside the work tree by
 * a hash of all that goes into it. The same input gives the same bytes on every machine.
 */
export async function buildEngine({ report = toStderr }: BuildOptions = {}): Promise<string> {
  const packed = await cached({ name: 'engine-wasm', inputs: await wasmInputs(), report, build: buildPacked })
  const worker = join(RENDER, 'worker.ts')
  return cached({
    name: 'engine',
    inputs: [packed, worker, import.meta.filename],
    report,
    build: async (folder) => {
      const glue = await readFile(join(packed, GLUE_FILE), 'utf8')
      // Go's own glue of the same release in front of ours. Its licence is among the notices.
      await writeFile(join(folder, WORKER_FILE), `${glue}\n${withoutTypes(await readFile(worker, 'utf8'))}`)
      for (const file of [ENGINE_FILE, LICENSES_FILE]) await copyFile(join(packed, file), join(folder, file))
    },
  })
}

async function buildPacked(folder: string, report: Report): Promise<void> {
  report('building the render engine, once; this usually takes 90 s on two cores, a third of it to compress')
  const go = await goFor(SOURCES)
  const wasm = join(folder, 'engine.wasm')
  await compile(go, { output: wasm, env: { GOOS: 'js', GOARCH: 'wasm' }, report })
  report('compressing the render engine')
  const packed = await compress(await readFile(wasm))
  if (packed.length > MAX_ENGINE_BYTES) {
    throw new Error(`the engine takes ${packed.length} bytes, at most ${MAX_ENGINE_BYTES} are allowed`)
  }
  await rm(wasm)
  await writeFile(join(folder, ENGINE_FILE), packed)
  await copyFile(join(await go.root(), 'lib', 'wasm', GLUE_FILE), join(folder, GLUE_FILE))
  await writeFile(join(folder, LICENSES_FILE), await engineLicenses(go))
}

/** The path of the same engine as a program of this machine, for tests that compare both. */
export async function buildNativeEngine({ report = toStderr }: BuildOptions = {}): Promise<string> {
  const build = async (folder: string) => {
    report('building the native twin of the render engine, once; this usually takes 1 min on two cores')
    const go = await goFor(SOURCES)
    await compile(go, { output: join(folder, NATIVE_FILE), env: {}, report })
  }
  return join(await cached({ name: 'engine-native', inputs: await wasmInputs(), report, build }), NATIVE_FILE)
}

async function compile(go: Go, options: Pick<GoBuild, 'output' | 'env' | 'report'>): Promise<void> {
  const folder = `${options.output}.sources`
  await copyPatched(go, SOURCES, folder)
  await (await goFor(folder)).build({ ...options, ldflags: LDFLAGS })
  await rm(folder, { recursive: true })
}

/** Puts the built engine into a folder (`dist/`), without the licence notices. */
export async function installEngine(target: string, options: BuildOptions = {}): Promise<void> {
  const folder = await buildEngine(options)
  await mkdir(target, { recursive: true })
  for (const file of [ENGINE_FILE, WORKER_FILE]) await copyFile(join(folder, file), join(target, file))
}

interface Cached {
  readonly name: string
  /** Files whose content decides, or paths of cache folders, whose names do. */
  readonly inputs: readonly string[]
  readonly report: Report
  readonly build: (folder: string, report: Report) => Promise<void>
}

async function cached({ name, inputs, report, build }: Cached): Promise<string> {
  const folder = join(cacheFolder(), `${name}-${await fingerprint(inputs)}`)
  if (await exists(folder)) return folder
  await mkdir(cacheFolder(), { recursive: true })
  return withLock(join(cacheFolder(), `building-${name}`), report, async () => {
    if (await exists(folder)) return folder
    const unfinished = `${folder}.${process.pid}`
    await mkdir(unfinished, { recursive: true })
    try {
      await build(unfinished, report)
      await rename(unfinished, folder)
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
    return folder
  })
}

async function fingerprint(inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  hash.update(`${process.platform} ${process.arch} ${process.versions.node} ${LDFLAGS}`)
  for (const input of inputs) {
    const isFile = (await stat(input)).isFile()
    hash.update(`\0${isFile ? relative(RENDER, input) : basename(input)}\0`).update(isFile ? await readFile(input) : '')
  }
  return hash.digest('hex').slice(0, 16)
}

async function wasmInputs(): Promise<readonly string[]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /\.go$|go\.(mod|sum)$/.test(file))
  const tools = ['engine-patch.ts', 'engine-licenses.ts', 'go.ts'].map((file) => join(import.meta.dirname, file))
  return [...files.sort().map((file) => join(SOURCES, file)), ...tools]
}

function withoutTypes(source: string): string {
  const warn = process.emitWarning
  // Node calls the function experimental; the same Node runs this very file by it.
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = warn
  }
}

/** Unpacks twice as fast as brotli at 6 % more bytes. */
function compress(bytes: Buffer): Promise<Buffer> {
  return promisify(zstdCompress)(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_windowLog]: ZSTD_WINDOW_BITS },
    pledgedSrcSize: bytes.length,
  })
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

if (import.meta.main) {
  const target = process.argv[2]
  if (target === undefined) process.stdout.write(`${await buildEngine()}\n`)
  else await installEngine(target)
}
