import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createCluster, type OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { loadConnection } from '../../src/kube/kubeconfig.ts'
import type { Clock } from '../../src/ports.ts'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'

/** The real helm, and our client beside it, on one cluster. */

const run = promisify(execFile)

/** Runs helm in a namespace and gives what it prints. */
export type Helm = (...args: readonly string[]) => Promise<string>

export async function helmOf(version: 'helm3' | 'helm4', kubeconfig: string, namespace: string): Promise<Helm> {
  const binary = await ensureBinary(version)
  return async (...args) => {
    const { stdout } = await run(binary, [...args, '--namespace', namespace, '--kubeconfig', kubeconfig])
    return stdout
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
}

export async function openCluster(kubeconfig: string): Promise<OpenCluster> {
  const connection = await loadConnection({ kubeconfig, env: {}, home: tmpdir(), directory: tmpdir() })
  return createCluster({
    connection,
    clock: systemClock,
    secrets: { add: () => {}, addLookedUp: () => {}, redact: (text) => text, redactNames: (text) => text },
  })
}

/** A chart with all that a record keeps: values, a hook, notes, a file, a subchart's values. */
export async function writeChart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'record-chart-'))
  await mkdir(join(folder, 'templates'))
  const files: { readonly [path: string]: string } = {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: "4.5"\n',
    'values.yaml': 'greeting: hello\nlarge: 9007199254740993\n',
    'README.md': 'A chart <for> tests & nothing else\n',
    'templates/map.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  greeting: {{ .Values.greeting | quote }}\n',
    'templates/hook.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-hook\n  annotations:\n' +
      '    helm.sh/hook: pre-install,pre-upgrade\n    helm.sh/hook-weight: "-5"\n',
    'templates/NOTES.txt': 'Say {{ .Values.greeting }} to <everybody>.\n',
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return folder
}
