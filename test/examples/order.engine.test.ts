import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import { noValues } from '../../src/model/release.ts'
import type { Rendered } from '../../src/model/rendered.ts'
import type { Verb } from '../../src/model/verb.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Renderer } from '../../src/ports.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { planInput } from '../plan/given.ts'

const EXAMPLES = resolve(import.meta.dirname, '..', '..', 'examples')

let renderer: Renderer
beforeAll(async () => {
  renderer = startRenderer({ folder: await buildEngine(), timeZone: 'UTC' })
})
afterAll(() => renderer.close())

test.each(['shop', 'plain'])('the plan of an install: %s', async (chart) => {
  const first = await render(chart, 'install')
  const text = planned('install', first, undefined)
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `${chart}-install.txt`))
})

test.each(['shop', 'plain'])('the plan of an upgrade: %s', async (chart) => {
  const first = await render(chart, 'install')
  const second = await render(chart, 'upgrade', 'values-upgrade.yaml')
  await expect(planned('upgrade', second, first)).toMatchFileSnapshot(join(import.meta.dirname, `${chart}-upgrade.txt`))
})

async function render(chart: string, verb: Verb, valuesFile?: string): Promise<Rendered> {
  const chartPath = join(EXAMPLES, chart)
  const label = valuesFile ?? 'values.yaml'
  const text = await readFile(join(chartPath, label), 'utf8')
  return renderer.render({
    chartPath,
    release: 'shop',
    namespace: 'web',
    revision: verb === 'install' ? 1 : 2,
    isUpgrade: verb !== 'install',
    values: {
      ...noValues,
      files: [{ label, text }],
      set: chart === 'shop' ? ['database.auth.password=fixed', 'session.key=fixed'] : [],
    },
    apiVersions: [],
  })
}

/** Against an API server that accepts everything, and holds what the revision before left. */
function planned(verb: Verb, now: Rendered, before: Rendered | undefined): string {
  const objects = (documents: Rendered['documents']): readonly KubeObject[] => documents.map(({ object }) => object)
  const { plan } = makePlan(
    planInput({
      rule: '',
      source: '',
      verb,
      chart: objects(now.documents),
      crds: objects(now.crds),
      previous: before === undefined ? [] : objects(before.documents).filter((object) => !isHook(object)),
      live: before === undefined ? [] : objects(before.crds),
      lost: [],
      answers: {},
      unreadable: {},
      quotas: [],
      missing: [],
      comingKinds: [],
      comingNamespaces: [],
      served: [],
      varies: {},
      options: {},
      revisionCauses: [],
    }),
  )
  return planText(plan)
}

/** Hooks are not part of what a release holds. */
function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined
}
