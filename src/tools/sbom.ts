import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MODULE =
  '{{with .Module}}{{if not .Main}}{{with .Replace}}{{.Path}} {{.Version}}{{else}}{{.Path}} {{.Version}}{{end}}{{end}}{{end}}'

/** A list of contents in the form of CycloneDX, as far as it is read. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } }
  readonly components: readonly SbomComponent[]
}

export interface SbomComponent {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
}

const run = promisify(execFile)

/** `npm run -s sbom`: what `dist/` is made of, as CycloneDX. Packages come from package-lock.json, modules from what Go links. */
if (process.argv[1] === import.meta.filename) {
  const [packages, modules, { stdout: go }] = await Promise.all([
    run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'], {
      cwd: ROOT,
      maxBuffer: MAX_OUTPUT_BYTES,
    }),
    engineModules(),
    run('go', ['env', 'GOVERSION'], { cwd: join(ROOT, 'src', 'render', 'engine') }),
  ])
  const standard = { name: 'std', version: go.trim().replace(/^go/, '') }
  const sbom = withModules(JSON.parse(packages.stdout) as Sbom, [...modules, standard])
  process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`)
}

interface GoModule {
  readonly name: string
  readonly version: string
}

/** The modules that the engine is linked from. A replacement by a folder of this repository is part of it, and has no version. */
async function engineModules(): Promise<readonly GoModule[]> {
  const { stdout } = await run('go', ['list', '-deps', '-f', MODULE, '.'], {
    cwd: join(ROOT, 'src', 'render', 'engine'),
    env: { ...process.env, GOOS: 'js', GOARCH: 'wasm', GOFLAGS: '-mod=readonly' },
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return goModules(stdout)
}

/** From lines of `path version`, each once, sorted. */
export function goModules(lines: string): readonly GoModule[] {
  return [...new Set(lines.split('\n'))].sort().flatMap((line) => {
    const [name = '', version = ''] = line.split(' ')
    return version === '' ? [] : [{ name, version }]
  })
}

/** The list of npm, under the name of the project whatever its folder is called, with modules of Go. */
export function withModules(sbom: Sbom, modules: readonly GoModule[]): Sbom {
  const added = modules.map(({ name, version }) => {
    const purl = `pkg:golang/${name}@${version}`
    return { 'bom-ref': purl, type: 'library', name, version, purl }
  })
  const component = { ...sbom.metadata.component, name: 'staged-helm-deploy' }
  return { ...sbom, metadata: { ...sbom.metadata, component }, components: [...sbom.components, ...added] }
}
