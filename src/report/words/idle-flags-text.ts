/** `input helm-args: --debug changes nothing here: the log says what is done; ...`, each reason once. */
export function idleFlagsText(flags: readonly { readonly flag: string; readonly why: string }[]): string {
  const byReason = Map.groupBy(flags, ({ why }) => why)
  const texts = [...byReason].map(([why, same]) => `${same.map(({ flag }) => flag).join(', ')} (${why})`)
  return `input helm-args: these flags change nothing here: ${texts.join('; ')}`
}
