import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { BUNDLE_FILE } from './builds/entry.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..')
const EMITTED = join(ROOT, 'build', 'action')
const BUNDLED = join(ROOT, 'build', 'stack')

/** `npm run -s stack < FILE`: a stack of `dist/action.js`, as the debug log of an internal error has it, with places in the sources. */
if (process.argv[1] === import.meta.filename) {
  const stack = await text(process.stdin)
  process.stdout.write(withOrigins(stack, await mapsOfBundle()))
}

/** Where a place of the bundle comes from; undefined where no source is known. Lines and columns count from 1. */
type Origin = (line: number, column: number) => string | undefined

/** `file:///.../dist/action.js:7:1234` becomes `src/run/run.ts:20`; everything else stays. */
export function withOrigins(stack: string, originOf: Origin): string {
  return stack.replaceAll(
    /(?:file:\/\/)?[^\s()]*\baction\.js:(\d+):(\d+)/g,
    (place, line: string, column: string) => originOf(Number(line), Number(column)) ?? place,
  )
}

/** Builds the bundle once more, with a source map: shipped with the action it would be three times as large as the bundle. */
async function mapsOfBundle(): Promise<Origin> {
  const bin = join(ROOT, 'node_modules', '.bin')
  await rm(EMITTED, { recursive: true, force: true })
  // Into the folder of `npm run build`: the bundler orders modules by their paths.
  await run(join(bin, 'tsc'), ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', EMITTED, '--sourceMap'], {
    cwd: ROOT,
  })
  const flags = ['-m', '--no-cache', '--license', 'licenses.txt', '--source-map', '--no-source-map-register']
  await run(join(bin, 'ncc'), ['build', join(EMITTED, 'src', 'main.js'), '-o', BUNDLED, ...flags], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  })
  await requireSame()
  const [bundle, emitted] = [await mapOf(join(BUNDLED, 'index.js.map')), new Map<string, SourceMap>()]
  for (const source of bundle.payload.sources) {
    const file = emittedFile(source)
    if (file !== undefined) emitted.set(source, await mapOf(`${file}.map`))
  }
  return (line, column) => {
    const place = bundle.findEntry(line - 1, column - 1)
    if (!('originalSource' in place)) return undefined
    const file = emittedFile(place.originalSource)
    // The bundler keeps lines only, so any column of the line will do.
    const own = emitted.get(place.originalSource)?.findEntry(place.originalLine, Number.MAX_SAFE_INTEGER)
    if (file === undefined || own === undefined || !('originalSource' in own))
      return `${place.originalSource}:${place.originalLine + 1}`
    return `${relative(ROOT, resolve(dirname(file), own.originalSource))}:${own.originalLine + 1}`
  }
}

/** Else the places would be those of another bundle. */
async function requireSame(): Promise<void> {
  const [built, shipped] = await Promise.all(
    [join(BUNDLED, 'index.js'), join(ROOT, 'dist', BUNDLE_FILE)].map((file) => readFile(file, 'utf8')),
  )
  if (built?.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '').trimEnd() === shipped?.trimEnd()) return
  throw new Error('these sources do not give the bundle in dist/: check out the commit that the action was taken from')
}

async function mapOf(file: string): Promise<SourceMap> {
  return new SourceMap(JSON.parse(await readFile(file, 'utf8')))
}

/** What tsc wrote, of a name in the bundle's map; undefined for packages. */
function emittedFile(source: string): string | undefined {
  const own = /(?:^|\/)build\/action\/(.+\.js)$/.exec(source)?.[1]
  return own === undefined ? undefined : join(EMITTED, own)
}
