import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { stepsOf } from '../../src/manifest/json-pointer.ts'
import { withoutMatching } from '../../src/manifest/remove-paths.ts'
import { serverChosen } from '../../src/manifest/server-chosen.ts'
import { type JsonObject, type KubeObject, numberAt, stringAt } from '../../src/model/object.ts'
import { refKey } from '../../src/model/ref.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { helmOf } from '../record/helm.ts'
import { openFor, type Passed, type Phase, pass } from './passes.ts'
import { operationsOf } from './writes.ts'

/** A chart that a Helm installed, and the version of it that follows. `NAMESPACE` stands for the release's namespace. */
export interface Succession {
  readonly by: 'helm3' | 'helm4'
  readonly before: string
  readonly after: string
  /** A file in `crds/`, the same in both versions. */
  readonly crds?: string
}

export interface Told {
  /** `update Deployment/web: /spec/strategy/type` for each object that the plan changes, with what it shows of it. */
  readonly announced: readonly string[]
  /** Why each of them changes. */
  readonly reasons: readonly string[]
  /** Where what is stored differs from what was announced. */
  readonly otherwise: readonly string[]
  /** How the deploy and the one after it ended. */
  readonly statuses: readonly string[]
  readonly problems: readonly string[]
  /** Where the cluster differs from the one that `helm upgrade` leaves; undefined: Helm fails. */
  readonly unlikeHelm: readonly string[] | undefined
}

/** Two equal releases by Helm: one is upgraded by us, the other one by the Helm that made it. */
export async function succeeded(kubeconfig: string, { by, ...charts }: Succession): Promise<Told> {
  const [ours, theirs] = await Promise.all([createNamespace(kubeconfig), createNamespace(kubeconfig)])
  try {
    for (const { name } of [ours, theirs]) {
      await (await helmOf(by, kubeconfig, name))('install', 'shop', await chartOf(charts.before, charts.crds, name))
    }
    await Promise.all([ours, theirs].map((one) => settled(one, documents(charts.before, one.name))))
    const step = async (phase: Phase) => {
      // A client of its own knows the kinds that are served now.
      const client = await openFor(phase, kubeconfig)
      const { name: namespace } = ours
      const objects = documents(charts.after, namespace)
      const crds = inPlace(charts.crds ?? '', namespace)
      return pass(client, { objects, crds, namespace, isPlanOnly: phase === 'plan' }).finally(client.close)
    }
    const plan = await step('plan')
    const deploy = await step('deploy')
    const again = await step('again')
    const upgraded = await (await helmOf(by, kubeconfig, theirs.name))(
      'upgrade',
      'shop',
      await chartOf(charts.after, charts.crds, theirs.name),
    ).then(
      () => true,
      () => false,
    )
    return {
      ...announcedBy(plan),
      otherwise: otherwise(deploy),
      statuses: [deploy, again].map(({ result }) => result.outcome.status),
      problems: plan.result.problems.map(({ what }) => what),
      unlikeHelm: upgraded ? await differences(ours, theirs, charts.after) : undefined,
    }
  } finally {
    await Promise.all([ours.remove(), theirs.remove()])
  }
}

function announcedBy({ plan }: Passed): Pick<Told, 'announced' | 'reasons'> {
  const changing = (plan === undefined ? [] : operationsOf(plan)).flatMap((one) =>
    one.kind === 'apply' && one.change !== 'none' ? [one] : [],
  )
  return {
    announced: changing.map(({ change, ref, before = {}, after = {} }) =>
      [`${change} ${ref.kind}/${ref.name}:`, ...changedPaths(before, after)].join(' '),
    ),
    reasons: changing.map(({ ref, reason }) => {
      const paths = 'paths' in reason ? reason.paths : []
      const drift = 'drift' in reason ? reason.drift.map(({ manager, path }) => `${path} (${manager})`) : []
      return [`${ref.kind}/${ref.name}: ${reason.code}`, ...paths, ...drift].join(' ')
    }),
  }
}

/** Of objects that were updated: where the answer to the apply differs from what the deploy's own plan announced. */
function otherwise({ plan, applied }: Passed): readonly string[] {
  return (plan === undefined ? [] : operationsOf(plan)).flatMap((one) => {
    const sent = applied.get(refKey(one.ref))
    if (one.kind !== 'apply' || one.change !== 'update' || one.after === undefined || sent === undefined) return []
    const paths = changedPaths(one.after, sent.answer).filter((path) => !isHidden(one.after, path))
    return paths.map((path) => `${one.ref.kind}/${one.ref.name} ${path}`)
  })
}

/** A value of a Secret: only that it is there can be compared. */
function isHidden(after: JsonObject | undefined, path: string): boolean {
  return /^\(hidden(, changed)?\)$/.test(stringAt(after, ...stepsOf(path)) ?? '')
}

async function differences(ours: Namespace, theirs: Namespace, yaml: string): Promise<readonly string[]> {
  const bodies = [ours, theirs].map(({ name }) => documents(yaml, name))
  const [mine = [], other = []] = await Promise.all(
    [ours, theirs].map((one, index) => Promise.all((bodies[index] ?? []).map((body) => live(one, body)))),
  )
  return mine.flatMap((object, index) =>
    changedPaths(other[index] ?? {}, object).map((path) => `${bodies[0]?.[index]?.kind} ${path}`),
  )
}

/** Without what the API server or a controller chooses for each object anew. */
async function live(namespace: Namespace, body: KubeObject): Promise<JsonObject> {
  const object = (await namespace.api.get(pathOf(namespace, body))) as unknown as KubeObject
  const plain = withoutMatching(withoutBookkeeping(object), serverChosen(object, body))
  return JSON.parse(JSON.stringify(plain).replaceAll(namespace.name, 'NAMESPACE')) as JsonObject
}

/** The controller of a workload writes it once more after each change. */
async function settled(namespace: Namespace, bodies: readonly KubeObject[]): Promise<void> {
  for (const body of bodies.filter(({ apiVersion }) => apiVersion === 'apps/v1')) {
    await waitFor({ what: `the controller has seen ${body.metadata.name}` }, async () => {
      const object = (await namespace.api.get(pathOf(namespace, body))) as unknown as KubeObject
      return numberAt(object, 'status', 'observedGeneration') === object.metadata.generation
    })
  }
}

const PLURALS: { readonly [kind: string]: string } = { NetworkPolicy: 'networkpolicies', Ingress: 'ingresses' }

function pathOf(namespace: Namespace, { apiVersion, kind, metadata }: KubeObject): string {
  const folder = apiVersion === 'v1' ? namespace.path : namespace.in(apiVersion)
  return `${folder}/${PLURALS[kind] ?? `${kind.toLowerCase()}s`}/${metadata.name}`
}

function documents(yaml: string, namespace: string): readonly KubeObject[] {
  return loadAll(inPlace(yaml, namespace)).filter((one): one is KubeObject => one !== null && one !== undefined)
}

function inPlace(text: string, namespace: string): string {
  return text.replaceAll('NAMESPACE', namespace)
}

async function chartOf(yaml: string, crds: string | undefined, namespace: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'twin-chart-'))
  await mkdir(join(folder, 'templates'))
  await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n')
  await writeFile(join(folder, 'templates', 'all.yaml'), inPlace(yaml, namespace))
  if (crds === undefined) return folder
  await mkdir(join(folder, 'crds'))
  await writeFile(join(folder, 'crds', 'all.yaml'), inPlace(crds, namespace))
  return folder
}
