import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'
import { test } from '../cluster/fixture.ts'
import { live } from './life.ts'

const FILES = join(import.meta.dirname, '..', 'host', 'sops')
/** Values of the encrypted file, in its Secret, outside of any Secret and in a message of the chart. */
const SECRETS = ['correct-horse-battery-1', 'deep-secret-value', 'eu-west-1']

async function workspaceOf(template: string): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'workspace-'))
  await mkdir(join(workspace, 'shop', 'templates'), { recursive: true })
  await mkdir(join(workspace, 'values'))
  await writeFile(join(workspace, 'shop', 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n')
  await writeFile(join(workspace, 'shop', 'templates', 'all.yaml'), template)
  await writeFile(join(workspace, 'values', 'base.yaml'), 'greeting: hello\n')
  await cp(join(FILES, 'all.yaml'), join(workspace, 'values', 'prod.secrets.yaml'))
  return workspace
}

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data:
  region: {{ .Values.region }}
  greeting: {{ .Values.greeting }}
  nested: {{ (index .Values.list 2).nested }}
  password: {{ .Values.database.password }}
  octal: {{ .Values.octal | quote }}
`

async function leaksOf({ log, outputs, summary }: ActionResult): Promise<readonly string[]> {
  const files = [outputs['plan-path'], outputs['plan-text-path']].filter((path) => path !== undefined && path !== '')
  const plans = await Promise.all(files.map((path) => readFile(path ?? '', 'utf8')))
  // The runner takes its masks from these lines, and does not show them.
  const shown = log.replaceAll(/^::add-mask::.*$/gm, '')
  const all = [shown, summary, JSON.stringify(outputs), ...plans]
  return SECRETS.filter((secret) => all.some((text) => text.includes(secret)))
}

describe.skipIf(inject('cluster').local === undefined).concurrent('a values file of SOPS', () => {
  const inputs = { chart: 'shop', 'values-files': 'values/base.yaml\nsecrets://values/*.secrets.yaml' }
  const env = { SOPS_AGE_KEY_FILE: join(FILES, 'key.txt') }

  test('is deployed, and nothing shows a value of it, in a Secret or not', async ({ namespace, expect }) => {
    const workspace = await workspaceOf(CONFIG)
    const result = await live(namespace, { command: 'deploy', ...inputs }, { workspace, env })
    expect(result.exitCode, result.log).toBe(0)
    const settings = await namespace.api.get(`${namespace.path}/configmaps/settings`)
    expect(at(settings, 'data')).toEqual({
      region: 'eu-west-1',
      greeting: 'hello',
      nested: 'deep-secret-value',
      password: 'correct-horse-battery-1',
      octal: '0644',
    })
    expect(await leaksOf(result)).toEqual([])
  })

  test('is hidden in what a chart complains about', async ({ namespace, expect }) => {
    const workspace = await workspaceOf('{{ fail (printf "no such region: %s" .Values.region) }}')
    const result = await live(namespace, { command: 'plan', ...inputs }, { workspace, env })
    expect(result.outputs['failure-reason']).toBe('render-failed')
    expect(result.log).toContain('no such region: ***')
    expect(await leaksOf(result)).toEqual([])
  })

  test('stops the run with what to add where there is no key', async ({ namespace, expect }) => {
    const workspace = await workspaceOf(CONFIG)
    const result = await live(namespace, { command: 'deploy', ...inputs }, { workspace })
    expect(result.exitCode).toBe(1)
    expect(result.outputs['failure-reason']).toBe('invalid-input')
    expect(result.log).toContain('is encrypted by SOPS, and the job has no sops program')
  })
})
