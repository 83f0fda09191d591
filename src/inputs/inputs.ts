import type { Problem } from '../model/problem.ts'
import type { LeftOut, ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import type { Command } from '../model/verb.ts'
import type { Files, Renderer } from '../ports.ts'
import { parseDuration } from './duration.ts'
import type { InputName, RawInputs } from './names.ts'
import { readValues } from './values.ts'

/** What the user asks for, parsed once. */
export interface Settings extends ReleaseOptions {
  readonly command: Command
  /** In the order in which `command` works on them. `{ ...settings, ...spec.options }` holds for one of them. */
  readonly releases: readonly ReleaseSpec[]
  /** Documents of `manifests` that are not deployed. */
  readonly leftOut: readonly LeftOut[]
  /** Of `rollback`; undefined for the last good one. */
  readonly revision: number | undefined
  /** Of `uninstall`. */
  readonly keepHistory: boolean
  readonly prune: boolean
  /** Whether test hooks run after a deploy. */
  readonly test: boolean
  /** Names of the test hooks that run; empty for all. */
  readonly testFilter: readonly string[]
  /** Path or content; undefined for the machine's own. */
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly comment: 'always' | 'changes' | 'never'
  readonly githubToken: string
  readonly summary: boolean
}

export interface InputPorts {
  readonly files: Files
  readonly renderer: Renderer
}

/** Source of the name's form and length: engine-semantics A6. */
const RELEASE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const RELEASE_NAME_MAX_CHARS = 53
const NAMESPACE_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** All mistakes at once, each naming input, value and accepted form; of secret inputs only line and key. */
export async function readInputs(
  read: RawInputs,
  { files }: InputPorts,
): Promise<{ readonly settings?: Settings; readonly problems: readonly Problem[] }> {
  // Only values are indented text, in which a leading blank counts.
  const raw: RawInputs = (name) => (name === 'values' || name === 'kubeconfig' ? read(name) : read(name).trim())
  const problems: Problem[] = []
  const wrong = (input: InputName, accepted: string) => {
    problems.push(inputProblem(input, `"${shorten(raw(input))}" is not valid`, accepted))
  }
  const oneOf = <T extends string>(input: InputName, allowed: readonly [T, ...T[]]): T => {
    const found = allowed.find((value) => value === raw(input))
    if (found === undefined) wrong(input, `write one of ${allowed.join(', ')}`)
    return found ?? allowed[0]
  }
  const isTrue = (input: InputName): boolean => {
    if (/^(true|True|TRUE)$/.test(raw(input))) return true
    if (!/^(false|False|FALSE)$/.test(raw(input))) wrong(input, 'write true or false')
    return false
  }

  const command = oneOf('command', ['deploy', 'plan'])
  const comment = oneOf('comment', ['changes', 'always', 'never'])
  const timeoutSeconds = parseDuration(raw('timeout'))
  if (timeoutSeconds === undefined) wrong('timeout', 'write a duration above zero such as 90s, 10m or 1h30m')
  const release = raw('release')
  if (release === '') problems.push(inputProblem('release', 'is missing', 'name the release'))
  else if (!RELEASE_NAME.test(release) || release.length > RELEASE_NAME_MAX_CHARS) {
    wrong('release', `write lower-case letters, digits, "-" and ".", at most ${RELEASE_NAME_MAX_CHARS} characters`)
  }
  const namespace = raw('namespace')
  if (namespace !== '' && !NAMESPACE_NAME.test(namespace)) {
    wrong('namespace', 'write lower-case letters, digits and "-", at most 63 characters')
  }
  problems.push(...(await chartProblems(raw('chart'), files)))
  const values = await readValues(raw, files)
  problems.push(...values.problems)
  const switches = {
    createNamespace: isTrue('create-namespace'),
    takeOwnership: isTrue('take-ownership'),
    forceConflicts: isTrue('force-conflicts'),
    summary: isTrue('summary'),
  }
  if (problems.length > 0 || timeoutSeconds === undefined) return { problems }

  const spec: ReleaseSpec = {
    release,
    ...(namespace === '' ? {} : { namespace }),
    weight: 0,
    source: { kind: 'chart', path: raw('chart'), values: values.values },
  }
  return {
    problems,
    settings: {
      command,
      releases: [spec],
      kubeconfig: given(raw('kubeconfig')),
      context: given(raw('context')),
      timeoutSeconds,
      comment,
      githubToken: raw('github-token'),
      leftOut: [],
      revision: undefined,
      keepHistory: false,
      historyMax: 10,
      wait: true,
      prune: true,
      test: false,
      testFilter: [],
      onFailure: 'stop',
      withCrds: true,
      withHooks: true,
      ...switches,
    },
  }
}

async function chartProblems(chart: string, files: Files): Promise<readonly Problem[]> {
  if (chart === '') return [inputProblem('chart', 'is missing', 'write the path of a chart directory or of a .tgz')]
  const found = await files.exists(chart)
  if (found === 'none') {
    return [
      inputProblem('chart', `"${shorten(chart)}" does not exist`, 'write the path of a chart, and check it out first'),
    ]
  }
  if (found === 'directory' && (await files.exists(`${chart}/Chart.yaml`)) !== 'file') {
    return [
      inputProblem('chart', `"${shorten(chart)}" holds no Chart.yaml`, 'write the path of the directory of the chart'),
    ]
  }
  return []
}

function inputProblem(input: InputName, what: string, hint: string): Problem {
  return { severity: 'error', reason: 'invalid-input', place: { input }, what: `input ${input}: ${what}`, hint }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text
}
