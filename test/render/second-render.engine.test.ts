import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changedPaths } from '../../src/manifest/compare.ts'
import type { RenderedDocument } from '../../src/model/document.ts'
import { stringAt } from '../../src/model/object.ts'
import type { Renderer, RenderRequest } from '../../src/ports.ts'
import { chartOf, type Files, rendererForTests, renderRequest } from './fixtures.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n'

/** Every function of sprig that gives another result at another time or by chance. Source: sprig v3.3.0, functions.go. */
describe('a value that varies from render to render', () => {
  test.each([
    ...['now | unixEpoch', 'now | date "2006-01-02"', 'now | date "15"', 'now | date "03"', 'now | date "04"'],
    ...[
      'now | date "05"',
      'now | date "Monday"',
      'date "02" ""',
      'dateInZone "02" "" "UTC"',
      'date_in_zone "02" "" "UTC"',
    ],
    ...['htmlDate ""', 'htmlDateInZone "" "UTC"', 'ago 0', 'now | date_modify "-1h" | htmlDate'],
    ...['randAlpha 1', 'randAlphaNum 1', 'randAscii 1', 'randBytes 1', 'randInt 0 2', 'randNumeric 1', 'shuffle "ab"'],
    ...[
      'uuidv4',
      'htpasswd "u" "p"',
      'bcrypt "p"',
      'encryptAES "k" "t"',
      'genPrivateKey "rsa"',
      'genPrivateKey "ecdsa"',
    ],
    ...['genPrivateKey "ed25519"', '(genCA "c" 1).Cert', '(genSelfSignedCert "c" nil nil 1).Key'],
    ...['(genSignedCert "c" nil nil 1 (genCA "c" 1)).Cert', '(genCAWithKey "c" 1 (genPrivateKey "ecdsa")).Cert'],
    ...['keys (dict "a" 1 "b" 2) | join ","', 'values (dict "a" 1 "b" 2) | join ","', 'randAlpha 9 | sha256sum'],
    ...['tpl "{{ randAlpha 1 }}" .', 'tpl .Values.text .', 'tpl (printf "{{ %s 9 }}" "randAlpha") .'],
  ])('%s', async (action) => {
    const files = {
      'templates/x.yaml': `${CONFIG_MAP}data: {v: {{ ${action} | quote }}, w: same}`,
      'values.yaml': TEXT,
    }
    expect(await variesIn(files)).toEqual([['/data/v']])
  })

  test.each([
    ...['keys (dict "a" 1 "b" 2) | sortAlpha | join ","', 'keys (dict "a" 1)', 'date "02" 0', 'randInt 4 5'],
    ...['derivePassword 1 "long" "p" "u" "s"', 'getHostByName "localhost"', '"now"', 'toYaml (dict "a" 1 "b" 2)'],
  ])('is not: %s', async (action) => {
    const template = `${CONFIG_MAP}data: {v: {{ ${action} | quote }}}`
    expect(await variesIn({ 'templates/x.yaml': template })).toEqual([undefined])
  })
})

const TEXT = 'text: "{{ now }}"'

describe('a second render', () => {
  test('changes nothing in the record, the notes and the warnings', async () => {
    const { documents, record, notes, warnings } = await renderer.render(
      renderRequest(
        await chartOf({
          'templates/x.yaml': `${CONFIG_MAP}data: {v: {{ randAlphaNum 9 | quote }}}`,
          'templates/y.yaml': `${CONFIG_MAP.replace('}', ', annotations: {helm.sh/hook: pre-install}}')}data: {v: {{ uuidv4 }}}`,
          'templates/NOTES.txt': '{{ now | unixEpoch }}',
        }),
      ),
    )
    const [first] = documents
    expect(record.manifest).toContain(`data: {v: "${stringOf(first)}"}`)
    expect(record.hooks[0]?.manifest).toContain(`data: {v: ${stringOf(documents[1])}}`)
    expect(isNow(Number(notes))).toBe(true)
    expect(warnings).toEqual([])
  })

  test('starts from the values of the first, whatever that made of them', async () => {
    const template = `{{- $_ := set .Values "count" (add1 .Values.count) }}\n${CONFIG_MAP}data: {count: "{{ .Values.count }}", time: {{ now | quote }}}`
    expect(await variesIn({ 'templates/x.yaml': template, 'values.yaml': 'count: 1' })).toEqual([['/data/time']])
  })

  test('asks the cluster nothing: lookup answers as in the first', async () => {
    const template = `{{- $old := lookup "v1" "Secret" "shop" "x" }}\n${CONFIG_MAP}data: {old: {{ $old.data.p }}, new: {{ randAlpha 9 }}}`
    let count = 0
    const lookup = async () => {
      count += 1
      return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: { p: `${count}` } }
    }
    expect(await variesIn({ 'templates/x.yaml': template }, { lookup })).toEqual([['/data/new']])
    expect(count).toBe(1)
  })

  test('that fails, or gives no YAML, leaves what the first one gave', async () => {
    const failing = `{{- if ge (now | unixEpoch | int64) ${Math.floor(Date.now() / 1000) + 3600} }}{{ fail "too late" }}{{ end }}\n${CONFIG_MAP}`
    expect(await variesIn({ 'templates/x.yaml': failing })).toEqual([undefined])
    const broken = failing.replace('{{ fail "too late" }}', 'a: [')
    expect(await variesIn({ 'templates/x.yaml': broken })).toEqual([undefined])
  })

  test('may have fewer documents: the name of one that is missing varies', async () => {
    const later = Math.floor(Date.now() / 1000) + 3600
    const template = `${CONFIG_MAP}---\n{{- if lt (now | unixEpoch | int64) ${later} }}\n${CONFIG_MAP.replace('x}', 'y}')}{{ end }}`
    expect(await variesIn({ 'templates/x.yaml': template })).toEqual([undefined, ['/metadata/name']])
  })

  test('ends with the clock as it was', async () => {
    const files = { 'templates/x.yaml': `${CONFIG_MAP}data: {v: '{{ now | unixEpoch }}'}` }
    await variesIn(files)
    const { documents } = await renderer.render(renderRequest(await chartOf(files)))
    expect(isNow(Number(stringOf(documents[0])))).toBe(true)
  })
})

async function variesIn(files: Files, changes: Partial<RenderRequest> = {}) {
  const { documents } = await renderer.render(renderRequest(await chartOf(files), changes))
  return documents.map(({ object, again }) => again && changedPaths(object, again))
}

function isNow(epochSeconds: number): boolean {
  return Math.abs(epochSeconds - Date.now() / 1000) < 60
}

function stringOf(document: RenderedDocument | undefined): string {
  return stringAt(document?.object, 'data', 'v') ?? ''
}
