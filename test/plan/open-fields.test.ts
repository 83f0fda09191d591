import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterValues, nothingForeseen, withStandIns } from '../../src/manifest/cluster-values.ts'
import { stepsOf } from '../../src/manifest/json-pointer.ts'
import { stepInto } from '../../src/manifest/known-path.ts'
import type { JsonObject, JsonValue, KubeObject } from '../../src/model/object.ts'
import type { OpenField } from '../../src/model/open-field.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { openFieldsOf, openText, withOpenTexts } from '../../src/plan/open-fields.ts'

const service = (spec: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'db', namespace: 'web', ...metadata },
  spec,
})

/** As the API server answers a dry run of `spec`, and as the plan foresees it. */
function foreseen(spec: JsonObject, answered: JsonObject) {
  return withStandIns(service(spec), { answered: service(answered), random: new Set() })
}

const config = (data: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'uses', namespace: 'web' },
  data,
})

/** What is open in an object that a template makes of another one, which is known. */
function openIn(found: KubeObject, template: (found: KubeObject) => KubeObject) {
  const { other, values } = clusterValues(found, nothingForeseen)
  const object = template(found)
  const manifest = { ref: refOfObject(object), object, origin: { file: 'a' }, source: 'template' as const }
  return { manifest, ...openFieldsOf(manifest, template(other), values) }
}

const textAt = (object: KubeObject, pointer: string) =>
  String(stepsOf(pointer).reduce<JsonValue | undefined>(stepInto, object))

describe('a stand-in', () => {
  test('has the form of what comes, and is the same each time', () => {
    const ports = { ports: [{ port: 80 }, { port: 81, nodePort: 30_081 }] }
    const answered = {
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9', 'fd00::9'],
      ports: [{ port: 80, nodePort: 30_080 }, ...ports.ports.slice(1)],
    }
    const { foreseen: known, object } = foreseen(ports, answered)
    expect(object.spec).toEqual({
      clusterIP: expect.stringMatching(/^2[45]\d\.\d+\.\d+\.\d+$/),
      clusterIPs: [textAt(object, '/spec/clusterIP'), expect.stringMatching(/^2001:db8:/)],
      ports: [
        { port: 80, nodePort: expect.any(Number) },
        { port: 81, nodePort: 30_081 },
      ],
    })
    expect(textAt(object, '/metadata/uid')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(known.standIns).not.toContain('/spec/ports/1/nodePort')
    expect(foreseen(ports, answered).object).toEqual(object)
  })

  test('is there for a Service that no dry run has answered for, and for none without an address', () => {
    expect(textAt(foreseen({}, {}).object, '/spec/clusterIP')).toMatch(/^2[45]\d\./)
    for (const spec of [{ clusterIP: 'None' }, { type: 'ExternalName' }]) {
      expect(foreseen(spec, spec).object.spec).toEqual(spec)
    }
  })
})

describe('an open text', () => {
  const found = service(
    { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ports: [{ port: 80, nodePort: 30_080 }] },
    { uid: '0b9d4a4e-6c1c-4a52-9f60-3a2f9f1d2c11', resourceVersion: '7' },
  )

  test('names each value, by one name where two places have the same', () => {
    const { closed, open } = openIn(found, (service) =>
      config({
        both: `${textAt(service, '/spec/clusterIPs/0')}:${textAt(service, '/spec/ports/0/nodePort')}\nfixed`,
        version: textAt(service, '/metadata/resourceVersion'),
      }),
    )
    expect(open.map(openText)).toEqual([
      '‹spec.clusterIP of Service/web/db›:‹spec.ports.0.nodePort of Service/web/db›\nfixed',
      '‹metadata.resourceVersion of Service/web/db›',
    ])
    expect(closed).toEqual([])
  })

  test('is found again at its own place only, or in another item of the same list', () => {
    const { manifest, open } = openIn(found, (service) =>
      config({ version: textAt(service, '/metadata/resourceVersion'), replicas: '7' }),
    )
    expect(withOpenTexts(manifest.object, { ...manifest, open }, () => 'open').data).toEqual({
      version: 'open',
      replicas: '7',
    })
  })

  test('is nothing that has another form than what the cluster chooses', () => {
    const odd = service({ clusterIP: 'x; rm -rf /', ports: [] }, { uid: 'x; rm -rf /', resourceVersion: '$(id)' })
    expect(clusterValues(odd, nothingForeseen).values).toEqual([])
  })

  test('is always the text that was rendered, with the values in the places of their names', () => {
    const { values } = clusterValues(found, nothingForeseen)
    const now = new Map(values.map(({ now, of }) => [JSON.stringify(of), now]))
    const filled = ({ parts }: OpenField) =>
      parts
        .map((part) => ('fixed' in part ? part.fixed : 'of' in part ? now.get(JSON.stringify(part.of)) : '?'))
        .join('')
    const piece = fc.oneof(fc.constantFrom('10.', '7', '0.0.9', '30080', '24'), fc.string({ maxLength: 6 }))
    const hole = fc.constantFrom(
      '/spec/clusterIP',
      '/spec/ports/0/nodePort',
      '/metadata/uid',
      '/metadata/resourceVersion',
    )
    const pieces = fc.array(fc.oneof(piece, hole), { maxLength: 8 })
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        // Where the values are the cluster's, a hostile chart may take another way.
        const isOther = (service: KubeObject) => textAt(service, '/spec/clusterIP') !== '10.0.0.9'
        const { manifest, open } = openIn(found, (service) =>
          config({
            text: (isOther(service) ? second : first)
              .map((one) => (one.startsWith('/') ? textAt(service, one) : one))
              .join(''),
          }),
        )
        for (const field of open) expect(filled(field)).toBe(textAt(manifest.object, '/data/text'))
      }),
      { numRuns: 500 },
    )
  })
})
