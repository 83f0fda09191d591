import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import type { Namespace } from '../cluster/namespace.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** The real `helm` of one major version, in the namespace of a test. Gives standard output; fails where helm fails. */
export type Helm = (...args: readonly string[]) => Promise<string>

export async function helmIn(namespace: Namespace, version: 'helm3' | 'helm4'): Promise<Helm> {
  const binary = await ensureBinary(version)
  const home = join(tmpdir(), 'staged-helm-deploy-helm-home')
  return async (...args) => {
    const place = ['--namespace', namespace.name, '--kubeconfig', namespace.kubeconfig]
    const { stdout } = await run(binary, [...args, ...place], {
      cwd: ROOT,
      env: { HOME: home, PATH: process.env.PATH },
    })
    return stdout
  }
}
