import type { Steps } from '../e2e/timeline.ts'
import { objectFindings } from '../oracle/object-findings.ts'
import { recordFindings, storedRevisions } from '../oracle/record-findings.ts'
import { storyFindings } from '../oracle/story-findings.ts'
import { lockFindings, onceFindings, orderFindings } from '../oracle/write-findings.ts'
import type { Attempt, Stand } from './stand.ts'

/** Hooks run in each deploy; each at most once. */
export const HOOKS = ['jobs/before', 'jobs/afterwards'] as const

const BYSTANDERS = ['foreign', 'neighbour'] as const

/** Objects that are none of the release's business: without marks, and with those of another release. */
export async function createBystanders({ namespace }: Stand): Promise<void> {
  const neighbour = { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': namespace.name }
  for (const name of BYSTANDERS) {
    await namespace.api.create(`${namespace.path}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: name === 'neighbour' ? neighbour : {} },
    })
  }
}

/**
 * What the oracle holds against a run that has just ended, well or not. A run that succeeded has left the objects of its
 * revision, in the order of `steps` where they are given.
 */
export async function runFindings(stand: Stand, attempt: Attempt, steps?: Steps): Promise<readonly string[]> {
  const { namespace } = stand
  const hasSucceeded = attempt.exitCode === 0
  const { findings, view } = await recordFindings(namespace, 'app', { isSettled: hasSucceeded })
  return [
    ...storyFindings(attempt),
    ...findings,
    ...(hasSucceeded && steps !== undefined ? orderFindings(attempt.events, steps) : []),
    ...(hasSucceeded ? await objectFindings(namespace, 'app', view?.manifest ?? []) : []),
    ...onceFindings(attempt.events, HOOKS),
    ...lockFindings([{ name: 'the run', requests: attempt.requests }]),
    ...attempt.leaks.map((leak) => `a secret value in ${leak}`),
    ...(await bystanderFindings(stand)),
  ]
}

/** A run without a fault must succeed, and everything must be well after it. */
export async function cleanRunFindings(stand: Stand, attempt: Attempt): Promise<readonly string[]> {
  const { exitCode, outputs } = attempt
  const ended = exitCode === 0 ? [] : [`it must succeed: exit ${exitCode}, ${outputs['failure-reason']}`]
  const holder = await stand.lockHolder()
  const locked = holder === '' ? [] : [`the lock is still held by ${holder}`]
  return [...ended, ...locked, ...(await runFindings(stand, attempt))].map((finding) => `next run: ${finding}`)
}

/**
 * The next uninstall must succeed, and leave nothing of the release: no record, and no object but what is kept. CRDs of
 * `crds/` stay.
 */
export async function goneFindings(stand: Stand, attempt: Attempt): Promise<readonly string[]> {
  const { namespace, release } = stand
  const { exitCode, outputs } = attempt
  const ended = exitCode === 0 ? [] : [`it must succeed: exit ${exitCode}, ${outputs['failure-reason']}`]
  const holder = await stand.lockHolder()
  const records = await storedRevisions(namespace, 'app')
  const crd = await namespace.api.request(
    'GET',
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${release.crd}`,
  )
  return [
    ...ended,
    ...(holder === '' ? [] : [`the lock is still held by ${holder}`]),
    ...(records === 0 ? [] : [`${records} records are left`]),
    ...(await objectFindings(namespace, 'app', [])),
    ...(crd.status === 200 ? [] : [`the CRD ${release.crd} is gone`]),
    ...storyFindings(attempt),
    ...onceFindings(attempt.events, HOOKS),
    ...lockFindings([{ name: 'the run', requests: attempt.requests }]),
    ...attempt.leaks.map((leak) => `a secret value in ${leak}`),
    ...(await bystanderFindings(stand)),
  ].map((finding) => `next run: ${finding}`)
}

export function logsOf(attempts: readonly Attempt[]): string {
  return attempts.map(({ log, exitCode }, index) => `--- run ${index + 1}: exit ${exitCode} ---\n${log}`).join('\n')
}

/** They are still there, and so is what an annotation keeps. */
async function bystanderFindings({ namespace }: Stand): Promise<readonly string[]> {
  const statuses = await Promise.all(
    [...BYSTANDERS, 'precious'].map(async (name) => {
      const { status } = await namespace.api.request('GET', `${namespace.path}/configmaps/${name}`)
      return status === 200 ? [] : [`ConfigMap/${name} is gone`]
    }),
  )
  return statuses.flat()
}
