import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { BUNDLE_FILE, entryText, LOWEST_NODE } from '../../../src/tools/builds/entry.ts'

const run = promisify(execFile)

/** Starts the entry beside a bundle whose syntax Node 16 does not know. */
async function started(
  node: string,
  options: { readonly flags?: readonly string[]; readonly isModule?: boolean } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-entry-'))
  if (options.isModule !== false) await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'index.js'), entryText)
  await writeFile(join(folder, BUNDLE_FILE), `await using nothing = null\nconsole.log('loaded')\n`)
  return run(node, [...(options.flags ?? []), join(folder, 'index.js')], { env: {} }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const refusal = (version: string) =>
  expect.stringMatching(
    new RegExp(
      `^::error::Staged Helm Deploy needs Node ${LOWEST_NODE}, and was started with Node ${version}: [^\\n]+\\n$`,
    ),
  )

test('the entry loads the bundle on this Node', async () => {
  expect(await started(process.execPath)).toEqual({ code: 0, stdout: 'loaded\n', stderr: '' })
})

test.each(['20.20.2', '16.20.2', '12.13.0', '9.9.9'])(
  'on Node %s it says one sentence and loads nothing',
  async (version) => {
    const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]
    expect(await started(process.execPath, { flags })).toEqual({ code: 1, stdout: refusal(version), stderr: '' })
  },
)

/** A Node on the machine that is older than ours. */
async function olderNode(): Promise<{ readonly path: string; readonly version: string } | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'node')
    const version = await run(path, ['--version']).then(
      ({ stdout }) => stdout.trim().slice(1),
      () => undefined, // None there.
    )
    if (version !== undefined && Number.parseInt(version, 10) < LOWEST_NODE) return { path, version }
  }
  return undefined
}

const older = await olderNode()
test.skipIf(older === undefined)(
  'on an older Node of this machine, as a module and as a script (skipped: there is none)',
  async () => {
    const { path = '', version = '' } = older ?? {}
    for (const isModule of [true, false]) {
      expect(await started(path, { isModule })).toEqual({ code: 1, stdout: refusal(version), stderr: '' })
    }
  },
)

test('the entry has no syntax newer than import()', () => {
  expect(entryText).not.toMatch(/=>|`|\?\.|\?\?|\b(?:const|let|class|async|await|export)\b|import [^(]|#/)
})

test('the version is the one that action.yml and package.json name', async () => {
  const read = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')
  expect(await read('action.yml')).toContain(`using: node${LOWEST_NODE}\n`)
  expect(JSON.parse(await read('package.json')).engines.node).toBe(`>=${LOWEST_NODE}`)
})
