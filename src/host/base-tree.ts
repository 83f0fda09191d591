import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { defined } from '../model/defined.ts'
import { DeployError, messageOf } from '../model/errors.ts'
import type { BaseHint } from '../model/hint.ts'
import type { Failure } from '../model/outcome.ts'
import type { BaseTree, FoundPullRequest, PullRequest } from '../ports.ts'
import { type LocalGit, localGit } from './local-git.ts'
import { type UnpackLimits, unpackTar } from './unpack-tar.ts'

export interface BaseTreeRequest {
  /** Absolute path. */
  readonly workspace: string
  /** The one behind the run. */
  readonly pullRequest?: FoundPullRequest
  /** Finds it where `pullRequest` is absent; asked only without `basePath`. */
  readonly findPullRequest?: () => Promise<FoundPullRequest | undefined>
  /** Input `base-path`, relative to the workspace or absolute. */
  readonly basePath?: string
  /** Absent without a token. */
  readonly api?: Pick<PullRequest, 'mergeBase' | 'archive'>
  /** Folder for the copy, which gets a new one in it. */
  readonly temp: string
  /** Only PATH is used: to find git. */
  readonly environment: { readonly PATH?: string | undefined }
  readonly limits?: UnpackLimits
}

/**
 * The files that a plan without a cluster is compared with: the folder that the input names, else those of the commit
 * where the checkout branched off its base, by the git of the workspace, else by GitHub's API. Throws DeployError, which
 * says what to do.
 */
export async function openBaseTree(request: BaseTreeRequest): Promise<BaseTree> {
  if (request.basePath !== undefined) return givenFolder(request.basePath, request)
  const git = localGit(request.workspace, request.environment)
  const commitSha = await baseCommit(request, git)
  const scratch = await mkdtemp(join(request.temp, 'staged-helm-deploy-base-'))
  const close = () => rm(scratch, { recursive: true, force: true })
  const folder = join(scratch, 'tree')
  try {
    await copyFiles(commitSha, { git, scratch, folder }, request)
    return { commitSha, folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function givenFolder(basePath: string, { workspace, environment }: BaseTreeRequest): Promise<BaseTree> {
  const folder = resolve(workspace, basePath)
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false, // Not there: that is the answer.
  )
  if (!isFolder) {
    throw noBase(`base-path ${basePath} is not a folder`, 'check-out-at-base-path')
  }
  const commitSha = await localGit(folder, environment).head()
  return { ...defined({ commitSha }), folder, close: async () => {} }
}

/**
 * A merge commit of the pull request holds the base as its first parent: against an older base it would show what others
 * have merged since. For any other checkout it is the merge base.
 */
async function baseCommit(request: BaseTreeRequest, git: LocalGit): Promise<string> {
  const { api, findPullRequest } = request
  const pullRequest = request.pullRequest ?? (findPullRequest && (await askApi(findPullRequest)))
  if (pullRequest === undefined) {
    throw noBase('the run belongs to no pull request, so that its base is not known', 'set-base-path')
  }
  const head = await git.head()
  const [firstParent, ...merged] = (head === undefined ? undefined : await git.parentsOf(head)) ?? []
  if (firstParent !== undefined && merged.includes(pullRequest.headSha)) return firstParent
  const local = head === undefined ? undefined : await git.mergeBaseOf(head, pullRequest.baseSha)
  if (local !== undefined) return local
  if (api === undefined) {
    throw noBase('the history of the checkout does not reach back to the base branch', 'make-base-reachable')
  }
  return askApi(() => api.mergeBase(pullRequest))
}

/** From the checkout, else from GitHub; the copy is there afterwards. */
async function copyFiles(
  commit: string,
  place: { readonly git: LocalGit; readonly scratch: string; readonly folder: string },
  { api, limits }: BaseTreeRequest,
): Promise<void> {
  const { git, scratch, folder } = place
  const unpack = (tar: Readable) => unpackTar(tar, folder, limits)
  const name = commit.slice(0, 12)
  let cause: unknown
  try {
    if (await git.archive(commit, { scratch: join(scratch, 'git'), unpack })) return
  } catch (error) {
    // A clone without all files ends in the middle: GitHub has them.
    cause = error
  }
  if (api === undefined) {
    const fault = cause === undefined ? '' : `: ${messageOf(cause)}`
    throw noBase(`the checkout does not give the files of its base ${name}${fault}`, 'make-base-reachable', cause)
  }
  await rm(folder, { recursive: true, force: true })
  const packed = await askApi(() => api.archive(commit))
  try {
    await unpack(Readable.from([packed]).pipe(createGunzip()))
  } catch (error) {
    throw noBase(`the files of the base ${name} cannot be unpacked: ${messageOf(error)}`, 'check-out-base', error)
  }
}

async function askApi<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw noBase(`GitHub does not give the base: ${messageOf(error)}`, 'make-base-reachable', error)
  }
}

function noBase(message: string, hint: BaseHint, cause?: unknown): DeployError {
  const failure: Failure = {
    reason: 'invalid-input',
    doing: 'get the files of the base',
    message,
    hint: { kind: hint },
  }
  return new DeployError(failure, { cause })
}
