import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Go } from './toolchain.ts'

interface LinkedModule {
  readonly module: string
  readonly folders: ReadonlySet<string>
}

/** The licence and notice files of Go itself and of every module whose packages are linked into the engine. */
export async function engineLicenses(go: Go): Promise<string> {
  const sections = [`Go runtime, standard library and wasm_exec.js\n\n${await noticesIn([await go.root()])}`]
  for (const { module, folders } of await linkedModules(go)) {
    sections.push(`${module}\n\n${await noticesIn([...folders])}`)
  }
  return sections.join(`\n${'-'.repeat(80)}\n\n`)
}

async function linkedModules(go: Go): Promise<readonly LinkedModule[]> {
  const format = '{{with .Module}}{{if not .Replace}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}\t{{.Dir}}'
  const text = await go.run(['list', '-deps', '-f', format, '.'], { GOOS: 'js', GOARCH: 'wasm' })
  const modules = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const [module, root, folder] = line.split('\t')
    // The standard library has no module; the engine itself has no version.
    if (module === undefined || root === undefined || folder === undefined || !/ v/.test(module)) continue
    const folders = modules.get(module) ?? new Set([root])
    modules.set(module, folders.add(folder))
  }
  return [...modules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([module, folders]) => ({ module, folders }))
}

async function noticesIn(folders: readonly string[]): Promise<string> {
  const texts = new Set<string>()
  for (const folder of folders) {
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying|patents)/i.test(file)).sort()
    for (const file of files) {
      if (!file.endsWith('.go')) texts.add((await readFile(join(folder, file), 'utf8')).trim())
    }
  }
  if (texts.size === 0) throw new Error(`no licence file in ${folders[0]}`)
  return `${[...texts].join('\n\n')}\n`
}
