import { spawn } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Longest time for one question, and for one copy of all files, in ms. */
const QUESTION_LIMIT_MS = 20_000
const ARCHIVE_LIMIT_MS = 120_000
/** Longest answer to a question, in characters: a commit object with its message. */
const MAX_ANSWER_CHARS = 100_000

/** What the git of a folder knows. Undefined: no git program, no repository right there, or nothing about that commit. */
export interface LocalGit {
  /** Commit that is checked out. */
  head(): Promise<string | undefined>
  /** The parents that a commit names, also those that a shallow clone lacks. */
  parentsOf(commit: string): Promise<readonly string[] | undefined>
  /** Undefined in a shallow clone as well: its history may end before the commits meet. */
  mergeBaseOf(a: string, b: string): Promise<string | undefined>
  /** Gives all files of a commit as a tar stream, below the folder `top/`. False where git could not give them all. */
  archive(
    commit: string,
    how: { readonly scratch: string; readonly unpack: (tar: Readable) => Promise<void> },
  ): Promise<boolean>
}

/**
 * The folder may hold the code of a fork. The program sees none of our environment but PATH, only `.git` of this
 * very folder counts (files of a fork can look like a repository, but git checks out no file of that name), and the
 * copy is made under a configuration of our own, so that no filter, hook or monitor runs. See docs/decisions/0033.
 */
export function localGit(folder: string, environment: { readonly PATH?: string | undefined }): LocalGit {
  const gitDirectory = join(folder, '.git')
  const env = environmentOf(environment.PATH ?? '')
  const askGit = async (...args: readonly string[]): Promise<string | undefined> => {
    if (!(await pathExists(gitDirectory))) return undefined
    return gitAnswer({ env, cwd: folder, args: [`--git-dir=${gitDirectory}`, ...SETTINGS, ...args] })
  }
  return {
    head: async () => commitIn(await askGit('rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}')),
    parentsOf: async (commit) => {
      if (!isCommit(commit)) return undefined
      const object = await askGit('cat-file', 'commit', commit)
      return object === undefined ? undefined : parentsIn(object)
    },
    mergeBaseOf: async (a, b) => {
      if (!isCommit(a) || !isCommit(b)) return undefined
      if ((await askGit('rev-parse', '--is-shallow-repository')) !== 'false') return undefined
      return commitIn(await askGit('merge-base', '--end-of-options', a, b))
    },
    archive: async (commit, { scratch, unpack }) => {
      if (!isCommit(commit) || (await askGit('cat-file', '-t', commit)) !== 'commit') return false
      const objects = await askGit('rev-parse', '--git-path', 'objects')
      if (objects === undefined || !isAbsolute(objects)) return false
      await writeBareRepository(scratch, commit)
      return runArchive(commit, { env: { ...env, GIT_OBJECT_DIRECTORY: objects }, scratch, unpack })
    },
  }
}

/** On the command line, which git trusts: the checkout may belong to another user, and its own settings must not run programs. */
const SETTINGS = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']

function environmentOf(path: string): { readonly [name: string]: string } {
  return {
    // A relative entry would name a program of the checkout.
    PATH: path.split(delimiter).filter(isAbsolute).join(delimiter),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
  }
}

/** Full names only: they cannot be options, and no branch of a fork can be called like one of them. */
function isCommit(name: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)
}

function commitIn(answer: string | undefined): string | undefined {
  return answer !== undefined && isCommit(answer) ? answer : undefined
}

/** The header of a commit ends at the first empty line. */
function parentsIn(commit: string): readonly string[] {
  const [header = ''] = commit.split('\n\n', 1)
  return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].flatMap(([, parent]) => parent ?? [])
}

interface GitCall {
  readonly env: { readonly [name: string]: string }
  readonly cwd: string
  readonly args: readonly string[]
}

function startGit({ env, cwd, args }: GitCall, timeout: number) {
  const child = spawn('git', args, {
    env,
    cwd,
    shell: false,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<boolean>((resolve) => {
    // A missing git program is an answer, too, and no error.
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  return { out: child.stdout, ended }
}

async function gitAnswer(run: GitCall): Promise<string | undefined> {
  const { out, ended } = startGit(run, QUESTION_LIMIT_MS)
  const [answer, isGood] = await Promise.all([text(out), ended])
  return isGood && answer.length <= MAX_ANSWER_CHARS ? answer.trimEnd() : undefined
}

/**
 * A repository without objects and with settings of ours. `export-ignore` would leave charts out of the copy that people
 * keep out of their release archives; `export-subst` would change texts. `info/attributes` has precedence over those of the tree.
 */
async function writeBareRepository(folder: string, commit: string): Promise<void> {
  const format = commit.length === 64 ? ['repositoryformatversion = 1', 'bare = true'] : ['bare = true']
  const extensions = commit.length === 64 ? ['[extensions]', 'objectformat = sha256'] : []
  await mkdir(join(folder, 'objects'), { recursive: true })
  await mkdir(join(folder, 'refs'))
  await mkdir(join(folder, 'info'))
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(folder, 'config'), `${['[core]', ...format, ...extensions].join('\n')}\n`)
  await writeFile(join(folder, 'info', 'attributes'), '* -export-ignore -export-subst\n')
}

async function runArchive(
  commit: string,
  how: {
    readonly env: GitCall['env']
    readonly scratch: string
    readonly unpack: (tar: Readable) => Promise<void>
  },
): Promise<boolean> {
  const args = [`--git-dir=${how.scratch}`, 'archive', '--format=tar', '--prefix=top/', commit]
  const { out, ended } = startGit({ env: how.env, cwd: how.scratch, args }, ARCHIVE_LIMIT_MS)
  try {
    await how.unpack(out)
  } finally {
    // A reader that stops early ends the program, too.
    out.destroy()
  }
  return ended
}

async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
