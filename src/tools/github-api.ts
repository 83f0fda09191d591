import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { jsonField } from '../github/json-field.ts'
import { EXAMPLES } from './local/github/api-description.ts'

const run = promisify(execFile)

/** What the double checks against; `api-description.ts` reads it. */
const FIXTURE = join(import.meta.dirname, 'local', 'github', 'api.json')
/** GitHub's OpenAPI description as an npm package. It takes 385 MB unpacked, so it is no dependency. */
const PACKAGE = '@octokit/openapi'
const DESCRIPTION = 'package/generated/api.github.com.json'

/** The operations that the action uses, and thus the double offers. */
const USED = [
  ['get', '/repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ['post', '/repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ['get', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['patch', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['delete', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['get', '/repos/{owner}/{repo}/pulls'],
  ['get', '/repos/{owner}/{repo}/pulls/{pull_number}'],
  ['get', '/repos/{owner}/{repo}/commits/{commit_sha}/pulls'],
  ['get', '/repos/{owner}/{repo}/compare/{basehead}'],
  ['get', '/repos/{owner}/{repo}/tarball/{ref}'],
  ['get', '/repos/{owner}/{repo}/collaborators/{username}/permission'],
  ['get', '/user'],
] as const

/** What nothing is checked by. */
const PROSE = new Set(['title', 'summary', 'description', 'example', 'examples', 'tags', 'externalDocs'])

type Json = { readonly [name: string]: unknown }

/** `npm run github-api [VERSION]`: rewrites the fixture from that version of the package, or from the newest one. */
const [version = 'latest'] = process.argv.slice(2)
const fixture = extract(await describedBy(`${PACKAGE}@${version}`))
await writeFile(FIXTURE, `${JSON.stringify(fixture, undefined, 2)}\n`)

async function describedBy(spec: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-github-api-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, spec])
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder, DESCRIPTION])
    return JSON.parse(await readFile(join(folder, DESCRIPTION), 'utf8'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** An OpenAPI document of the used operations, what they refer to, and the examples. */
function extract(whole: unknown): Json {
  const components: { [kind: string]: { [name: string]: unknown } } = {}
  const take = (value: unknown): unknown => {
    const kept = withoutProse(value)
    for (const ref of refsOf(kept)) {
      const [, , kind = '', name = ''] = ref.split('/')
      components[kind] ??= {}
      if (Object.hasOwn(components[kind], name)) continue
      components[kind][name] = {} // Before its own references are followed: they may lead back here.
      components[kind][name] = take(jsonField(whole, 'components', kind, name))
    }
    return kept
  }
  const paths: { [path: string]: Json } = {}
  for (const [method, path] of USED) {
    const operation = jsonField(whole, 'paths', path, method)
    if (operation === undefined) throw new Error(`the description has no ${method} ${path}`)
    paths[path] = { ...paths[path], [method]: take(operation) }
  }
  for (const kind of Object.keys(components)) components[kind] = sorted(components[kind] ?? {})
  components.examples = Object.fromEntries(Object.values(EXAMPLES).map((name) => [name, exampleOf(whole, name)]))
  return { openapi: jsonField(whole, 'openapi'), info: jsonField(whole, 'info'), paths, components: sorted(components) }
}

/** Names under `properties` are the API's own, everything else is a keyword. */
function withoutProse(value: unknown, isNames = false): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutProse(one))
  const kept = Object.entries(value).filter(([name]) => isNames || !(PROSE.has(name) || name.startsWith('x-')))
  return nullAllowed(
    Object.fromEntries(kept.map(([name, one]) => [name, withoutProse(one, name === 'properties' && !isNames)])),
  )
}

/** `nullable` beside `oneOf` instead of a type means nothing to validators of JSON Schema. */
function nullAllowed(schema: Json): Json {
  const { nullable, oneOf, ...others } = schema
  if (nullable !== true || !Array.isArray(oneOf)) return schema
  return { ...others, oneOf: [...oneOf, { type: 'null' }] }
}

function refsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    name === '$ref' && typeof one === 'string' ? [one] : refsOf(one),
  )
}

function exampleOf(whole: unknown, name: string): unknown {
  const value = jsonField(whole, 'components', 'examples', name, 'value')
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (first === undefined) throw new Error(`the description has no example ${name}`)
  return { value: first }
}

function sorted<T>(members: { readonly [name: string]: T }): { [name: string]: T } {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
}
