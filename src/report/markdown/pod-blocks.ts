import type { PodEvidence } from '../../model/evidence.ts'
import { containerPhrase, logTitle } from '../words/evidence-text.ts'
import { withoutColours } from '../words/printable.ts'
import { code, fence, markdown } from './markdown.ts'

/** The pods of a hook that is tried again print the same again: a log is shown once. */
export function podBlocks(pods: readonly PodEvidence[], logLines: number): readonly string[] {
  const shown = new Map<string, string>()
  return pods.map((pod) => {
    const containers = pod.containers.flatMap((container) => {
      const tail = container.logTail.slice(-logLines)
      const head = `- ${markdown(containerPhrase(container))}`
      if (tail.length === 0) return [head]
      const known = shown.get(tail.join('\n'))
      if (known !== undefined) return [`${head}; its log is that of ${code(known)}`]
      shown.set(tail.join('\n'), pod.name)
      return [`${head}; ${logTitle({ ...container, logTail: tail })}:`, '', fence(tail.map(withoutColours), 'text'), '']
    })
    return [`Pod ${code(pod.name)}, phase ${code(pod.phase)}`, '', ...containers].join('\n').trimEnd()
  })
}
