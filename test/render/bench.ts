import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'

/**
 * Prints how long a whole process takes to the first rendered manifest, beside `helm template` of the same chart in the
 * same run. Best of several: the machine may have other work. Run by `node test/render/bench.ts`.
 */
const ROUNDS = 7

const folder = await mkdtemp(join(tmpdir(), 'bench-'))
try {
  const engine = await buildEngine()
  const helm = await ensureBinary('helm4')
  for (const objects of [10, 1000]) {
    const chart = await writeChart(objects)
    const ours = await best(process.execPath, [join(import.meta.dirname, 'bench-child.ts'), engine, chart])
    const theirs = await best(helm, ['template', 'demo', chart])
    process.stdout.write(`${objects} objects: engine ${ours} ms, helm template ${theirs} ms\n`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function best(program: string, args: readonly string[]): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 })
    bestMs = Math.min(bestMs, performance.now() - started)
  }
  return Math.round(bestMs)
}

async function writeChart(objects: number): Promise<string> {
  const chart = join(folder, `chart-${objects}`)
  await mkdir(join(chart, 'templates'), { recursive: true })
  await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  const helpers = '{{ define "labels" }}app.kubernetes.io/instance: {{ .Release.Name | quote }}{{ end }}'
  await writeFile(join(chart, 'templates', '_helpers.tpl'), helpers)
  for (let i = 0; i < objects; i += 1) await writeFile(join(chart, 'templates', `web-${i}.yaml`), deployment(i))
  return chart
}

function deployment(i: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-${i}
  labels:
    {{- include "labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas | default 1 }}
  selector:
    matchLabels:
      {{- include "labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "labels" . | nindent 8 }}
    spec:
      containers:
        - name: main
          image: "example/web:{{ .Chart.Version }}"
          ports: [{containerPort: 8080}]
          resources: {requests: {cpu: 10m, memory: 64Mi}}
`
}
