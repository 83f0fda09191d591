import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { type LocalGit, localGit } from '../../src/host/local-git.ts'
import { cloneOf, newFolder, newRepository, type Repository } from './repository.ts'

const NO_COMMIT = '0123456789012345678901234567890123456789'

const gitOf = ({ folder }: { readonly folder: string }): LocalGit => localGit(folder, { PATH: process.env.PATH })

/** `main` and `feature` part after the first commit; a merge of both is checked out without a branch. */
function forked() {
  const repository = newRepository()
  repository.commit({ 'a.txt': 'oldest' })
  const first = repository.commit({ 'a.txt': 'first' })
  repository.git('checkout', '--quiet', '-b', 'feature')
  const feature = repository.commit({ 'b.txt': 'feature' })
  repository.git('checkout', '--quiet', 'main')
  const main = repository.commit({ 'c.txt': 'main' })
  repository.git('checkout', '--quiet', '--detach', 'main')
  repository.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'feature')
  return { repository, first, feature, main, merge: repository.git('rev-parse', 'HEAD') }
}

describe('the git of the workspace', () => {
  test('knows what is checked out', async () => {
    const { repository, merge } = forked()
    expect(await gitOf(repository).head()).toBe(merge)
  })

  test('knows what a merge commit merges, the base first', async () => {
    const { repository, main, feature, merge } = forked()
    expect(await gitOf(repository).parentsOf(merge)).toEqual([main, feature])
  })

  test('knows them in a clone of one commit, too, as actions/checkout makes it', async () => {
    const { repository, main, feature, merge } = forked()
    repository.git('branch', 'merged', merge)
    const clone = cloneOf(repository, '--depth=1', '--branch=merged')
    expect(await gitOf(clone).parentsOf(merge)).toEqual([main, feature])
  })

  test('takes no words of a message for parents', async () => {
    const repository = newRepository()
    repository.commit({})
    repository.git('commit', '--quiet', '--allow-empty', '--message', `x\n\nparent ${NO_COMMIT}`)
    const head = repository.git('rev-parse', 'HEAD')
    expect(await gitOf(repository).parentsOf(head)).toEqual([repository.git('rev-parse', 'HEAD~1')])
  })

  test('knows where two commits part', async () => {
    const { repository, feature, main, first } = forked()
    expect(await gitOf(repository).mergeBaseOf(feature, main)).toBe(first)
  })

  test('does not know it in a shallow clone, whose history may end before', async () => {
    const { repository, feature, main, first } = forked()
    const clone = cloneOf(repository, '--depth=2', '--no-single-branch')
    expect(clone.git('merge-base', feature, main)).toBe(first)
    expect(await gitOf(clone).mergeBaseOf(feature, main)).toBeUndefined()
  })

  test('works in a worktree, whose .git is a file', async () => {
    const { repository, feature, main, first } = forked()
    const folder = join(newFolder(), 'worktree')
    repository.git('worktree', 'add', '--quiet', folder, 'feature')
    const git = gitOf({ folder })
    expect([await git.head(), await git.mergeBaseOf(feature, main), (await filesOf(git, first)).names]).toEqual([
      feature,
      first,
      ['top/a.txt'],
    ])
  })

  test.each([
    ['no repository', newFolder()],
    ['no folder', join(newFolder(), 'none')],
  ])('knows nothing where there is %s', async (_, folder) => {
    const git = gitOf({ folder })
    expect([await git.head(), await git.parentsOf(NO_COMMIT), await git.mergeBaseOf(NO_COMMIT, NO_COMMIT)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('knows nothing of the folder above', async () => {
    const { folder } = forked().repository
    mkdirSync(join(folder, 'inner'))
    expect(await gitOf({ folder: join(folder, 'inner') }).head()).toBeUndefined()
  })

  test('knows nothing without a git program', async () => {
    const { repository, merge } = forked()
    const git = localGit(repository.folder, { PATH: newFolder() })
    expect([await git.head(), (await filesOf(git, merge)).isWhole]).toEqual([undefined, false])
  })

  test('takes full names of commits only', async () => {
    const { repository, merge } = forked()
    const git = gitOf(repository)
    const output = join(newFolder(), 'out')
    expect([await git.parentsOf(`--output=${output}`), await git.mergeBaseOf('main', merge)]).toEqual([
      undefined,
      undefined,
    ])
    expect((await filesOf(git, `--output=${output}`)).isWhole).toBe(false)
    expect(existsSync(output)).toBe(false)
  })
})

describe('the files of a commit', () => {
  test('come as tar below one folder', async () => {
    const { repository, feature } = forked()
    const found = await filesOf(gitOf(repository), feature)
    expect(found).toEqual({ isWhole: true, names: ['top/a.txt', 'top/b.txt'] })
  })

  test('come of repositories with long hashes', async () => {
    const repository = newRepository('--object-format=sha256')
    const commit = repository.commit({ 'a.txt': 'a' })
    expect((await filesOf(gitOf(repository), commit)).names).toEqual(['top/a.txt'])
  })

  test('come also where .gitattributes keeps them out of archives', async () => {
    const repository = newRepository()
    const commit = repository.commit({
      '.gitattributes': '[attr]hidden export-ignore\ndeploy/** export-ignore\nx.yaml hidden\n',
      'deploy/Chart.yaml': 'name: web',
      'x.yaml': 'x',
    })
    expect((await filesOf(gitOf(repository), commit)).names).toEqual([
      'top/.gitattributes',
      'top/deploy/Chart.yaml',
      'top/x.yaml',
    ])
  })

  test('are not there where the clone has not fetched the commit', async () => {
    const { repository, first } = forked()
    expect(await filesOf(gitOf(cloneOf(repository, '--depth=1')), first)).toEqual({ isWhole: false, names: [] })
  })

  test('are not whole where a clone leaves contents out', async () => {
    const { repository, first } = forked()
    repository.git('config', 'uploadpack.allowFilter', 'true')
    const clone = cloneOf(repository, '--filter=blob:none')
    const oldest = clone.git('rev-parse', `${first}~1`)
    expect((await filesOf(gitOf(clone), oldest)).isWhole).toBe(false)
  })

  test('settings in .git and attributes run no program', async () => {
    const repository = newRepository()
    const mark = join(newFolder(), 'mark')
    const program = programOf(repository, `touch ${mark}; cat`)
    const commit = repository.commit({ '.gitattributes': '* filter=evil diff=evil\n', 'a.txt': 'a' })
    for (const key of [
      'filter.evil.smudge',
      'filter.evil.process',
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'tar.tar.command',
    ]) {
      repository.git('config', key, program)
    }
    const git = gitOf(repository)
    expect([await git.head(), await git.mergeBaseOf(commit, commit), (await filesOf(git, commit)).names]).toEqual([
      commit,
      commit,
      ['top/.gitattributes', 'top/a.txt'],
    ])
    expect(existsSync(mark)).toBe(false)
  })

  test('the program sees nothing of our environment but PATH, and no program of the checkout is taken for it', async () => {
    const repository = newRepository()
    const bin = newFolder()
    for (const [folder, seen] of [
      [bin, 'seen'],
      [repository.folder, 'wrong'],
    ] as const) {
      writeFileSync(join(folder, 'git'), `#!/bin/sh\nexport -p > ${bin}/${seen}\n`)
      chmodSync(join(folder, 'git'), 0o755)
    }
    vi.stubEnv('INPUT_GITHUB-TOKEN', 'secret')
    vi.stubEnv('ACTIONS_RUNTIME_TOKEN', 'secret')
    await localGit(repository.folder, { PATH: `.:${repository.folder.slice(1)}::${bin}` }).head()
    vi.unstubAllEnvs()
    const names = [...readFileSync(join(bin, 'seen'), 'utf8').matchAll(/^export (\w+)/gm)].map(([, name]) => name)
    expect(names.filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name ?? ''))).toEqual([
      'GIT_CONFIG_GLOBAL',
      'GIT_CONFIG_NOSYSTEM',
      'GIT_NO_LAZY_FETCH',
      'GIT_NO_REPLACE_OBJECTS',
      'GIT_OPTIONAL_LOCKS',
      'GIT_PAGER',
      'GIT_TERMINAL_PROMPT',
      'LC_ALL',
      'PATH',
    ])
    expect(existsSync(join(bin, 'wrong'))).toBe(false)
  })
})

function programOf({ folder }: Repository, script: string): string {
  const path = join(folder, '.git', 'program')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function filesOf(git: LocalGit, commit: string) {
  let tar = ''
  const isWhole = await git.archive(commit, {
    scratch: join(newFolder(), 'git'),
    unpack: async (stream) => {
      tar = await text(stream)
    },
  })
  return {
    isWhole,
    names: [...tar.matchAll(/top\/[\w./-]+/g)]
      .map(([name]) => name)
      .filter((name) => !name.endsWith('/'))
      .sort(),
  }
}
