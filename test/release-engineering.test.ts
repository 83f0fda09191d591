import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): unknown => load(readFileSync(join(ROOT, path), 'utf8'))

/** What the Marketplace takes as a colour. Source: docs/sources.md#marketplace. */
const COLOURS = ['white', 'black', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark']
const DESCRIPTION_LIMIT_CHARS = 125

test('action.yml has what the Marketplace asks for', () => {
  const action = read('action.yml') as { name: string; description: string; branding: { icon: string; color: string } }
  expect(action.description.length).toBeLessThanOrEqual(DESCRIPTION_LIMIT_CHARS)
  expect(COLOURS).toContain(action.branding.color)
  expect(action.branding.icon).toMatch(/^[a-z]+(-[a-z]+)*$/)
})

test('Dependabot looks after npm, the actions and each Go module that has sums', () => {
  const { updates } = read('.github/dependabot.yml') as {
    readonly updates: readonly { 'package-ecosystem': string; directory?: string; directories?: readonly string[] }[]
  }
  const watched = updates.flatMap((update) =>
    (update.directories ?? [update.directory]).map((folder) => `${update['package-ecosystem']} ${folder}`),
  )
  const modules = ['src', 'test'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('go.sum'))
      .map((path) => `gomod /${dirname(join(top, path))}`),
  )
  expect(watched.toSorted()).toEqual(
    [...modules, 'github-actions /', 'github-actions /examples/workflows', 'npm /'].toSorted(),
  )
})

test('there is one policy of security', () => {
  expect(
    ['SECURITY.md', '.github/SECURITY.md', 'docs/SECURITY.md'].filter((path) => existsSync(join(ROOT, path))),
  ).toEqual(['SECURITY.md'])
})

test('the form for bugs asks for version, command and log, and that no secrets are in it', () => {
  const { body } = read('.github/ISSUE_TEMPLATE/bug.yml') as {
    readonly body: readonly { id?: string; attributes: { value?: string }; validations?: { required: boolean } }[]
  }
  const required = body.filter(({ validations }) => validations?.required === true).map(({ id }) => id)
  expect(required).toEqual(expect.arrayContaining(['version', 'command', 'log']))
  expect(body[0]?.attributes.value).toMatch(/no kubeconfig, token, password or value of a Secret/)
})
