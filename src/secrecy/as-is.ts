/** How the text of one field passes; a field without a rule is redacted. */
export type Rule =
  /** One of a closed list of ours: never rewritten. */
  | 'word'
  /** The name of a thing: hidden only where it holds a looked-up value (docs/decisions/0044). */
  | 'name'
  /** Made by us or by the workflow's author, such as a hash or the name of the release: never rewritten. */
  | 'fact'
  /** A Kubernetes object, whose keys are foreign. */
  | 'object'
  | { readonly [field: string]: Rule }

/**
 * The texts of a type that print as they are; lists count as their items, a union as one type with the fields of all. Any
 * string that is not named here is redacted, a new one too. The compiler asks for an entry for every closed list of words
 * and every object inside, and refuses one for a field that is not there.
 */
export type AsIs<T> = {
  readonly [Key in KeysOf<T> as Nature<TextsOf<T, Key>> extends 'closed' ? Key : never]: 'word'
} & {
  readonly [Key in KeysOf<T> as Nature<TextsOf<T, Key>> extends 'open' ? Key : never]?: 'name' | 'fact'
} & {
  readonly [Key in KeysOf<T> as Nature<TextsOf<T, Key>> extends 'foreign' ? Key : never]: 'object'
} & {
  readonly [Key in KeysOf<T> as Nature<TextsOf<T, Key>> extends 'own' ? Key : never]: AsIs<
    Exclude<TextsOf<T, Key>, string>
  >
}

type KeysOf<T> = T extends unknown ? keyof T : never

/** The strings and objects that a field may hold, in any member of the union. */
type TextsOf<T, Key> = T extends unknown ? (Key extends keyof T ? TextsIn<T[Key]> : never) : never

type TextsIn<Value> = Value extends readonly (infer Item)[]
  ? TextsIn<Item>
  : Value extends string | object
    ? Value
    : never

type Nature<Text> = [Text] extends [never]
  ? 'none'
  : [Text] extends [string]
    ? string extends Text
      ? 'open'
      : 'closed'
    : string extends keyof Exclude<Text, string>
      ? Exclude<Text, string> extends { readonly [key: string]: string | readonly string[] }
        ? 'open'
        : 'foreign'
      : 'own'
