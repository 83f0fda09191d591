import { describe, expect, test } from 'vitest'
import { fieldDifferences } from '../../src/impact/fields.ts'
import { noiseOf } from '../../src/impact/noise.ts'
import type { JsonObject } from '../../src/model/object.ts'

interface Parts {
  readonly labels?: JsonObject
  readonly annotations?: JsonObject
  readonly template?: JsonObject
  readonly templateLabels?: JsonObject
  readonly image?: string
}

const web = ({ labels, annotations, template, templateLabels, image = 'web:1' }: Parts): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', ...(labels && { labels }), ...(annotations && { annotations }) },
  spec: {
    template: {
      metadata: { labels: { app: 'web', ...templateLabels }, ...(template && { annotations: template }) },
      spec: { containers: [{ name: 'web', image }] },
    },
  },
})

describe('noise of a change: object metadata only', () => {
  test.each<[string, Parts, Parts, ReturnType<typeof noiseOf>]>([
    ["the chart's version", { labels: { 'helm.sh/chart': 'a-1' } }, { labels: { 'helm.sh/chart': 'a-2' } }, 'labels'],
    [
      'the version of the app, and the older names of both labels',
      { labels: { 'app.kubernetes.io/version': '1', chart: 'a-1', heritage: 'Tiller' } },
      { labels: { 'app.kubernetes.io/version': '2', chart: 'a-2', heritage: 'Helm' } },
      'labels',
    ],
    ['labels that appear', {}, { labels: { 'helm.sh/chart': 'a-2' } }, 'labels'],
    [
      'a checksum',
      { annotations: { 'checksum/config': 'a' } },
      { annotations: { 'checksum/config': 'b' } },
      'checksum',
    ],
    [
      'a checksum without more words',
      { annotations: { checksum: 'a' } },
      { annotations: { checksum: 'b' } },
      'checksum',
    ],
    ['a checksum with a domain', {}, { annotations: { 'example.com/checksum': 'b' } }, 'checksum'],
    [
      'a checksum beside a version',
      { labels: { chart: 'a-1' } },
      { labels: { chart: 'a-2' }, annotations: { 'checksum/config': 'b' } },
      'checksum',
    ],
    ['a description', {}, { annotations: { 'example.com/description': 'what it is for' } }, 'metadata'],
    ['a description beside a checksum', {}, { annotations: { description: 'a', checksum: 'b' } }, 'metadata'],
    ['marks of Helm', {}, { annotations: { 'meta.helm.sh/release-name': 'a' } }, 'metadata'],
    ['the tool that wrote a CRD', {}, { annotations: { 'controller-gen.kubebuilder.io/version': 'v1' } }, 'metadata'],
    ['no other label: a selector may ask for it', { labels: { tier: 'a' } }, { labels: { tier: 'b' } }, undefined],
    ['no other label beside a version', { labels: { chart: 'a' } }, { labels: { chart: 'b', tier: 'b' } }, undefined],
    ['no checksum as a label, which is a label like any other', {}, { labels: { 'checksum/config': 'b' } }, undefined],
    [
      'no annotation that a controller may read',
      { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' } },
      { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internet-facing' } },
      undefined,
    ],
    ['no policy that goes', { annotations: { 'helm.sh/resource-policy': 'keep' } }, {}, undefined],
    ['nothing of a pod template', { template: { 'checksum/config': 'a' } }, { template: {} }, undefined],
    ['no version of a pod template', { templateLabels: { chart: 'a' } }, { templateLabels: { chart: 'b' } }, undefined],
    ['nothing else', { image: 'web:1' }, { image: 'web:2', labels: { chart: 'a-2' } }, undefined],
    [
      'no label by which another ClusterRole collects the rules of this one',
      {},
      { labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
      undefined,
    ],
    [
      'no label by which a Namespace says what pods may do',
      { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
      undefined,
    ],
    ['not where nothing changed', {}, {}, undefined],
  ])('%s', (_what, before, after, expected) => {
    expect(noiseOf(fieldDifferences(web(before), web(after)))).toBe(expected)
  })
})

test('labels of a spec are no noise', () => {
  const labelled = (chart: string) => ({ spec: { labels: { chart } } })
  expect(noiseOf(fieldDifferences(labelled('a'), labelled('b')))).toBeUndefined()
})
