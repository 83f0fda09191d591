import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../src/model/errors.ts'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { HELM_VERSIONS, type HelmView, helmView } from './helm-view.ts'

export interface RecordView {
  readonly findings: readonly string[]
  /** Absent where `helm` 4 cannot read the release. */
  readonly view: HelmView | undefined
}

/**
 * What `helm` 3 and 4 hold against the record of a release. `isSettled`: the last run came to its end, so that nothing is
 * pending and one revision is deployed; what is live can then be looked up too.
 */
export async function recordFindings(
  namespace: Namespace,
  release: string,
  { isSettled }: { readonly isSettled: boolean },
): Promise<RecordView> {
  const findings: string[] = []
  const views: HelmView[] = []
  for (const version of HELM_VERSIONS) {
    try {
      const view = await helmView(namespace, release, version, { withStatus: isSettled })
      views.push(view)
      findings.push(...historyFindings(view, isSettled).map((finding) => `${version}: ${finding}`))
    } catch (error) {
      findings.push(`${version} cannot read the release: ${messageOf(error)}`)
    }
  }
  const stored = await storedRevisions(namespace, release)
  for (const { revisions } of views) {
    // `helm` passes over a record that it cannot read.
    if (revisions.length !== stored) findings.push(`${stored} revisions are stored and helm reads ${revisions.length}`)
  }
  const [first, second] = views
  if (first !== undefined && second !== undefined && !isDeepStrictEqual(first, second)) {
    findings.push('helm 3 and 4 tell different things of the release')
  }
  return { findings, view: second ?? first }
}

/** How many revisions of the release the cluster holds. */
export async function storedRevisions({ api, path }: Namespace, release: string): Promise<number> {
  const items = at(await api.get(`${path}/secrets?labelSelector=owner%3Dhelm%2Cname%3D${release}`), 'items')
  return Array.isArray(items) ? items.length : 0
}

function historyFindings({ revisions, newest }: HelmView, isSettled: boolean): readonly string[] {
  const told = revisions.map(({ revision, status }) => `${revision} ${status}`).join(', ')
  const numbers = revisions.map(({ revision }) => revision)
  const isIncreasing = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))
  const deployed = revisions.filter(({ status }) => status === 'deployed').length
  const pending = revisions.filter(({ status }) => status.startsWith('pending')).length
  const last = revisions.at(-1)
  const isSame = newest === undefined || isDeepStrictEqual(newest, last)
  return [
    ...(isSame ? [] : [`helm status tells revision ${newest?.revision} ${newest?.status}, its history ${told}`]),
    ...(isIncreasing ? [] : [`the revisions do not increase: ${told}`]),
    ...(isSettled && deployed !== 1 ? [`${deployed} revisions are deployed: ${told}`] : []),
    ...(isSettled && pending > 0 ? [`a revision is pending: ${told}`] : []),
    ...(pending > 1 ? [`${pending} revisions are pending: ${told}`] : []),
  ]
}
