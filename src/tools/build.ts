import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildEngine, installEngine, LICENSES_FILE } from './builds/engine-build.ts'
import { BUNDLE_FILE, entryText } from './builds/entry.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..')
/** Largest bundle, in bytes: it is loaded at each start of the action. */
const MAX_BUNDLE_BYTES = 2.75 * 1024 * 1024

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2))

/** `npm run build` writes `dist/`; with `--check` it builds elsewhere and compares byte for byte. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--check')) {
    const differing = await differingFiles()
    if (differing.length === 0) return
    process.stderr.write(
      `dist/ is not what the sources give: ${differing.join(', ')}. Run npm run build and commit dist/.\n`,
    )
    process.exitCode = 1
    return
  }
  await buildInto(ROOT, join(ROOT, 'dist'))
}

/** tsc emits, ncc bundles what it emitted, and the engine and the file that starts it are laid beside it. */
async function buildInto(root: string, dist: string): Promise<void> {
  const bin = join(root, 'node_modules', '.bin')
  const emitted = join(root, 'build', 'action')
  await rm(emitted, { recursive: true, force: true })
  const engine = await buildEngine()
  await run(join(bin, 'tsc'), ['-p', join(root, 'tsconfig.build.json'), '--outDir', emitted], { cwd: root })
  const bundled = join(root, 'build', 'dist')
  await rm(bundled, { recursive: true, force: true })
  const entry = join(emitted, 'src', 'main.js')
  const args = ['build', entry, '-o', bundled, '-m', '--no-cache', '--license', 'licenses.txt']
  await run(join(bin, 'ncc'), args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  await installEngine(bundled)
  const licenses = join(bundled, 'licenses.txt')
  const notices = [await readFile(licenses, 'utf8'), await readFile(join(engine, LICENSES_FILE), 'utf8')]
  await writeFile(licenses, notices.join('\n'))
  await rename(join(bundled, 'index.js'), join(bundled, BUNDLE_FILE))
  await writeFile(join(bundled, 'index.js'), entryText)
  const { size } = await stat(join(bundled, BUNDLE_FILE))
  if (size > MAX_BUNDLE_BYTES)
    throw new Error(`dist/${BUNDLE_FILE} takes ${size} bytes, at most ${MAX_BUNDLE_BYTES} are allowed`)
  await rm(dist, { recursive: true, force: true })
  // Not a renaming: the two may lie on different file systems.
  await cp(bundled, dist, { recursive: true })
  await rm(bundled, { recursive: true })
}

/** Files of `dist/` that the sources give otherwise. */
async function differingFiles(): Promise<readonly string[]> {
  const fresh = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-build-'))
  try {
    await buildInto(ROOT, join(fresh, 'dist'))
    const names = new Set([...(await readdir(join(ROOT, 'dist'))), ...(await readdir(join(fresh, 'dist')))])
    const same = await Promise.all(
      [...names].map(async (name) => {
        const [ours, theirs] = await Promise.all(
          [ROOT, fresh].map((root) => readFile(join(root, 'dist', name)).catch(() => undefined)),
        )
        return ours !== undefined && theirs !== undefined && ours.equals(theirs) ? [] : [name]
      }),
    )
    return same.flat().sort()
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
