import { type Command, commands } from '../model/command.ts'
import type { Problem } from '../model/problem.ts'
import { inputLines } from './input-lines.ts'
import type { RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'
import type { StartedPath } from './working-directory.ts'

/** What replaces the cluster where the plan is made without one. */
export interface Offline {
  /** Folder with the base branch's files; undefined: the merge base is looked up. */
  readonly basePath: string | undefined
  /** `v1.34.0`; undefined: the engine's own default. */
  readonly kubeVersion: string | undefined
  /** `group/version` and `group/version/Kind`, in addition to the built-in ones. */
  readonly apiVersions: readonly string[]
}

export function readOffline(
  raw: RawInputs,
  command: Command,
  started: StartedPath,
): { readonly offline: Offline; readonly problems: readonly Problem[] } {
  const version = raw('kube-version')
  const apiVersions = inputLines(raw('api-versions'))
  const problems = [
    ...(raw('cluster') === 'none' && commands[command].mayBeOffline !== true
      ? [inputProblem('cluster', `none works with plans only, and command is ${command}`, { kind: 'set-cluster-auto' })]
      : []),
    ...(version !== '' && !/^v?1\.\d{1,3}(\.\d{1,3})?([+-][0-9A-Za-z.+-]{1,60})?$/.test(version)
      ? [inputProblem('kube-version', `"${shorten(version)}" is not valid`, { kind: 'write-kube-version' })]
      : []),
    ...apiVersions
      .filter(({ text }) => !/^[a-z0-9.-]+(\/[A-Za-z0-9]+){0,2}$/.test(text))
      .map(({ text, line }) =>
        inputProblem('api-versions', `"${shorten(text)}" is not valid`, { kind: 'write-api-version' }, line),
      ),
  ]
  return {
    problems,
    offline: {
      basePath: raw('base-path') === '' ? undefined : started(raw('base-path')),
      kubeVersion: version === '' ? undefined : version,
      apiVersions: apiVersions.map(({ text }) => text),
    },
  }
}
