import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringifyJson } from '../../src/model/json.ts'
import { stringAt } from '../../src/model/object.ts'
import type { RenderedDocument } from '../../src/model/rendered.ts'
import { renderedPlain } from '../../src/pass/plain-manifests.ts'
import type { Renderer } from '../../src/ports.ts'
import { chartOf, chartPath, rendererForTests, renderRequest } from './fixtures.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n'
const HOOK = HEAD.replace('{name: x}', '{name: x, annotations: {helm.sh/hook: post-install}}')
const NEXT = '---\napiVersion: v1\nkind: Secret\nmetadata: {name: next}\n'

/**
 * Helm reads a resource from the manifest of its release, where a newline stands behind each document, and a hook from its
 * own text; its reader ends every line of either with a newline.
 */
describe('a text at the end of a document', () => {
  const cases: readonly (readonly [title: string, document: string, applied: string])[] = [
    ['a block without a newline', `${HEAD}  text: |\n    one`, 'one\n'],
    ['a block with one', `${HEAD}  text: |\n    one\n`, 'one\n'],
    ['a block with blank lines behind it', `${HEAD}  text: |\n    one\n\n\n`, 'one\n'],
    ['a folded block without a newline', `${HEAD}  text: >\n    one\n    two`, 'one two\n'],
    ['a block that drops its newlines', `${HEAD}  text: |-\n    one\n`, 'one'],
    ['a block that keeps its newlines, without any', `${HEAD}  text: |+\n    one`, 'one\n'],
    ['a block that keeps its newlines, with two', `${HEAD}  text: |+\n    one\n\n`, 'one\n\n\n'],
    ['a block that keeps its newlines, and says how it is indented', `${HEAD}  text: |2+\n    one\n`, 'one\n\n'],
    ['lines that end in CR LF', `${HEAD}  text: |\n    one`.replaceAll('\n', '\r\n'), 'one\n'],
    ['lines that end in CR LF, all kept', `${HEAD}  text: |+\n    one\n`.replaceAll('\n', '\r\n'), 'one\n\n'],
    ['a quoted text', `${HEAD}  text: "one"`, 'one'],
    ['a hook without a newline', `${HOOK}  text: |\n    one`, 'one\n'],
    ['a hook that keeps its newlines', `${HOOK}  text: |+\n    one\n`, 'one\n'],
    ['a hook that keeps its newlines, with two', `${HOOK}  text: |+\n    one\n\n`, 'one\n\n'],
  ]

  test.each(cases)('%s, at the end of a file', async (_title, document, applied) => {
    expect(await textOf(document)).toBe(applied)
  })

  test.each(cases.filter(([, document]) => document.endsWith('\n')))(
    '%s, before another document',
    async (_title, document, applied) => {
      expect(await textOf(`${document}${NEXT}`)).toBe(applied)
    },
  )

  async function textOf(file: string): Promise<string | undefined> {
    const { documents } = await renderer.render(renderRequest(await chartOf({ 'templates/x.yaml': file })))
    return stringAt(documents.find(({ object }) => object.kind === 'ConfigMap')?.object, 'data', 'text')
  }
})

test('a file of crds/ is read as it is, with a newline behind its last line', async () => {
  const crd = (name: string, block: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n  annotations:\n    about: ${block}\n      one`
  const chart = await chartOf({ 'crds/x.yaml': `${crd('a', '|+')}\n\n---\n${crd('b', '|')}` })
  const { crds } = await renderer.render(renderRequest(chart))
  expect(crds.map(({ object }) => object.metadata.annotations?.about)).toEqual(['one\n\n', 'one\n'])
})

test('a plain manifest is read as kubectl reads it', async () => {
  const text = `${HEAD}  text: |+\n    one\n\n---\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: y}\n  data:\n    text: |\n      two`
  const documents = await renderer.parse(text, 'x.yaml')
  expect(documents.map(({ object }) => stringAt(object, 'data', 'text'))).toEqual(['one\n\n', 'two\n'])
  expect(documents.map(({ line }) => line)).toEqual([1, 9])
})

describe('a record gives the objects again that were applied', () => {
  const endings = ['', '\n', '\n\n', '\r\n'].flatMap((ending) =>
    ['|', '|+', '|-', '>+'].flatMap((block) => [HEAD, HOOK].map((head) => `${head}  text: ${block}\n    one${ending}`)),
  )
  const withBreak = (document: string) => (document.endsWith('\n') ? document : `${document}\n`)
  const many = endings.map((document, index) => document.replace('name: x', `name: x${index}`))

  test.each([
    ['texts at the end of files', () => chartOf(filesOf(many))],
    ['texts in the middle of a file', () => chartOf({ 'templates/x.yaml': many.map(withBreak).join('---\n') })],
    ['features', async () => chartPath('features')],
    ['parent', async () => chartPath('parent')],
    ['yaml-traps', async () => chartPath('yaml-traps')],
    ['legacy', async () => chartPath('legacy')],
  ])('%s', async (_title, chart) => {
    const { documents, record } = await renderer.render(renderRequest(await chart()))
    const hooks = await Promise.all(record.hooks.map(({ manifest, path }) => renderer.parse(manifest, path)))
    const recorded = [...(await renderer.parse(record.manifest, 'revision 1')), ...hooks.flat()]
    const isDropped = ({ object }: RenderedDocument) =>
      object.metadata.annotations?.['helm.sh/hook']?.includes('crd-install')
    expect(textsOf(recorded)).toEqual(textsOf(documents.filter((document) => !isDropped(document))))
    expect(recorded.length).toBeGreaterThan(0)
  })

  test.each([
    ['a file each', many],
    ['one file', [many.map(withBreak).join('---\n')]],
    ['indented', many.map((document) => document.replace(/^/gm, '  '))],
  ])('plain manifests, %s', async (_title, files) => {
    const read = await Promise.all(files.map((text, index) => renderer.parse(text, `${index}.yaml`)))
    const { documents, record } = renderedPlain('shop', read.flat())
    const hooks = await Promise.all(record.hooks.map(({ manifest, path }) => renderer.parse(manifest, path)))
    const recorded = [...(await renderer.parse(record.manifest, 'revision 1')), ...hooks.flat()]
    expect(textsOf(recorded)).toEqual(textsOf(documents))
    expect(recorded).toHaveLength(many.length)
  })

  const filesOf = (documents: readonly string[]) =>
    Object.fromEntries(documents.map((document, index) => [`templates/${index}.yaml`, document]))
  const textsOf = (documents: readonly RenderedDocument[]) =>
    documents.map(({ object }) => stringifyJson(object)).sort()
})

test('a second render differs in what varies only, not in its last newline', async () => {
  const document = `${HEAD.replace('{name: x}', '{name: x, labels: {at: {{ now | unixEpoch | quote }}}}')}  text: |\n    one`
  const { documents } = await renderer.render(renderRequest(await chartOf({ 'templates/x.yaml': document })))
  expect(stringAt(documents[0]?.object, 'data', 'text')).toBe('one\n')
  expect(stringAt(documents[0]?.again, 'data', 'text')).toBe('one\n')
  expect(documents[0]?.again?.metadata.labels).not.toEqual(documents[0]?.object.metadata.labels)
})
