/** The text without these characters at its end. A pattern for that would look from every one of them to the end anew. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
