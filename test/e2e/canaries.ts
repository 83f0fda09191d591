import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'

/** A text that nothing else contains. */
export function canary(place: string): string {
  return `canary-${place}-${randomBytes(6).toString('hex')}`
}

/** What a run left for people, other steps or its second process to read. */
export interface Left {
  readonly result: ActionResult
  /** Bodies of all comments. */
  readonly comments: readonly string[]
  /** The runner's temporary folder. */
  readonly temporary: string
}

/** Where a secret value turns up in any form, as `log: password (base64)`. */
export async function findings(left: Left, secrets: { readonly [name: string]: string }): Promise<readonly string[]> {
  const texts = await textsOf(left)
  return Object.entries(secrets).flatMap(([name, value]) =>
    [...formsOf(value)].flatMap(([form, text]) =>
      [...texts].filter(([, content]) => content.includes(text)).map(([where]) => `${where}: ${name} (${form})`),
    ),
  )
}

async function textsOf({ result, comments, temporary }: Left): Promise<ReadonlyMap<string, string>> {
  const { log, summary, outputs, state } = result
  const files = await filesBelow(temporary)
  return new Map([
    // The runner takes its masks out of the log, and what they name.
    ['log', log.replace(/^::add-mask::.*$/gm, '')],
    ['summary', summary],
    ['outputs', Object.values(outputs).join('\n')],
    ['state', Object.values(state).join('\n')],
    ['comments', comments.join('\n')],
    ...(await Promise.all(files.map(async (file) => [file, await readFile(join(temporary, file), 'utf8')] as const))),
  ])
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
}

/** Each form by its name; forms that are as long as ordinary words would prove nothing. */
function formsOf(value: string): ReadonlyMap<string, string> {
  const json = JSON.stringify(value).slice(1, -1)
  const forms: readonly (readonly [string, string])[] = [
    ['plain', value],
    ['base64', base64(value)],
    ['base64url', base64(value).replaceAll('+', '-').replaceAll('/', '_')],
    ['URL-escaped', encodeURIComponent(value)],
    ['JSON', json],
    ['JSON of Go', json.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)],
    ...value.split('\n').map((line, index) => [`line ${index + 1}`, line.trim()] as const),
  ]
  return new Map(forms.filter(([, text]) => text.length >= 6 && !text.startsWith('-----')))
}

/** What does not depend on the characters behind the value. */
function base64(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.toString('base64').slice(0, Math.floor((bytes.length * 4) / 3))
}
