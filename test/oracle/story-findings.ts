import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'

/** How a heading of the summary begins that tells this status of a release. */
const HEADINGS: { readonly [status: string]: RegExp } = {
  planned: /^### (Plan|Planned|No changes)/m,
  deployed: /^### Deployed/m,
  'no-changes': /^### No changes/m,
  'rolled-back': /^### Rolled back/m,
  'taken-down': /^### Taken down/m,
  uninstalled: /^### Uninstalled/m,
  tested: /^### Tested/m,
  failed: /^### (Failed|Not deployed|Plan blocked|Blocked)/m,
  cancelled: /^### Cancelled/m,
}

/** What can be the end of a run that failed: what undoes it, where inputs ask for it. */
const MAY_HAVE_FAILED = new Set(['failed', 'cancelled', 'rolled-back', 'taken-down'])

/** What exit code, outputs, summary and log of one run contradict each other in. A run that was killed tells nothing. */
export function storyFindings({ exitCode, outputs, summary, log }: ActionResult): readonly string[] {
  if (exitCode < 0) return []
  const { status = '' } = outputs
  const reason = outputs['failure-reason'] ?? ''
  const hasFailed = exitCode !== 0 && !failsOnChanges({ outputs, log })
  const findings: string[] = []
  if (hasFailed ? !MAY_HAVE_FAILED.has(status) : status === 'failed' || status === 'cancelled') {
    findings.push(`exit code ${exitCode} with the output status: ${status}`)
  }
  if (hasFailed !== (reason !== '')) findings.push(`exit code ${exitCode} with the output failure-reason: ${reason}`)
  if (hasFailed && !/^::error /m.test(log)) findings.push('the log shows no error')
  const headings = summary.match(/^### .*$/gm)?.join('\n') ?? ''
  if (HEADINGS[status]?.test(headings) === false) findings.push(`the summary does not say ${status}: ${headings}`)
  // The summary and the log shorten `Kind/namespace/name`; the name is in both.
  const resource = outputs['failed-resource']?.split('/').at(-1) ?? ''
  for (const [place, text] of [
    ['summary', summary],
    ['log', log],
  ] as const) {
    if (!text.includes(resource)) findings.push(`the ${place} does not name the failed resource ${resource}`)
  }
  const [stage = ''] = (outputs['failed-stage'] ?? '').split('/')
  if (!headings.includes(stage)) findings.push(`the summary does not name the failed stage ${stage}`)
  return findings
}

/** The plan itself went well; the step fails because somebody wants to know of changes. */
function failsOnChanges({ outputs, log }: Pick<ActionResult, 'outputs' | 'log'>): boolean {
  return outputs.status === 'planned' && outputs.changed === 'true' && /^::error::the plan has changes/m.test(log)
}
