import { stringifyJson } from '../model/json.ts'
import { stringAt } from '../model/object.ts'
import type { ReleaseRecord } from '../model/release.ts'
import type { Rendered, RenderedDocument } from '../model/rendered.ts'
import { releaseHooksOf } from './stored-hook.ts'

/** Marks a record whose release holds plain manifests: their annotations are read by KOTS' rules, also on rollback. */
const PLAIN = 'staged-helm-deploy.dev/plain-manifests'

/** Plain manifests as if a chart had rendered them, so that they get a release record that Helm can read. */
export function renderedPlain(release: string, given: readonly RenderedDocument[]): Rendered {
  const documents = given.map((document) => withOwnText(document, given))
  const metadata = { apiVersion: 'v2', name: release, version: '0.0.0', annotations: { [PLAIN]: 'true' } }
  const manifest = documents
    .filter((document) => releaseHooksOf(document).length === 0)
    .map(({ file, text }) => `---\n# Source: ${file}\n${withLastLineEnd(text)}`)
    .join('')
  return {
    documents,
    crds: [],
    notes: '',
    chart: { name: metadata.name, version: metadata.version },
    record: { chart: { metadata }, config: {}, manifest, hooks: documents.flatMap(releaseHooksOf) },
    warnings: [],
  }
}

/** As the text was read: one more line end would be part of a text that keeps those at its end. */
function withLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Items of one List share its text; each gets its own, as JSON, which is YAML. */
function withOwnText(document: RenderedDocument, all: readonly RenderedDocument[]): RenderedDocument {
  const { file, line, object } = document
  const isShared = all.some((other) => other !== document && other.file === file && other.line === line)
  return isShared ? { ...document, text: stringifyJson(object) } : document
}

export function isPlainRecord(record: ReleaseRecord): boolean {
  return stringAt(record.chart, 'metadata', 'annotations', PLAIN) === 'true'
}
