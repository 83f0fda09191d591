/** Shortest value that becomes a mask of the runner, in characters (docs/decisions/0010). */
const MIN_MASK_CHARS = 8
/** Bits per character below which a text is a word or a pattern. Random hexadecimal of 8 characters has about 2.6. */
const MIN_BITS_PER_CHAR = 2.5

/**
 * Whether a value looks random enough to be given to the runner as a mask. The runner replaces its masks in every line
 * of the job, also inside longer words: an ordinary word among them would make the log unreadable.
 */
export function isWorthMasking(value: string): boolean {
  if (value.length < MIN_MASK_CHARS || /\s/.test(value)) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((letters) => letters.test(value)).length
  return classes >= 2 && bitsPerChar(value) >= MIN_BITS_PER_CHAR
}

/** Shannon's entropy of the characters. */
function bitsPerChar(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / value.length) * Math.log2(count / value.length),
    0,
  )
}
