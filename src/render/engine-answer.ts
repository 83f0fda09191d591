import { isJsonObject, type JsonValue, numberAt } from '../model/object.ts'
import type { EngineAnswer, PackedAnswer } from './protocol.ts'

/** The engine's answer: JSON in which `{"textIndex": 3}` is replaced by the fourth of the texts that come with it. */
export function unpackAnswer<Result>({ header, texts }: PackedAnswer): EngineAnswer<Result> {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
  const { sizes } = JSON.parse(header) as { readonly sizes: readonly number[] }
  let end = 0
  return withTextsInPlace(
    header,
    sizes.map((size) => {
      const start = end
      end += size
      return bytes.toString('utf8', start, end)
    }),
  )
}

/** Objects of charts come as texts only, so that none of their keys can be taken for `textIndex`. */
export function withTextsInPlace<Result>(header: string, texts: readonly string[]): EngineAnswer<Result> {
  return JSON.parse(header, (_key, value: JsonValue) => {
    const index = isJsonObject(value) ? numberAt(value, 'textIndex') : undefined
    return index === undefined ? value : texts[index]
  }) as EngineAnswer<Result>
}
