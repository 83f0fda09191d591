import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workspaceFiles } from '../../src/host/workspace-files.ts'
import { readInputs, type Settings } from '../../src/inputs/inputs.ts'
import type { JsonObject } from '../../src/model/object.ts'
import type { ChartSources, Renderer } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { rendererForTests } from '../render/fixtures.ts'
import { type CommandLine, commandLines } from './command-lines.ts'
import { defaults, type Inputs } from './defaults.ts'

/** Prints everything that a flag can change in a render. */
const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
  labels: { upgrade: {{ .Release.IsUpgrade | quote }}, kube: {{ .Capabilities.KubeVersion.Version | quote }} }
data:
  monitored: {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" | quote }}
  values: {{ .Values | toJson | quote }}
`
const chartFiles = (name: string) => ({
  'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.2.3\n`,
  'values.yaml': 'image: { repository: web, tag: latest }\nreplicaCount: 1\nsidecar: { enabled: true }\n',
  'templates/config.yaml': CONFIG,
  'crds/shelf.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: a.b }\n',
})
const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{ name: a, cluster: { server: 'https://cluster.invalid' } }]
users: [{ name: a, user: { token: t } }]
contexts: [{ name: prod, context: { cluster: a, user: a } }]
current-context: prod
`
const WORKSPACE: Readonly<Record<string, string>> = {
  ...inFolder('charts/web', chartFiles('web')),
  ...inFolder('deploy/helm/api', chartFiles('api')),
  'values.yaml': 'image: { tag: "1.0.0" }\nhosts: [shop.example]\n',
  'values-prod.yaml': 'replicaCount: 5\nhosts: [prod.example]\n',
  'config/app.conf': 'mode = "eu"\nlist = a,b\n',
  'keys/public.gpg': 'read by the engine alone',
  kubeconfig: KUBECONFIG,
  'no-releases.yaml': '[]',
}
const REPOSITORIES: Readonly<Record<string, string>> = {
  bitnami: 'https://charts.bitnami.com/bitnami',
  'prometheus-community': 'https://prometheus-community.github.io/helm-charts',
}

let workspace: string
let renderer: Renderer
let programs: string
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'command-lines-'))
  for (const [name, text] of Object.entries(WORKSPACE)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true })
    await writeFile(join(workspace, name), text)
  }
  programs = dirname(await ensureBinary('helm4'))
  await shell('helm package charts/web --destination charts')
  renderer = await rendererForTests()
})
afterAll(async () => {
  await renderer.close()
  await rm(workspace, { recursive: true, force: true })
})

const isLocal = ({ inputs }: CommandLine) => /^(\.\/)?(charts|deploy)\//.test(inputs.chart ?? '')
const accepted = commandLines.filter(({ refused }) => refused === undefined)

test('there are at least 60 command lines, and most of them can be replaced', () => {
  expect(commandLines.length).toBeGreaterThanOrEqual(60)
  expect(accepted.length / commandLines.length).toBeGreaterThan(0.8)
  expect(accepted.filter(isLocal).length).toBeGreaterThan(35)
})

describe('the flags of a command line', () => {
  test.each(accepted)('say the same as inputs: $line', async (command) => {
    const { release = '', chart = '' } = command.inputs
    const flags = await settingsOf({ release, chart, 'helm-args': flagsOf(command) })
    expect(flags).toEqual(await settingsOf(command.inputs))
  })

  test.each(commandLines.filter(({ refused }) => refused !== undefined))('are refused: $line', async (command) => {
    const { problems } = await read({ ...command.inputs, release: 'web', 'helm-args': flagsOf(command) })
    const texts = problems.map(({ place, what, hint }) => `input ${place.input}: ${what}: ${hint && hintText(hint)}`)
    expect(texts[0]).toContain(`input helm-args: ${command.refused}`)
    expect(texts.join()).not.toContain('hunter2')
  })
})

describe('the inputs of a command line', () => {
  test.each(accepted.filter(isLocal))('render as helm does: $line', async ({ line, inputs }) => {
    expect(await rendered(await settingsOf(inputs))).toEqual(await renderedByHelm(line))
  })
})

/** Without the program, its command and the names of release and chart. */
function flagsOf({ line, inputs }: CommandLine): string {
  const words = [
    'helm',
    /\b(upgrade|install|template)\b/.exec(line)?.[1] ?? '',
    inputs.release ?? '',
    inputs.chart ?? '',
  ]
  return words
    .filter((word) => word !== '')
    .reduce(
      (text, word) => {
        const at = ` ${text} `.indexOf(` ${word} `)
        if (at === -1) throw new Error(`${line} has no word ${word}`)
        return `${text.slice(0, at)} ${text.slice(at + word.length)}`
      },
      line.replaceAll(/[ \t]+/g, ' '),
    )
}

async function read(inputs: Inputs) {
  const given = { ...defaults, ...inputs }
  return readInputs((name) => given[name] ?? '', {
    files: workspaceFiles(workspace),
    renderer,
    openSources: () => everySource,
  })
}

async function settingsOf(inputs: Inputs): Promise<Settings> {
  const { settings, problems } = await read(inputs)
  expect(problems).toEqual([])
  if (settings === undefined) throw new Error('there are no settings')
  return settings
}

/** Has every chart; what was asked for is its source. */
const everySource: ChartSources = {
  isLockRequired: false,
  fetch: async (chart) => ({
    path: '/fetched.tgz',
    name: 'fetched',
    version: '1.0.0',
    source: JSON.stringify(chart),
    digest: `sha256:${'0'.repeat(64)}`,
  }),
  dependencies: async () => ({ dependencies: [], notices: [] }),
  addressOf: async (name) => REPOSITORIES[name],
  text: async (url) => `source: ${url}\n`,
}

async function rendered(settings: Settings) {
  const [spec] = settings.releases
  if (spec?.source.kind !== 'chart') throw new Error('there is no chart')
  const { path, values } = spec.source
  const { record } = await renderer.render({
    chartPath: path,
    release: spec.release,
    namespace: spec.namespace ?? 'default',
    revision: 1,
    isUpgrade: false,
    values,
    apiVersions: settings.apiVersions,
    ...(settings.kubeVersion !== undefined && { kubeVersion: settings.kubeVersion }),
  })
  return { manifest: record.manifest.trim(), config: record.config }
}

/** Runs the line itself, by a shell, with a first install in memory instead of a cluster. */
async function renderedByHelm(line: string) {
  if (line.startsWith('helm template')) {
    // Prints no values: those of the ConfigMap say enough.
    const manifest = await shell(line)
    return { manifest: manifest.trim(), config: expect.anything() }
  }
  const install = line.includes('install') || line.includes(' -i ') ? '' : '--install'
  const release = JSON.parse(await shell(`${line} ${install} --dry-run=client -o json`)) as {
    readonly manifest: string
    readonly config?: JsonObject
  }
  return { manifest: release.manifest.trim(), config: release.config ?? {} }
}

async function shell(line: string): Promise<string> {
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: '/nonexistent',
    TZ: 'UTC',
    HELM_DRIVER: 'memory',
    HELM_MEMORY_DRIVER_DATA: join(workspace, 'no-releases.yaml'),
    KUBECONFIG: join(workspace, 'kubeconfig'),
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env, cwd: workspace })
  return stdout
}

function inFolder(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}
