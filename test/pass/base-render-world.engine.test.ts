import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import { type BaseRender, baseRenderWorld } from '../../src/pass/base-render-world.ts'
import { nothingProvided } from '../../src/pass/provided.ts'
import { runPass } from '../../src/pass/run-pass.ts'
import type { Renderer } from '../../src/ports.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { neverStopped } from '../doubles/stops.ts'
import { chartOf, type Files, rendererForTests } from '../render/fixtures.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

/** What charts of people do: labels of the chart, a hook, a random password with its checksum, values, capabilities. */
const BASE: Files = {
  'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nappVersion: "1"\n',
  'values.yaml': 'replicas: 2\nimage: web:1\n',
  'crds/widget.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.acme.dev }
spec:
  group: acme.dev
  scope: Cluster
  names: { kind: Widget, plural: widgets }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`,
  'templates/_helpers.tpl': '{{ define "labels" }}{ helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }} }{{ end }}',
  'templates/migrate.yaml': `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: { helm.sh/hook: "pre-install,pre-upgrade" }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: migrate, image: {{ .Values.image | quote }} }] } } }
`,
  'templates/secret.yaml': `{{- $old := lookup "v1" "Secret" .Release.Namespace "password" }}
apiVersion: v1
kind: Secret
metadata: { name: password, labels: {{ include "labels" . }} }
stringData: { password: {{ if $old }}{{ $old.data.password | b64dec }}{{ else }}{{ randAlphaNum 24 }}{{ end }} }
`,
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: {{ include "labels" . }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: web } }
  template:
    metadata:
      labels: { app: web }
      annotations: { checksum: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }} }
    spec: { containers: [{ name: web, image: {{ .Values.image | quote }} }] }
`,
  'templates/old.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\ndata: { a: "1" }\n',
  'templates/widget.yaml': 'apiVersion: acme.dev/v1\nkind: Widget\nmetadata: { name: web }\nspec: { size: 1 }\n',
}

const { 'templates/old.yaml': _old, ...kept } = BASE
const HEAD: Files = {
  ...kept,
  'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.1.0\nappVersion: "2"\n',
  'values.yaml': 'replicas: 3\nimage: web:2\n',
  'templates/new.yaml': `{{- if .Capabilities.APIVersions.Has "acme.dev/v2/Gadget" }}
apiVersion: acme.dev/v2
kind: Gadget
metadata: { name: gadget }
---
{{- end }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, annotations: { version: {{ .Capabilities.KubeVersion.Minor | quote }} } }
spec: { minAvailable: {{ if .Release.IsUpgrade }}1{{ else }}0{{ end }}, selector: { matchLabels: { app: web } } }
`,
}

async function pass(base: Files | undefined, head: Files, given: Partial<BaseRender> = {}) {
  const specOf = async (files: Files): Promise<ReleaseSpec> => ({
    release: 'shop',
    weight: 0,
    source: { kind: 'chart', path: await chartOf(files), values: noValues },
  })
  const releases = base === undefined ? [] : [await specOf(base)]
  const { result } = await runPass(
    {
      task: { kind: 'deploy' },
      isPlanOnly: true,
      spec: await specOf(head),
      options: releaseOptions,
      prune: true,
      leftOut: [],
      providedEarlier: nothingProvided,
      approvalIgnore: [],
      isUnderApproval: false,
      approval: undefined,
      mayLackRights: true,
      holder: 'run 1',
      stop: neverStopped(),
      lockWaitMs: 0,
      onPlan: () => {},
      onEvent: () => {},
      onHeld: () => {},

      onFreed: () => {},
    },
    baseRenderWorld({ releases, apiVersions: [], ...given }),
    { renderer, clock: fakeClock(), secrets: createSecrets() },
  )
  return result
}

