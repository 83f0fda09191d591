import type { readBaseReleases } from '../inputs/base-releases.ts'
import { defined } from '../model/defined.ts'
import type { PassResult } from '../model/pass.ts'
import { baseRenderWorld } from '../pass/base-render-world.ts'
import type { BaseTree } from '../ports.ts'
import type { Reporter } from './reporter.ts'
import { runReleases } from './run.ts'
import type { RunPorts, RunRequest } from './run-request.ts'

export interface BaseRenderRequest extends RunRequest {
  readonly openBase: () => Promise<BaseTree>
  /** The releases as the same inputs name them in the copy of the base. */
  readonly readBase: (folder: string) => ReturnType<typeof readBaseReleases>
}

/** A run without a cluster: the plans of all releases, render against render. */
export async function runAgainstBase(
  request: BaseRenderRequest,
  ports: Omit<RunPorts, 'world'>,
  reporter: Reporter,
): Promise<readonly PassResult[]> {
  const { apiVersions, basePath, kubeVersion } = request.settings
  const tree = await request.openBase()
  try {
    const { releases, problems } = await request.readBase(tree.folder)
    const name = tree.commitSha?.slice(0, 12) ?? basePath ?? ''
    const [problem] = problems
    const fault = problem === undefined ? '' : `, where ${problem.what}`
    reporter.note(`Without a cluster: this render against that of the base ${name}${fault}.`)
    const world = baseRenderWorld({ releases, apiVersions, ...defined({ kubeVersion }) })
    return await runReleases(request, { ...ports, world }, reporter)
  } finally {
    await tree.close()
  }
}
