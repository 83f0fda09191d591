import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findProvided } from '../../../src/tools/builds/provided-binaries.ts'

const SERVERS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

describe('what a machine has of its own', () => {
  it('is used where a program of the PATH has the version that would be built', async () => {
    const other = await folderOf({ helm: 'v4.2.0' })
    const right = await folderOf({ helm: 'v4.3.1', kwok: 'kwok version v0.8.0' })
    const env = { PATH: [other, right].join(delimiter) }
    expect(await findProvided('helm4', env)).toEqual({ path: join(right, 'helm') })
    expect(await findProvided('kwok', env)).toEqual({ path: join(right, 'kwok') })
  })

  it('is not used in another version, and why is said', async () => {
    const folder = await folderOf({ helm: 'v4.2.0' })
    expect(await findProvided('helm4', { PATH: folder })).toEqual({
      notice: `${join(folder, 'helm')} is not used: it is v4.2.0, not v4.3.1`,
    })
  })

  it('may be Helm 3 and 4 under names of their own', async () => {
    const folder = await folderOf({ helm: 'v4.3.1', helm3: 'v3.22.0' })
    expect(await findProvided('helm3', { PATH: folder })).toEqual({ path: join(folder, 'helm3') })
  })

  it('is used where KUBEBUILDER_ASSETS holds all four servers', async () => {
    const folder = await folderOf({ etcd: '', ...servers('Kubernetes v1.37.1') })
    expect(await findProvided('control-plane', { KUBEBUILDER_ASSETS: folder })).toEqual({ path: folder })
  })

  it('is not used where KUBEBUILDER_ASSETS lacks a server, as the folders of setup-envtest do', async () => {
    const folder = await folderOf({ etcd: '', 'kube-apiserver': 'Kubernetes v1.37.1', kubectl: '' })
    expect(await findProvided('control-plane', { KUBEBUILDER_ASSETS: folder })).toEqual({
      notice: `KUBEBUILDER_ASSETS (${folder}) is not used: it has no kube-controller-manager, kube-scheduler`,
    })
  })

  it('is not used where the servers of KUBEBUILDER_ASSETS are of another version', async () => {
    const folder = await folderOf({ etcd: '', ...servers('Kubernetes v1.36.0') })
    expect(await findProvided('control-plane', { KUBEBUILDER_ASSETS: folder })).toEqual({
      notice: `KUBEBUILDER_ASSETS (${folder}) is not used: its kube-apiserver is Kubernetes v1.36.0, not v1.37.1`,
    })
  })

  it('is nothing where nothing is there', async () => {
    expect(await findProvided('helm4', { PATH: await folderOf({}) })).toEqual({})
    expect(await findProvided('control-plane', {})).toEqual({})
    expect(await findProvided('act', { PATH: await folderOf({ act: '0.2.89' }) })).toEqual({})
  })
})

function servers(version: string): { readonly [file: string]: string } {
  return Object.fromEntries(SERVERS.map((name) => [name, version]))
}

/** Programs that print what they are told to. */
async function folderOf(programs: { readonly [file: string]: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'provided-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [file, text] of Object.entries(programs)) {
    await writeFile(join(folder, file), `#!/bin/sh\necho '${text}'\n`)
    await chmod(join(folder, file), 0o755)
  }
  return folder
}
