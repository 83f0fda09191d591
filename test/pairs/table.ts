import type { Verdict } from './verdict.ts'

const HEAD = ['pair', 'helm', 'announced', 'written', 'content', 'second', 'equal'] as const

/** A line per pair and Helm, then what was found and who refuses an upgrade, and the sums. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...verdicts.map(rowOf)]
  const details = verdicts.flatMap((verdict) => {
    const lines = [...findingsIn(verdict), ...refusalsIn(verdict)]
    return lines.length === 0 ? [] : [`\n${verdict.pair}, ${verdict.helm}`, ...lines.map((line) => `  ${cut(line)}`)]
  })
  const sum = (count: (verdict: Verdict) => number) => verdicts.reduce((total, verdict) => total + count(verdict), 0)
  const sums = [
    `${verdicts.length} upgrades`,
    `${sum(({ announced }) => announced)} writes announced`,
    `${sum(({ written }) => written)} written`,
    `${sum((verdict) => findingsIn(verdict).length)} findings`,
  ]
  return [...rows.map((cells) => `| ${cells.join(' | ')} |`), ...details, `\n${sums.join(', ')}`].join('\n')
}

/** Empty where the action did what it had said, and what Helm does. It may refuse what Helm fails at. */
export function findingsIn(verdict: Verdict): readonly string[] {
  const { operations, content, second, equal, helmFailure, refusal } = verdict
  const isComparable = helmFailure === undefined && refusal === undefined
  return [
    ...operations.map((line) => `operations: ${line}`),
    ...content.map((line) => `content: ${line}`),
    ...second.map((line) => `second: ${line}`),
    ...(isComparable ? equal.differences.map((line) => `equal: ${line}`) : []),
    ...(refusal !== undefined && helmFailure === undefined ? ['equal: only Helm upgrades it'] : []),
  ]
}

function refusalsIn({ helmFailure, refusal }: Verdict): readonly string[] {
  return [
    ...(refusal === undefined ? [] : [`refused: ${refusal}`]),
    ...(helmFailure === undefined ? [] : [`helm: ${helmFailure}`]),
  ]
}

function rowOf(verdict: Verdict): readonly string[] {
  const { pair, helm, announced, written, operations, content, second, refusal } = verdict
  const isExact = operations.length === 0
  return [
    pair,
    helm.replace('helm', ''),
    String(announced),
    isExact ? String(written) : `${written}: ${operations.length} otherwise`,
    refusal === undefined ? counted(content) : 'refused',
    refusal === undefined ? (second.length === 0 ? 'nothing' : counted(second)) : 'refused',
    equalIn(verdict),
  ]
}

function equalIn({ equal, helmFailure, refusal }: Verdict): string {
  if (helmFailure !== undefined) return refusal === undefined ? 'Helm fails' : 'both refuse'
  if (refusal !== undefined) return 'only Helm upgrades'
  const aside = equal.tolerated.length === 0 ? '' : `, ${equal.tolerated.join(', ')} aside`
  return equal.differences.length === 0 ? `yes${aside}` : `${equal.differences.length} differ${aside}`
}

function counted(lines: readonly string[]): string {
  return lines.length === 0 ? 'exact' : `${lines.length} otherwise`
}

const MAX_LINE = 400

/** The API server repeats whole pod templates. */
function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} ...` : line
}
