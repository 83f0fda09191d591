import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { stringifyJson } from '../../src/model/json.ts'
import { noValues } from '../../src/model/release.ts'
import type { ChartRules, Renderer, RenderRequest } from '../../src/ports.ts'
import { type Engine, startEngine } from '../../src/render/engine.ts'
import { withTextsInPlace } from '../../src/render/engine-answer.ts'
import type { ThreadOptions } from '../../src/render/engine-thread.ts'
import type { EngineAnswer, EngineRequest } from '../../src/render/protocol.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { buildEngine, buildTwin } from '../../src/tools/builds/engine-build.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

export const chartPath = (name: string) => join(import.meta.dirname, 'charts', name)

export async function engineForTests(options: Partial<ThreadOptions> = {}): Promise<Engine> {
  return startEngine({ folder: await buildEngine(), timeZone: 'UTC', ...options })
}

export async function rendererForTests(options: Partial<ThreadOptions> = {}): Promise<Renderer & ChartRules> {
  return startRenderer({ folder: await buildEngine(), timeZone: 'UTC', ...options })
}

export function request(chart: string, changes: Partial<EngineRequest> = {}): EngineRequest {
  return {
    chartPath: chart,
    release: 'demo',
    namespace: 'default',
    revision: 1,
    isUpgrade: false,
    values: noValues,
    dependencies: [],
    kubeVersion: '',
    apiVersions: [],
    extraApiVersions: [],
    hasLookup: false,
    ...changes,
  }
}

/** A chart in a temporary folder; `Chart.yaml` may be left out. */
export async function chartOf(files: Files): Promise<string> {
  const folder = join(await temporaryFolder(), 'demo')
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n', ...files }
  for (const [name, content] of Object.entries(all)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The same engine as a program of this machine. */
export async function callNative(call: object): Promise<EngineAnswer<unknown>> {
  const child = spawn(await buildTwin(), { stdio: ['pipe', 'pipe', 'inherit'], env: { TZ: 'UTC' } })
  child.stdin.end(stringifyJson(call))
  const { header, texts } = JSON.parse(await text(child.stdout)) as { header: string; texts: readonly string[] }
  return withTextsInPlace(header, texts)
}

export interface HelmOutput {
  readonly out: string
  readonly error: string
}

/** The real `helm template` of the engine's version. */
export async function helmTemplate(args: readonly string[]): Promise<HelmOutput> {
  const helm = await ensureBinary('helm4')
  try {
    const { stdout } = await promisify(execFile)(helm, ['template', ...args], {
      env: { KUBECONFIG: '/dev/null', HOME: '/nonexistent', TZ: 'UTC' },
      maxBuffer: 64 * 1024 * 1024,
    })
    return { out: stdout, error: '' }
  } catch (failed) {
    const { stderr } = failed as { readonly stderr: string }
    return { out: '', error: /^Error: ([\s\S]*)$/m.exec(stderr)?.[1]?.trim() ?? stderr }
  }
}

/** What the port is asked for a chart: release `web` in namespace `shop`, for the first time. */
export function renderRequest(chart: string, changes: Partial<RenderRequest> = {}): RenderRequest {
  return {
    chartPath: chart,
    release: 'web',
    namespace: 'shop',
    revision: 1,
    isUpgrade: false,
    values: noValues,
    apiVersions: [],
    ...changes,
  }
}
