/**
 * Runs Helm's engine in its own thread, so that rendering blocks nothing and a template that never ends can be stopped.
 * The build puts Go's wasm_exec.js in front of this file (`src/tools/builds/engine-build.ts`), so it can import types only.
 * Node's modules are not imported: an ES import of `node:fs` loads all of its lazy parts, which takes 30 ms.
 */
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts'

/** The part of WebAssembly that is used here; TypeScript keeps its types with those of browsers. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>
  instantiate(module: object, imports: object): Promise<Instance>
}

interface Instance {
  readonly exports: { readonly mem: { readonly buffer: ArrayBuffer } }
}

/** What wasm_exec.js defines. */
interface GoRuntime {
  readonly importObject: { readonly gojs: Record<string, (stackPointer: number) => void> }
  env: Record<string, string>
  exit: (code: number) => void
  run(instance: Instance): Promise<void>
}

interface GoEngine {
  render(request: string): void
  ask(question: string): void
  parse(file: string, text: string): void
}

type Callback = (error: unknown, result?: unknown) => void

const { generateKeyPairSync } = process.getBuiltinModule('node:crypto')
/** Not `fs`: that is the name by which Go's glue, in this very file, finds the files that it may see. */
const disk = process.getBuiltinModule('node:fs')
const path = process.getBuiltinModule('node:path')
const v8 = process.getBuiltinModule('node:v8')
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
const zlib = process.getBuiltinModule('node:zlib')

/**
 * How much later the second render takes place, in s: a day, an hour, a minute and a second, so that every value made
 * from the time of day or the date differs.
 */
const SECOND_RENDER_SECONDS = 90_061n
/** Length of the RSA keys of a second render, which are never used and must only differ. The shortest that Go takes. */
const SECOND_RENDER_KEY_BITS = 1024

/** Go prints the stacks of all goroutines when it ends; what comes first is what matters. */
const MAX_PRINTED_CHARS = 16 * 1024

/** A little more than the size of the engine. Unused memory is never touched. */
const UNPACKED_BYTES = 36 * 1024 * 1024

const data: WorkerData = workerData
let isSecondRender = false
const lookups = new Map<number, { found: (json: string) => void; failed: (message: string) => void }>()
let lookupCount = 0
/** What Go has printed since its last answer. */
let printed = ''

void startGo()

async function startGo(): Promise<void> {
  // The file is our own; checking a function when it is first called saves 100 ms.
  v8.setFlagsFromString('--wasm-lazy-validation')
  const packed = disk.readFileSync(data.enginePath)
  // In one piece: joining thousands of small ones would take a third of the time.
  const compiled = WebAssembly.compile(zlib.zstdDecompressSync(packed, { chunkSize: UNPACKED_BYTES }))
  // The engine may not reach the network, whatever its dependencies try.
  Object.assign(globalThis, { fs: readOnlyFiles(), path, fetch: undefined, stagedHelmDeployHost: host() })
  const go: GoRuntime = new (Reflect.get(globalThis, 'Go'))()
  // No garbage collection before `ready`; engine/host_js.go switches it on.
  go.env = { TIME_ZONE: data.timeZone, GOGC: 'off' }
  go.exit = (exitCode) => die({ type: 'died', cause: 'crash', printed, exitCode })
  guardMemory(go)
  shiftClock(go)
  const instance = await WebAssembly.instantiate(await compiled, go.importObject)
  memory = instance.exports.mem
  await go.run(instance)
}

let memory: Instance['exports']['mem'] | undefined

/** Go calls this import each time its memory grows; WebAssembly has no limit that can be set later. */
function guardMemory(go: GoRuntime): void {
  const reset = go.importObject.gojs['runtime.resetMemoryDataView']
  go.importObject.gojs['runtime.resetMemoryDataView'] = (stackPointer) => {
    if (memory !== undefined && memory.buffer.byteLength > data.maxMemoryBytes) die({ type: 'died', cause: 'memory' })
    reset?.(stackPointer)
  }
}

/**
 * Go asks for the time through this import; the seconds of the answer, an int64, are 8 bytes above the stack pointer.
 */
function shiftClock(go: GoRuntime): void {
  const walltime = go.importObject.gojs['runtime.walltime']
  go.importObject.gojs['runtime.walltime'] = (stackPointer) => {
    walltime?.(stackPointer)
    if (!isSecondRender || memory === undefined) return
    const view = new DataView(memory.buffer)
    const at = (stackPointer >>> 0) + 8
    view.setBigInt64(at, view.getBigInt64(at, true) + SECOND_RENDER_SECONDS, true)
  }
}

