/**
 * Splits a stream into lines, as many at a time as have arrived. A longer line is cut at the limit, so that foreign text
 * cannot fill the memory; `\r` before the end of a line is dropped. The last line may lack its end.
 */
export async function* streamLines(
  body: AsyncIterable<Uint8Array>,
  limitChars: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let isCut = false

  const keep = (text: string) => {
    if (isCut) return
    rest += text
    if (rest.length <= limitChars) return
    rest = rest.slice(0, limitChars)
    isCut = true
  }
  const finish = () => {
    const line = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    rest = ''
    isCut = false
    return line
  }

  for await (const chunk of body) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n')
    const last = pieces.pop() ?? ''
    const lines = pieces.map((piece) => {
      keep(piece)
      return finish()
    })
    keep(last)
    if (lines.length > 0) yield lines
  }
  keep(decoder.decode())
  if (rest !== '') yield [finish()]
}
