import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { learnHeld, learnLookedUp, learnSecrets } from '../../src/pass/learn-secrets.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'

type Annotations = Readonly<Record<string, string>>
const TRUE = { 'werf.io/sensitive': 'true' }
const FALSE = { 'werf.io/sensitive': 'false' }
const AT_TOKEN = { 'werf.io/sensitive-paths': 'data.token' }

function object(kind: string, annotations: Annotations, fields: object, apiVersion = 'v1'): KubeObject {
  return { apiVersion, kind, metadata: { name: 'shop', namespace: 'web', annotations }, ...fields }
}
const config = (annotations: Annotations, data: object) => object('ConfigMap', annotations, { data })
const secret = (annotations: Annotations, stringData: object) => object('Secret', annotations, { stringData })

function resources(...objects: readonly KubeObject[]) {
  const documents = objects.map((object) => ({ object, file: 'a.yaml', line: 1, source: 'template' as const }))
  const { manifests } = toManifests(documents, { namespace: 'web', served: [] })
  return directivesOf(manifests, { isPlainManifests: false }).resources
}

/** `text` after the objects were learned by one of the ways. */
const desired = (text: string, ...objects: readonly KubeObject[]) => {
  const secrets = createSecrets()
  learnSecrets(objects, secrets)
  return secrets.redact(text)
}
const held = (text: string, live: KubeObject, ...said: readonly KubeObject[]) => {
  const secrets = createSecrets()
  learnHeld([live], resources(...said), secrets)
  return secrets.redact(text)
}
const lookedUp = (text: string, ...objects: readonly KubeObject[]) => {
  const secrets = createSecrets()
  learnLookedUp(objects, secrets)
  return [secrets.redact(text), secrets.redactNames(text)]
}

describe('values outside of Secrets', () => {
  const one = { token: 'tok-4711-xyz', plain: 'in-plain-sight' }
  const text = 'refused: tok-4711-xyz, in-plain-sight'

  test('werf.io/sensitive-paths hides what it names in every text, and only that', () => {
    expect(desired(text, config(AT_TOKEN, one))).toBe('refused: ***, in-plain-sight')
    expect(desired('refused: 47114711', config(AT_TOKEN, { token: 47114711 }))).toBe('refused: ***')
    expect(desired(text, config({}, one))).toBe(text)
  })

  test('werf.io/sensitive: "true" hides all values of the object in every text', () => {
    expect(desired(text, config(TRUE, one))).toBe('refused: ***, ***')
    expect(desired(text, object('List', {}, { items: [config(TRUE, one)] }))).toBe('refused: ***, ***')
  })

  test('a live or recorded object hides what itself or the chart calls sensitive', () => {
    expect(held(text, config(AT_TOKEN, one))).toBe('refused: ***, in-plain-sight')
    expect(held(text, config({}, one), config(AT_TOKEN, {}))).toBe('refused: ***, in-plain-sight')
    expect(held(text, config(AT_TOKEN, one), config({}, {}))).toBe('refused: ***, in-plain-sight')
    expect(held(text, config(TRUE, one), config(FALSE, one))).toBe('refused: ***, ***')
  })

  test('an object that was looked up hides them in names as well', () => {
    expect(lookedUp('tok-4711-xyz', config(TRUE, one))).toEqual(['***', '***'])
  })

  test('a kind of another group that is called Secret hides its values plain and decoded', () => {
    const data = { token: Buffer.from('tok-4711-xyz').toString('base64') }
    expect(desired('tok-4711-xyz', object('Secret', {}, { data }, 'example.com/v1'))).toBe('***')
  })

  test('short values, names in the open, words of closed lists and the status hide nothing', () => {
    const pod = object('Pod', TRUE, {
      spec: { imagePullPolicy: 'IfNotPresent', hostname: 'shop', env: [{ name: 'A', value: 'Supersecret' }], b: 'x1' },
      status: { message: 'waiting for a node' },
    })
    expect(desired('IfNotPresent shop x1 waiting for a node Supersecret v1 Pod', pod)).toBe(
      'IfNotPresent shop x1 waiting for a node *** v1 Pod',
    )
  })
})

describe('werf.io/sensitive: "false" on a Secret', () => {
  const open = secret(FALSE, { a: 'not-so-secret' })
  const text = 'not-so-secret'

  test('shows what the chart says in it', () => {
    expect(desired(text, open)).toBe(text)
    expect(held(text, open, open)).toBe(text)
  })

  test('hides what another Secret holds too', () => {
    expect(desired(text, open, secret({}, { b: 'not-so-secret' }))).toBe('***')
  })

  test('hides what the live or recorded Secret without it holds', () => {
    expect(held(text, secret({}, { a: 'not-so-secret' }), open)).toBe('***')
  })

  test('hides what others have written into the live Secret', () => {
    expect(held('by-others not-so-secret', secret(FALSE, { a: 'not-so-secret', b: 'by-others' }), open)).toBe(
      `*** ${text}`,
    )
    expect(held(text, open)).toBe('***')
    expect(held(text, open, secret({}, { a: 'not-so-secret' }))).toBe('***')
  })

  test('hides what was looked up, whatever it says', () => {
    expect(lookedUp(text, open)[0]).toBe('***')
  })

  test('hides what werf.io/sensitive-paths names all the same', () => {
    const some = secret({ ...FALSE, 'werf.io/sensitive-paths': 'stringData.b' }, { a: 'not-so-secret', b: 'tok-4711' })
    expect(desired('not-so-secret tok-4711', some)).toBe('not-so-secret ***')
    expect(held('not-so-secret tok-4711', some, some)).toBe('not-so-secret ***')
  })
})
