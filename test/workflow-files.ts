import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name))].filter((path) =>
  path.endsWith('.md'),
)

export interface WorkflowFile {
  /** Where it is; of a job of a page, with its number behind a colon. */
  readonly path: string
  readonly text: string
}

/** The workflows of this repository and those that its users copy. */
export function workflowFiles(): readonly WorkflowFile[] {
  return ['.github/workflows', 'examples/workflows'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => {
      const path = join(folder, name)
      return { path, text: readFileSync(join(ROOT, path), 'utf8') }
    }),
  )
}

/** YAML of the pages that uses the action, as it stands there. */
export function pageBlocks(): readonly WorkflowFile[] {
  return PAGES.flatMap((path) =>
    Array.from(readFileSync(join(ROOT, path), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```/gm), ([, text = '']) => text)
      .filter((text) => text.includes('uses: staged-helm-deploy/'))
      .map((text, index) => ({ path: `${path}:${index + 1}`, text })),
  )
}

/** Workflows that are whole, or become so under `jobs:`. */
export function pageWorkflows(): readonly WorkflowFile[] {
  return pageBlocks().flatMap(({ path, text }) => {
    if (/^jobs:/m.test(text)) return /^\s*# \.\.\.$/m.test(text) ? [] : [{ path, text }]
    if (!/^\w+:\n {2}runs-on:/m.test(text)) return []
    const job = text.replace(/^(?=.)/gm, '  ')
    return [{ path, text: `on: push\npermissions: {}\njobs:\n${job}` }]
  })
}
