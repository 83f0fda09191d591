import type { Verb } from './moments.ts'
import { createBystanders } from './release-findings.ts'
import type { ChartVersion, StagedRelease } from './staged-release.ts'
import { type Attempt, openStand, type Stand } from './stand.ts'

type Inputs = { readonly [name: string]: string }

export function deployOf({ chart }: StagedRelease, version: ChartVersion): Inputs {
  return { command: 'deploy', chart: chart(version) }
}

export function inputsOf(verb: Verb, release: StagedRelease): Inputs {
  switch (verb) {
    case 'install':
      return deployOf(release, 1)
    case 'upgrade':
      return deployOf(release, 2)
    case 'rollback':
      return { command: 'rollback', revision: '1' }
    case 'uninstall':
      return { command: 'uninstall' }
  }
}

/** Runs what has to be there before a run of the verb. Gives findings where that fails. */
export async function prepareFor(verb: Verb, stand: Stand, attempts: Attempt[]): Promise<readonly string[]> {
  await createBystanders(stand)
  const versions = { install: [], upgrade: [1], rollback: [1, 2], uninstall: [1, 2] } as const
  for (const version of versions[verb]) {
    const attempt = await stand.run(deployOf(stand.release, version))
    attempts.push(attempt)
    if (attempt.exitCode !== 0) return ['a run before the fault failed']
  }
  return []
}

const counts = new Map<Verb, Promise<number>>()

/** How many requests a run of the verb sends that nothing goes wrong with. Counted once. */
export function requestCount(verb: Verb, kubeconfig: string): Promise<number> {
  const known = counts.get(verb) ?? countRequests(verb, kubeconfig)
  counts.set(verb, known)
  return known
}

async function countRequests(verb: Verb, kubeconfig: string): Promise<number> {
  const stand = await openStand({ kubeconfig })
  try {
    const findings = await prepareFor(verb, stand, [])
    const { exitCode, requests } = await stand.run(inputsOf(verb, stand.release))
    if (findings.length > 0 || exitCode !== 0) throw new Error(`an undisturbed ${verb} failed`)
    return requests.length
  } finally {
    await stand.close()
  }
}
