import { type Phrase, plainText } from './phrase.ts'

/** A point of a list, with points below it. */
export interface Bullet {
  readonly text: Phrase
  readonly below: readonly Phrase[]
}

/** One line for each point, those below indented; `print`: how a phrase becomes text. */
export function bulletLines(
  bullets: readonly Bullet[],
  print: (text: Phrase) => string = plainText,
): readonly string[] {
  return bullets.flatMap(({ below, text }) => [`- ${print(text)}`, ...below.map((one) => `  - ${print(one)}`)])
}
