import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureBinary } from '../src/tools/builds/binaries.ts'
import { pageWorkflows, type WorkflowFile, workflowFiles } from './workflow-files.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** This release of actionlint does not know the runtime yet. */
const IGNORED = 'invalid runner name "node24"'
/** Labels of runners that only their owners know. */
const LABELS = 'self-hosted-runner: { labels: [deploy-runners] }\n'

let project = ''
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-actionlint-'))
  mkdirSync(join(project, '.github', 'workflows'), { recursive: true })
  mkdirSync(join(project, '.git'))
  mkdirSync(join(project, 'dist'))
  writeFileSync(join(project, 'dist', 'index.js'), '')
  copyFileSync(join(ROOT, 'action.yml'), join(project, 'action.yml'))
  writeFileSync(join(project, '.github', 'actionlint.yaml'), LABELS)
})
afterEach(() => rmSync(project, { recursive: true }))

test('actionlint finds nothing in the workflows and in those of the pages, inputs and outputs of the action included', async () => {
  const pages = pageWorkflows()
  expect(pages.filter(({ path }) => path.startsWith('docs/clusters.md'))).toHaveLength(7)
  expect(await lint([...workflowFiles(), ...pages])).toBe('')
})

test('actionlint finds an input and an output that the action does not have', async () => {
  const [approval] = workflowFiles().filter(({ path }) => path.endsWith('approval.yml'))
  const text = `${approval?.text}      - run: "true"\n        if: steps.none.outputs.x == ''\n`
  const found = await lint([{ path: 'a.yml', text: text.replace('label: production', 'lable: production') }])
  expect(found).toContain('input "lable" is not defined in action')
  expect(found).toContain('property "none" is not defined')
})

/** What actionlint says of these workflows, with the action taken from this repository. */
async function lint(files: readonly WorkflowFile[]): Promise<string> {
  const paths = files.map(({ path, text }) => {
    const name = join('.github', 'workflows', `${path.replace(/[^\w.]/g, '-')}.yml`)
    writeFileSync(join(project, name), text.replaceAll(/staged-helm-deploy\/staged-helm-deploy@\S+/g, './'))
    return name
  })
  // Whether the machine has the linters of scripts must not matter.
  const args = ['-no-color', '-shellcheck=', '-pyflakes=', '-ignore', IGNORED, ...paths]
  return promisify(execFile)(await ensureBinary('actionlint'), args, { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
  )
}
