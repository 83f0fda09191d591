import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { type BaseTreeRequest, openBaseTree } from '../../src/host/base-tree.ts'
import { DeployError } from '../../src/model/errors.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { cloneOf, newFolder, newRepository } from './repository.ts'

const NO_COMMIT = '0123456789012345678901234567890123456789'

const pullRequest: FoundPullRequest = {
  number: 7,
  headSha: NO_COMMIT,
  baseSha: NO_COMMIT,
  isOpen: true,
  isFork: true,
  isDependabot: false,
}

/** The base goes on after the head has left it, and GitHub has merged both for the check. */
function history() {
  const repository = newRepository()
  const parting = repository.commit({ 'a.txt': 'parting' })
  repository.git('checkout', '--quiet', '-b', 'feature')
  const headSha = repository.commit({ 'a.txt': 'head' })
  repository.git('checkout', '--quiet', 'main')
  const baseSha = repository.commit({ 'other.txt': 'base' })
  repository.git('checkout', '--quiet', '-b', 'merged')
  repository.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'feature')
  return { repository, parting, headSha, baseSha, found: { ...pullRequest, headSha, baseSha } }
}

/** GitHub's answers; keeps what it was asked. */
async function apiWith(files: { readonly [path: string]: string }) {
  const asked: string[] = []
  const tar = pack()
  for (const [path, text] of Object.entries(files)) tar.entry({ name: `acme-shop-1234567/${path}` }, text)
  tar.finalize()
  const packed = await buffer(tar.pipe(createGzip()))
  const api: NonNullable<BaseTreeRequest['api']> = {
    mergeBase: async ({ number }) => {
      asked.push(`merge base of ${number}`)
      return NO_COMMIT
    },
    archive: async (commit) => {
      asked.push(`archive of ${commit}`)
      return packed
    },
  }
  return { api, asked }
}

async function opened(request: Omit<BaseTreeRequest, 'temp' | 'environment'>) {
  const temp = newFolder()
  const tree = await openBaseTree({ ...request, temp, environment: { PATH: process.env.PATH } })
  const files = Object.fromEntries(
    readdirSync(tree.folder)
      .filter((name) => name !== '.git')
      .map((name) => [name, readFileSync(join(tree.folder, name), 'utf8')]),
  )
  await tree.close()
  return { commitSha: tree.commitSha, files, left: readdirSync(temp) }
}

async function failureOf(request: Omit<BaseTreeRequest, 'temp' | 'environment'>) {
  const temp = newFolder()
  const error = await openBaseTree({ ...request, temp, environment: { PATH: process.env.PATH } }).catch(
    (thrown) => thrown,
  )
  expect(readdirSync(temp)).toEqual([])
  return error instanceof DeployError ? error.failure : error
}

describe('the base', () => {
  test('is where the checked out head left it, removed at the end', async () => {
    const { repository, parting, found } = history()
    repository.git('checkout', '--quiet', 'feature')
    const tree = await opened({ workspace: repository.folder, pullRequest: found })
    expect(tree).toEqual({ commitSha: parting, files: { 'a.txt': 'parting' }, left: [] })
  })

  test('of a merge commit is what it was merged into, so that the work of others does not show', async () => {
    const { repository, baseSha, found } = history()
    const tree = await opened({ workspace: repository.folder, pullRequest: { ...found, baseSha: NO_COMMIT } })
    expect(tree).toMatchObject({ commitSha: baseSha, files: { 'a.txt': 'parting', 'other.txt': 'base' } })
  })

  test('comes from GitHub where the clone holds one commit only', async () => {
    const { repository, baseSha, found } = history()
    const { folder } = cloneOf(repository, '--depth=1', '--branch=merged')
    const { api, asked } = await apiWith({ 'a.txt': 'packed' })
    const tree = await opened({ workspace: folder, pullRequest: found, api })
    expect(tree).toEqual({ commitSha: baseSha, files: { 'a.txt': 'packed' }, left: [] })
    expect(asked).toEqual([`archive of ${baseSha}`])
  })

  test('is asked of GitHub where the history does not reach back, or there is none', async () => {
    const { api, asked } = await apiWith({ 'a.txt': 'packed' })
    const tree = await opened({ workspace: newFolder(), pullRequest, api })
    expect(tree).toMatchObject({ commitSha: NO_COMMIT, files: { 'a.txt': 'packed' } })
    expect(asked).toEqual(['merge base of 7', `archive of ${NO_COMMIT}`])
  })

  test('comes whole from GitHub where the clone leaves contents out', async () => {
    const { repository, found } = history()
    repository.git('config', 'uploadpack.allowFilter', 'true')
    const { folder } = cloneOf(repository, '--filter=blob:none', '--branch=feature')
    const { api } = await apiWith({ 'packed.txt': 'packed' })
    const tree = await opened({ workspace: folder, pullRequest: found, api })
    expect(tree.files).toEqual({ 'packed.txt': 'packed' })
  })

  test('is the folder of base-path, which stays', async () => {
    const workspace = newFolder()
    mkdirSync(join(workspace, 'base'))
    writeFileSync(join(workspace, 'base', 'a.txt'), 'given')
    const tree = await opened({ workspace, basePath: 'base' })
    expect(tree).toEqual({ commitSha: undefined, files: { 'a.txt': 'given' }, left: [] })
    expect(readdirSync(join(workspace, 'base'))).toEqual(['a.txt'])
  })

  test('tells the commit of base-path where git knows it', async () => {
    const { repository } = history()
    const tree = await opened({ workspace: newFolder(), basePath: repository.folder })
    expect(tree.commitSha).toBe(repository.git('rev-parse', 'HEAD'))
  })
})

