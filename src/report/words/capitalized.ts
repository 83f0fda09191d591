/** A text of ours that begins a sentence. A name in a code span does not change. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
