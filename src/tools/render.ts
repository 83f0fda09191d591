import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '../model/errors.ts'
import { type Engine, startEngine } from '../render/engine.ts'
import type { EngineRequest, EngineResult } from '../render/protocol.ts'
import { buildEngine } from './builds/engine-build.ts'

const USAGE = `usage: npm run -s render -- CHART [--release NAME] [--namespace NS] [--values FILE]... [--set K=V]...
  [--set-string K=V]... [--set-json K=V]... [--set-file K=V]... [--set-literal K=V]...
  [--kube-version V] [--api-versions V]... [--include-crds] [--is-upgrade]`

export interface TemplateRequest {
  readonly request: EngineRequest
  readonly includeCrds: boolean
}

/** What `helm template` of the engine's version prints with the same flags. */
export async function renderText(engine: Engine, args: readonly string[]): Promise<string> {
  const { request, includeCrds } = await parseTemplateArgs(args)
  return printed(await engine.render(request), includeCrds)
}

/** Helm's `template` command, as arguments. */
export async function parseTemplateArgs(args: readonly string[]): Promise<TemplateRequest> {
  const many = { type: 'string', multiple: true, default: [] as string[] } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      release: { type: 'string', default: 'release-name' },
      namespace: { type: 'string', default: 'default' },
      values: many,
      set: many,
      'set-string': many,
      'set-json': many,
      'set-file': many,
      'set-literal': many,
      'kube-version': { type: 'string', default: '' },
      'api-versions': many,
      'include-crds': { type: 'boolean', default: false },
      'is-upgrade': { type: 'boolean', default: false },
    },
  })
  const [chartPath] = positionals
  if (chartPath === undefined || positionals.length > 1) throw new Error(`exactly one CHART is needed\n${USAGE}`)
  const files = values.values.flatMap((list) => list.split(','))
  return {
    includeCrds: values['include-crds'],
    request: {
      chartPath,
      release: values.release,
      namespace: values.namespace,
      revision: 1,
      isUpgrade: values['is-upgrade'],
      values: {
        files: await Promise.all(files.map(async (label) => ({ label, text: await readFile(label, 'utf8') }))),
        set: values.set,
        setString: values['set-string'],
        setJson: values['set-json'],
        setFile: values['set-file'],
        setLiteral: values['set-literal'],
      },
      dependencies: [],
      kubeVersion: values['kube-version'],
      apiVersions: [],
      extraApiVersions: values['api-versions'].flatMap((list) => list.split(',')),
      hasLookup: false,
    },
  }
}

/** Source: Helm v4.3.1, pkg/cmd, template.go; pkg/action, action.go, renderResources. */
export function printed(result: EngineResult, includeCrds: boolean): string {
  const crds = includeCrds ? (result.crdFiles ?? []) : []
  const manifest = crds.map(({ file, text }) => block(file, text)).join('') + result.manifest
  const hooks = (result.hooks ?? []).map((hook) => block(hook.path, hook.manifest)).join('')
  return `${manifest.replace(GO_SPACE_AROUND, '')}\n${hooks}`
}

function block(file: string, text: string): string {
  return `---\n# Source: ${file}\n${text}\n`
}

/** What Go's strings.TrimSpace cuts off; JavaScript's trim differs (U+0085, U+FEFF). */
const GO_SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
const GO_SPACE_AROUND = new RegExp(`^${GO_SPACE}|${GO_SPACE}$`, 'g')

if (import.meta.main) {
  const engine = startEngine({ folder: await buildEngine() })
  try {
    process.stdout.write(await renderText(engine, process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n`)
    process.exitCode = 1
  } finally {
    await engine.close()
  }
}
