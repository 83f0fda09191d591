import { describe, expect, test } from 'vitest'
import { nothingProvided, providedBy } from '../../src/pass/provided.ts'
import { parseGiven, planInput } from '../plan/given.ts'

/** Of a first install of a CRD and a Namespace, with these annotations. */
function provided(annotations: string, groups = { crd: 'apiextensions.k8s.io/v1', namespace: 'v1' }) {
  const given = parseGiven(`
    chart:
      - apiVersion: ${groups.crd}
        kind: CustomResourceDefinition
        metadata: { name: widgets.example.com, annotations: ${annotations} }
        spec: { group: example.com, names: { kind: Widget }, versions: [{ name: v1 }] }
      - { apiVersion: ${groups.namespace}, kind: Namespace, metadata: { name: other, annotations: ${annotations} } }`)
  return providedBy('install', planInput(given).desired)
}

describe('what a release provides for later ones', () => {
  test('its CRDs and namespaces', () => {
    expect(provided('{}')).toEqual({
      apiVersions: ['example.com/v1', 'example.com/v1/Widget'],
      kinds: ['example.com/Widget'],
      namespaces: ['other'],
    })
  })

  test.each([
    ['excluded', '{ kots.io/exclude: "true" }'],
    ['deployed on another verb', '{ werf.io/deploy-on: rollback }'],
  ])('nothing that is %s', (_how, annotations) => {
    expect(provided(annotations)).toEqual(nothingProvided)
  })

  test('nothing of kinds of other groups with these names', () => {
    expect(provided('{}', { crd: 'example.com/v1', namespace: 'example.com/v1' })).toEqual(nothingProvided)
  })
})