describe('the render of the head against that of the base', () => {
  test('is a plan like any other', async () => {
    const { plan, chart, previousChart } = await pass(BASE, HEAD)
    expect([previousChart?.version, chart?.version]).toEqual(['1.0.0', '1.1.0'])
    expect(plan && planText(plan)).toMatchInlineSnapshot(`
      "upgrade shop in default, no new revision: 1 to create, 2 to update, 1 to delete, 2 unchanged, 1 hook to run (rendered diff against the base branch, not compared with the cluster)

      stage crds
        weight 0
          1 = unchanged CustomResourceDefinition/widgets.acme.dev
          2 > wait CustomResourceDefinition/widgets.acme.dev until established

      stage pre
        weight 0
          1 ± recreate Job/default/migrate [pre-upgrade] (foreground): ⚠️ runs before the rest: if it fails, the rest is not changed; containers[migrate].image 1 → 2 (⚠️ major)
          2 > wait Job/default/migrate [pre-upgrade] until complete

      stage main
        weight 0
          1 + create PodDisruptionBudget/default/web: keeps at least 1 of the pods of Deployment/web available
          2 ~ update Secret/default/password: only chart and version labels change; non-deterministic: stringData.password
          3 ~ update Deployment/default/web: 2 pods restart in a rolling update (image); within budget web (at least 1 available); 1 more starts; containers[web].image 1 → 2 (⚠️ major), replicas 2 → 3; non-deterministic: spec.template.metadata.annotations.checksum
              spec.template.spec.containers[web].image web:1 → web:2
              spec.replicas 2 → 3
              metadata.labels["helm.sh/chart"] demo-1.0.0 → demo-1.1.0
          4 = unchanged Widget/web
          5 > wait PodDisruptionBudget/default/web until ready
          5 > wait Deployment/default/web until ready
          5 > wait Widget/web until ready

      stage prune
        weight 0
          1 - delete ConfigMap/default/old (foreground): no longer in the chart
      "
    `)
  })

  test('changes nothing where the chart is the same, its random values included', async () => {
    const { plan } = await pass(BASE, BASE)
    const [, ...changes] = (plan === undefined ? '' : planText(plan))
      .split('\n')
      .filter((line) => /[~+-] (update|create|delete)/.test(line))
    expect(changes).toEqual([])
  })

  test('is a first install where the base has no such chart', async () => {
    const { plan } = await pass(undefined, HEAD)
    expect(plan && planText(plan)).toMatchInlineSnapshot(`
      "install shop in default, no new revision: 5 to create, 1 hook to run (rendered diff against the base branch, not compared with the cluster)

      stage crds
        weight 0
          1 + create CustomResourceDefinition/widgets.acme.dev: v1 (stored)
          2 > wait CustomResourceDefinition/widgets.acme.dev until established

      stage pre
        weight 0
          1 + create Job/default/migrate [pre-install]: runs web:2
          2 > wait Job/default/migrate [pre-install] until complete

      stage main
        weight 0
          1 + create PodDisruptionBudget/default/web: keeps at least 0 of the pods of Deployment/web available
          2 + create Secret/default/password: key password; non-deterministic: stringData.password
          3 + create Deployment/default/web: runs web:2, 3 pods; non-deterministic: spec.template.metadata.annotations.checksum
          4 + create Widget/web; validated against the new schema of CRD widgets.acme.dev, without its CEL rules
          5 > wait PodDisruptionBudget/default/web until ready
          5 > wait Deployment/default/web until ready
          5 > wait Widget/web until ready
      "
    `)
  })

  test('renders for the version and API versions that the inputs name', async () => {
    const { plan } = await pass(undefined, HEAD, { kubeVersion: '1.31', apiVersions: ['acme.dev/v2/Gadget'] })
    const text = JSON.stringify(plan)
    expect(text).toContain('"annotations":{"version":"31"}')
    expect(text).toContain('"kind":"Gadget"')
  })

  test('names the template and line of a mistake in the head', async () => {
    const { outcome } = await pass(BASE, {
      ...HEAD,
      'templates/web.yaml': 'a: 1\nb: {{ required "no image" .Values.none }}\n',
    })
    expect(outcome.failure).toMatchObject({ reason: 'render-failed', doing: 'render the chart' })
    expect(outcome.failure?.message).toContain('demo/templates/web.yaml:2')
  })

  test('notes a base that does not render', async () => {
    const { outcome, plan } = await pass(
      { ...BASE, 'templates/web.yaml': '{{ required "no image" .Values.none }}' },
      HEAD,
    )
    expect([outcome.status, plan?.verb]).toEqual(['planned', 'install'])
    expect(plan?.problems.map(({ severity, what }) => `${severity}: ${what}`)).toEqual([
      expect.stringMatching(/^warning: the base does not render, so that everything counts as new: .*no image/),
    ])
  })
})
