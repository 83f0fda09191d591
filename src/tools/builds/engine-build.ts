import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { ENGINE_FILE, WORKER_FILE } from '../../render/engine-thread.ts'
import { ensureBuilt, ensureFilled, keyOf, type Product } from './builder.ts'
import { engineLicenses } from './engine-licenses.ts'
import { copyPatched } from './engine-patch.ts'
import type { Meter } from './meter.ts'
import { PROGRAM_GCFLAGS, SECONDS_PER_PACKAGE } from './programs.ts'
import { type Compilation, type Go, goFor } from './toolchain.ts'

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
/** What linking and compressing usually take, in seconds. */
const LINK_SECONDS = 5
const COMPRESS_SECONDS = 30
const RENDER = join(import.meta.dirname, '..', '..', 'render')
const SOURCES = join(RENDER, 'engine')

/** Helm's engine as WebAssembly, packed, with Go's glue and the licence notices. The same bytes on every machine. */
export const engineWasm: Product = {
  name: 'engine-wasm',
  title: 'the render engine',
  usualSeconds: 75,
  key: engineKey,
  workshop: {
    prepare: async ([order], meter) => {
      const folder = order?.folder ?? ''
      const wasm: Compilation = { packages: ['.'], env: { GOOS: 'js', GOARCH: 'wasm' }, ldflags: LDFLAGS, gcflags: [] }
      const compile = await prepareCompile(wasm, folder, join(folder, 'engine.wasm'), meter)
      meter.expect(COMPRESS_SECONDS)
      return async () => {
        const go = await compile()
        await pack(folder, go)
        meter.done(COMPRESS_SECONDS, 'compress the render engine')
      }
    },
  },
}

/** The same engine as a program of this machine, for tests that compare both. */
export const engineTwin: Product = {
  name: 'engine-native',
  title: "the engine's native twin",
  usualSeconds: 15,
  key: engineKey,
  workshop: {
    prepare: async ([order], meter) => {
      const folder = order?.folder ?? ''
      const native: Compilation = { packages: ['.'], env: {}, ldflags: LDFLAGS, gcflags: PROGRAM_GCFLAGS }
      const compile = await prepareCompile(native, folder, join(folder, NATIVE_FILE), meter)
      return async () => void (await compile())
    },
  },
}

/** The folder that holds the engine, its thread and its licence notices, built on first use. */
export async function buildEngine(): Promise<string> {
  const packed = (await ensureBuilt([engineWasm])).get(engineWasm) ?? ''
  const worker = join(RENDER, 'worker.ts')
  const files = new Map([
    ['worker', worker],
    ['tool', import.meta.filename],
  ])
  const key = await keyOf([packed, process.versions.node], files)
  return ensureFilled(`engine-${key}`, async (folder) => {
    const glue = await readFile(join(packed, GLUE_FILE), 'utf8')
    // Go's own glue of the same release in front of ours. Its licence is among the notices.
    await writeFile(join(folder, WORKER_FILE), `${glue}\n${withoutTypes(await readFile(worker, 'utf8'))}`)
    for (const file of [ENGINE_FILE, LICENSES_FILE]) await copyFile(join(packed, file), join(folder, file))
  })
}

export async function buildTwin(): Promise<string> {
  return join((await ensureBuilt([engineTwin])).get(engineTwin) ?? '', NATIVE_FILE)
}

/** Puts the built engine into a folder (`dist/`), without the licence notices. */
export async function installEngine(target: string): Promise<void> {
  const folder = await buildEngine()
  await mkdir(target, { recursive: true })
  for (const file of [ENGINE_FILE, WORKER_FILE]) await copyFile(join(folder, file), join(target, file))
}

/** Fetches and counts now; compiles when called. */
async function prepareCompile(
  compilation: Compilation,
  folder: string,
  output: string,
  meter: Meter,
): Promise<() => Promise<Go>> {
  const sources = join(folder, 'sources')
  await copyPatched(await goFor(SOURCES), SOURCES, sources)
  const go = await goFor(sources)
  const missing = await go.missing(compilation, (module) => meter.note(`fetch ${module}`))
  meter.expect(missing.length * SECONDS_PER_PACKAGE + LINK_SECONDS)
  return async () => {
    await go.compile(compilation, (name) => meter.done(SECONDS_PER_PACKAGE, name))
    await go.link(compilation, '.', output)
    meter.done(LINK_SECONDS, 'link the engine')
    await rm(sources, { recursive: true })
    return goFor(SOURCES)
  }
}

async function pack(folder: string, go: Go): Promise<void> {
  const wasm = join(folder, 'engine.wasm')
  const packed = await compress(await readFile(wasm))
  if (packed.length > MAX_ENGINE_BYTES) {
    throw new Error(`the engine takes ${packed.length} bytes, at most ${MAX_ENGINE_BYTES} are allowed`)
  }
  await rm(wasm)
  await writeFile(join(folder, ENGINE_FILE), packed)
  await copyFile(join(await go.root(), 'lib', 'wasm', GLUE_FILE), join(folder, GLUE_FILE))
  await writeFile(join(folder, LICENSES_FILE), await engineLicenses(go))
}

async function engineKey(): Promise<string> {
  const sources = (await readdir(SOURCES, { recursive: true })).filter((file) => /\.go$|go\.(mod|sum)$/.test(file))
  const tools = ['engine-build.ts', 'engine-patch.ts', 'engine-licenses.ts', 'toolchain.ts', 'programs.ts']
  const files = [
    ...sources.sort().map((file) => [file, join(SOURCES, file)] as const),
    ...tools.map((file) => [`tools/${file}`, join(import.meta.dirname, file)] as const),
  ]
  return keyOf([LDFLAGS], new Map(files))
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

if (import.meta.main) {
  const target = process.argv[2]
  if (target === undefined) process.stdout.write(`${await buildEngine()}\n`)
  else await installEngine(target)
}
