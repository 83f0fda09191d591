import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A repository in a temporary folder, made with the git program. */
export interface Repository {
  readonly folder: string
  /** Runs git in it; gives what it prints. */
  git(...args: readonly string[]): string
  /** Writes the files and commits all of them; gives the commit. */
  commit(files: { readonly [path: string]: string }): string
}

export function newRepository(...options: readonly string[]): Repository {
  const repository = repositoryIn(newFolder())
  repository.git('init', '--quiet', '--initial-branch=main', ...options)
  return repository
}

/** A clone of it; over `file:` `--depth` counts. */
export function cloneOf(repository: Repository, ...options: readonly string[]): Repository {
  const folder = newFolder()
  execFileSync(
    'git',
    ['-c', 'advice.detachedHead=false', 'clone', '--quiet', ...options, `file://${repository.folder}`, folder],
    { env },
  )
  return repositoryIn(folder)
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'staged-helm-deploy-repository-'))
}

const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

function repositoryIn(folder: string): Repository {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  return {
    folder,
    git,
    commit: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'change')
      return git('rev-parse', 'HEAD')
    },
  }
}