/** What the engine calls. See `engine/host_js.go`. */
function host() {
  return {
    ready: (engine: GoEngine) => {
      parentPort?.on('message', (message: ToWorker) => receive(engine, message))
    },
    done: (header: string, texts: Uint8Array<ArrayBuffer>) => {
      printed = ''
      parentPort?.postMessage({ type: 'answer', header, texts } satisfies FromWorker, [texts.buffer])
    },
    enter: (step: string, name: string) => post({ type: 'entered', step, name }),
    progress: data.progress,
    templates: (names: string) => {
      data.progress[0] = 0
      post({ type: 'templates', names: JSON.parse(names) as string[] })
    },
    again: (isOn: boolean) => {
      isSecondRender = isOn
    },
    list: (paths: string) => orError(() => (JSON.parse(paths) as string[]).flatMap(listFolder).join('\0')),
    read: (paths: string) =>
      orError(() => {
        const contents = (JSON.parse(paths) as string[]).map((file) => disk.readFileSync(file))
        return { sizes: JSON.stringify(contents.map(({ length }) => length)), bytes: Buffer.concat(contents) }
      }),
    lookup: (
      apiVersion: string,
      kind: string,
      namespace: string,
      name: string,
      found: (json: string) => void,
      failed: (message: string) => void,
    ) => {
      lookupCount += 1
      lookups.set(lookupCount, { found, failed })
      post({ type: 'lookup', id: lookupCount, apiVersion, kind, namespace, name })
    },
    rsaKey: (bits: number) =>
      generateKeyPairSync('rsa', {
        modulusLength: isSecondRender ? SECOND_RENDER_KEY_BITS : bits,
        publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      }).privateKey,
  }
}

/** Go takes an object with `message` as an error. */
function orError<T>(work: () => T): T | { readonly message: string } {
  try {
    return work()
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * The number of entries, and six texts for each: `Entry` in `engine/directory.go`, the same as in
 * `engine/host_native.go`.
 */
function listFolder(folder: string): readonly (string | number)[] {
  const entries = disk.readdirSync(folder, { withFileTypes: true })
  return [entries.length, ...entries.flatMap((entry) => entryOf(entry.name, path.join(folder, entry.name), entry))]
}

function entryOf(name: string, file: string, entry: { isSymbolicLink(): boolean }): readonly (string | number)[] {
  let target = ''
  if (entry.isSymbolicLink()) {
    try {
      target = disk.realpathSync(file)
    } catch {
      // A broken or circular link: the engine fails only where the file is needed.
      return [name, 'other', '', 'its target does not exist', 0, 0]
    }
  }
  const stat = disk.statSync(file)
  const kind = stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other'
  return [name, kind, target, '', stat.size, Math.floor(stat.mtimeMs)]
}

function receive(engine: GoEngine, message: ToWorker): void {
  switch (message.type) {
    case 'render':
      engine.render(message.request)
      return
    case 'ask':
      engine.ask(message.question)
      return
    case 'parse':
      engine.parse(message.file, message.text)
      return
    case 'looked-up':
      lookups.get(message.id)?.found(message.json)
      lookups.delete(message.id)
      return
    case 'lookup-failed':
      lookups.get(message.id)?.failed(message.message)
      lookups.delete(message.id)
  }
}

function die(last: Extract<FromWorker, { type: 'died' }>): never {
  post(last)
  process.exit(1)
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}

/**
 * The part of `fs` that Go's reading needs, without the event loop: this thread has nothing else to do, and each call
 * is answered within it. Everything that writes is missing.
 */
function readOnlyFiles() {
  const refuse = (...values: unknown[]) => {
    const callback = values.at(-1) as Callback
    callback(Object.assign(new Error('read-only'), { code: 'EPERM' }))
  }
  const answer = (callback: Callback, read: () => unknown) => {
    let result: unknown
    try {
      result = read()
    } catch (error) {
      return callback(error)
    }
    callback(null, result)
  }
  const isReading = (flags: number) =>
    (flags & (disk.constants.O_WRONLY | disk.constants.O_RDWR | disk.constants.O_CREAT | disk.constants.O_TRUNC)) === 0
  const allowed = {
    constants: disk.constants,
    open: (file: string, flags: number, _mode: number, callback: Callback) =>
      isReading(flags) ? answer(callback, () => disk.openSync(file, flags)) : refuse(callback),
    close: (fd: number, callback: Callback) => answer(callback, () => disk.closeSync(fd)),
    read: (fd: number, into: Uint8Array, offset: number, length: number, at: number | null, callback: Callback) =>
      answer(callback, () => disk.readSync(fd, into, offset, length, at)),
    readdir: (folder: string, callback: Callback) => answer(callback, () => disk.readdirSync(folder)),
    readlink: (file: string, callback: Callback) => answer(callback, () => disk.readlinkSync(file)),
    stat: (file: string, callback: Callback) => answer(callback, () => disk.statSync(file)),
    lstat: (file: string, callback: Callback) => answer(callback, () => disk.lstatSync(file)),
    fstat: (fd: number, callback: Callback) => answer(callback, () => disk.fstatSync(fd)),
    write: (_fd: number, bytes: Uint8Array, _offset: number, _length: number, _at: null, callback: Callback) =>
      answer(callback, () => allowed.writeSync(_fd, bytes)),
    writeSync: (_fd: number, bytes: Uint8Array) => {
      if (printed.length < MAX_PRINTED_CHARS) printed += Buffer.from(bytes).toString('utf8')
      return bytes.length
    },
  }
  return new Proxy(allowed, { get: (target, name) => Reflect.get(target, name) ?? refuse })
}
