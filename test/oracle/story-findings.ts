import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'

/** How summary and log name a status; the log of a failed run says more in its last lines. */
const WORDS: { readonly [status: string]: { readonly summary: RegExp; readonly log: RegExp } } = {
  deployed: { summary: /^### Deployed /m, log: /: deployed,/ },
  'no-changes': { summary: /^### No changes/m, log: /no changes/ },
  'rolled-back': { summary: /^### Rolled back /m, log: /: rolled-back,|: rolled back/ },
  uninstalled: { summary: /^### Uninstalled /m, log: /: uninstalled/ },
  failed: { summary: /^### Failed/m, log: /^::error /m },
  cancelled: { summary: /^### Cancelled/m, log: /cancelled/ },
}

const FINE = new Set(['deployed', 'no-changes', 'rolled-back', 'uninstalled', 'tested', 'planned'])

/** What exit code, outputs, summary and log of one run contradict each other in. A run that was killed tells nothing. */
export function storyFindings(result: ActionResult): readonly string[] {
  const { exitCode, outputs, summary, log } = result
  if (exitCode < 0) return []
  const { status = '' } = outputs
  const words = WORDS[status]
  const isFine = FINE.has(status)
  const findings: string[] = []
  if (isFine !== (exitCode === 0)) findings.push(`exit code ${exitCode} with the output status: ${status}`)
  if (isFine !== (outputs['failure-reason'] === '')) {
    findings.push(`status ${status} with the output failure-reason: ${outputs['failure-reason']}`)
  }
  if (words === undefined) return findings
  if (!words.summary.test(summary)) findings.push(`the summary does not say ${status}: ${firstLine(summary)}`)
  if (!words.log.test(log)) findings.push(`the log does not say ${status}`)
  // The summary and the log shorten `Kind/namespace/name`; the name is in both.
  const resource = outputs['failed-resource']?.split('/').at(-1) ?? ''
  for (const [place, text] of [
    ['summary', summary],
    ['log', log],
  ] as const) {
    if (!text.includes(resource)) findings.push(`the ${place} does not name the failed resource ${resource}`)
  }
  const [stage = ''] = (outputs['failed-stage'] ?? '').split('/')
  if (!firstLine(summary).includes(stage)) findings.push(`the summary does not name the failed stage ${stage}`)
  return findings
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
