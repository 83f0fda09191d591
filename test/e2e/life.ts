import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { type ActionResult, type ActionRun, runAction } from '../../src/tools/local/runner/run-action.ts'
import { type AuditEvent, readAudit } from '../cluster/audit.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { storyFindings } from '../oracle/story-findings.ts'

/** One run in the life of a release, with what the API server's audit log holds of its time. */
export interface Chapter extends ActionResult {
  readonly events: readonly AuditEvent[]
}

/** Runs the action in the namespace, for `release: app` unless the inputs name another one. */
export async function live(
  namespace: Namespace,
  inputs: { readonly [name: string]: string },
  run: Omit<ActionRun, 'inputs'> = {},
): Promise<Chapter> {
  const { local } = inject('cluster')
  const since = Date.now()
  const place = { namespace: namespace.name, kubeconfig: namespace.kubeconfig }
  const result = await runAction({ ...run, inputs: { release: 'app', ...place, ...inputs } })
  expect(storyFindings(result), result.log).toEqual([])
  const events = local === undefined ? [] : await readAudit(local.auditLog, { since })
  return { ...result, events }
}

/** A workspace without a file. */
export function emptyWorkspace(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'staged-helm-deploy-empty-'))
}

/** Names of the objects of one kind, `kube-root-ca.crt` left out, sorted. */
export async function namesIn(
  namespace: Namespace,
  groupVersion: string,
  resource: string,
): Promise<readonly string[]> {
  const folder = groupVersion === 'v1' ? namespace.path : namespace.in(groupVersion)
  const items = at(await namespace.api.get(`${folder}/${resource}`), 'items')
  const names = Array.isArray(items) ? items.map((item: Json) => String(at(item, 'metadata', 'name'))) : []
  return names.filter((name) => name !== 'kube-root-ca.crt').sort()
}