describe('without a base', () => {
  test('of base-path, the folder is named', async () => {
    expect(await failureOf({ workspace: newFolder(), basePath: 'base' })).toEqual({
      reason: 'invalid-input',
      doing: 'get the files of the base',
      message: 'base-path base is not a folder',
      hint: { kind: 'check-out-at-base-path' },
    })
  })

  test('because GitHub does not say which pull request it is, the reason is told; with base-path nobody is asked', async () => {
    const { repository } = history()
    const findPullRequest = async () => {
      throw new Error('could not find the pull request of this run: the token may not')
    }
    expect(await failureOf({ workspace: repository.folder, findPullRequest })).toMatchObject({
      reason: 'invalid-input',
      message: 'GitHub does not give the base: could not find the pull request of this run: the token may not',
    })
    const tree = await opened({ workspace: repository.folder, basePath: '.', findPullRequest })
    expect(tree.files).not.toEqual({})
  })

  test('because there is no pull request, base-path is the way', async () => {
    expect(await failureOf({ workspace: newFolder() })).toMatchObject({
      message: 'the run belongs to no pull request, so that its base is not known',
      hint: { kind: 'set-base-path' },
    })
  })

  test('because the clone is shallow and there is no token, three ways are named', async () => {
    const { repository, found } = history()
    const { folder } = cloneOf(repository, '--depth=1', '--branch=feature')
    expect(await failureOf({ workspace: folder, pullRequest: found })).toMatchObject({
      message: 'the history of the checkout does not reach back to the base branch',
      hint: { kind: 'make-base-reachable' },
    })
  })

  test('because the clone of a merge commit lacks its parent and there is no token, the commit is named', async () => {
    const { repository, baseSha, found } = history()
    const { folder } = cloneOf(repository, '--depth=1', '--branch=merged')
    expect(await failureOf({ workspace: folder, pullRequest: found })).toMatchObject({
      message: `the checkout does not give the files of its base ${baseSha.slice(0, 12)}`,
      hint: { kind: 'make-base-reachable' },
    })
  })

  test('because GitHub refuses, its words are told', async () => {
    const { api } = await apiWith({})
    const refusing = { ...api, archive: async () => Promise.reject(new Error('Not Found')) }
    expect(await failureOf({ workspace: newFolder(), pullRequest, api: refusing })).toMatchObject({
      message: 'GitHub does not give the base: Not Found',
      hint: { kind: 'make-base-reachable' },
    })
  })

  test('because the archive is too large, base-path is the way', async () => {
    const { api } = await apiWith({ 'a.txt': 'packed', 'b.txt': 'packed' })
    const limits = { entries: 1, bytes: 100, fileBytes: 100 }
    expect(await failureOf({ workspace: newFolder(), pullRequest, api, limits })).toMatchObject({
      message: 'the files of the base 012345678901 cannot be unpacked: it holds more than 1 files',
      hint: { kind: 'check-out-base' },
    })
  })

  test('because the archive is none, that is told', async () => {
    const api = { mergeBase: async () => NO_COMMIT, archive: async () => new TextEncoder().encode('<html>') }
    expect(await failureOf({ workspace: newFolder(), pullRequest, api })).toMatchObject({
      message: 'the files of the base 012345678901 cannot be unpacked: incorrect header check',
    })
  })
})
