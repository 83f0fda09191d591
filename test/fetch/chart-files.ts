import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Paths below the chart's folder; what is no text is written as JSON, which is YAML. */
export type ChartFiles = Readonly<Record<string, string | object>>

/** Writes a chart, and gives its folder. */
export async function writeChart(folder: string, files: ChartFiles): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`)
  }
  return folder
}

/** A chart that shows in its only object which one it is, and the values that it got. */
export function tellingChart(metadata: ChartMetadata, values: object = {}): ChartFiles {
  return {
    'Chart.yaml': { apiVersion: 'v2', ...metadata },
    'values.yaml': values,
    'templates/told.yaml': TOLD,
  }
}

export interface ChartMetadata {
  readonly name: string
  readonly version: string
  readonly dependencies?: readonly object[]
}

const TOLD = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Name }}
data:
  chart: {{ printf "%s %s" .Chart.Name .Chart.Version | quote }}
  below: {{ keys .Subcharts | sortAlpha | join "," | quote }}
  values: {{ toJson .Values | quote }}
`
