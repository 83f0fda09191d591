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
        spec: { group: example.com, names: { kind: Widget, plural: widgets }, versions: [{ name: v1 }] }
      - { apiVersion: ${groups.namespace}, kind: Namespace, metadata: { name: other, annotations: ${annotations} } }`)
  return providedBy('install', planInput(given).desired)
}

describe('what a release provides for later ones', () => {
  test('its objects, CRDs and namespaces', () => {
    expect(provided('{}')).toEqual({
      apiVersions: ['example.com/v1', 'example.com/v1/Widget'],
      kinds: ['example.com/Widget'],
      types: [
        {
          group: 'example.com',
          version: 'v1',
          kind: 'Widget',
          resource: 'widgets',
          singular: 'widget',
          shortNames: [],
          isNamespaced: true,
          hasStatus: false,
          isPreferred: true,
        },
      ],
      namespaces: ['other'],
      objects: [
        {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          name: 'widgets.example.com',
        },
        { apiVersion: 'v1', kind: 'Namespace', name: 'other' },
      ],
    })
  })

  test.each([
    ['excluded', '{ kots.io/exclude: "true" }'],
    ['deployed on another verb', '{ werf.io/deploy-on: rollback }'],
  ])('nothing that is %s', (_how, annotations) => {
    expect(provided(annotations)).toEqual(nothingProvided)
  })

  test('no kind and no namespace by kinds of other groups with these names', () => {
    const found = provided('{}', { crd: 'example.com/v1', namespace: 'example.com/v1' })
    expect({ ...found, objects: [] }).toEqual(nothingProvided)
  })

  test.each<[string, string, readonly string[]]>([
    [
      'no version that is not served',
      'versions: [{ name: v1, served: true }, { name: v1alpha1, served: false }]',
      ['v1'],
    ],
    ['the only version of a CRD of v1beta1', 'version: v1beta1', ['v1beta1']],
    [
      'each served version, whatever its field says',
      'version: v1, versions: [{ name: v1 }, { name: v2, served: true }]',
      ['v1', 'v2'],
    ],
  ])('%s', (_what, versions, expected) => {
    const given = parseGiven(`
      crds:
        - apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: { name: widgets.example.com }
          spec: { group: example.com, names: { kind: Widget }, ${versions} }`)
    const { apiVersions } = providedBy('install', planInput(given).desired)
    expect(apiVersions.filter((version) => !version.endsWith('Widget'))).toEqual(
      expected.map((version) => `example.com/${version}`),
    )
  })
})
