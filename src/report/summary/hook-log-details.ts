import type { EventOf } from '../../model/event.ts'
import type { PassResult } from '../../model/pass.ts'
import { formatRef, refKey } from '../../model/ref.ts'
import { code, details, html } from '../markdown/markdown.ts'
import { podBlocks } from '../markdown/pod-blocks.ts'
import { evidenceOf } from '../rows/evidence-of-pass.ts'
import { placesById } from '../rows/plan-places.ts'
import { phrase } from '../words/phrase.ts'

const MAX_HOOKS = 10

/**
 * The logs that `helm.sh/hook-output-log-policy` asks for, folded, one block for each hook. The log of the hook that
 * failed the pass is part of what is known of the failure.
 */
export function hookLogDetails(pass: PassResult, logLines: number): readonly string[] {
  if (pass.plan === undefined) return []
  const places = placesById(pass.plan)
  const evidence = evidenceOf(pass)
  const shown = evidence === undefined ? undefined : refKey(evidence.ref)
  const blocks = pass.events
    .filter((event) => event.type === 'hook-logs')
    .flatMap((event) => {
      const operation = places.get(event.id)?.operation
      if (operation === undefined || refKey(operation.ref) === shown) return []
      const title = html(phrase`Log of ${formatRef(operation.ref)} (${operation.hook ?? 'hook'})`)
      return [details(title, blocksOf(event, logLines).join('\n\n'))]
    })
  const left = blocks.length - MAX_HOOKS
  return left > 0 ? [...blocks.slice(0, MAX_HOOKS), `The logs of ${left} more hooks are in the log.`] : blocks
}

function blocksOf({ pods, missing }: EventOf<'hook-logs'>, logLines: number): readonly string[] {
  const unread = missing.length === 0 ? [] : [`Not read: ${missing.slice(0, 5).map(code).join(', ')}`]
  return [...podBlocks(pods, logLines), ...unread]
}
