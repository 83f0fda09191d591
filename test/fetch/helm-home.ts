import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** The real `helm` with configuration, cache and data of its own. */
export interface HelmHome {
  /** What a job would find: Helm's files, and Docker's where `DOCKER_CONFIG` points. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Standard output; fails with what helm says where helm fails. */
  run(args: readonly string[], options?: { readonly folder?: string }): Promise<string>
  /** What the registry says it has taken: the manifest's digest. */
  push(archive: string, target: string): Promise<string>
  close(): Promise<void>
}

export interface HelmHomeOptions {
  readonly version?: 'helm4' | 'helm3'
  readonly authorityFile?: string
  readonly proxy?: string
}

export async function createHelmHome(options: HelmHomeOptions = {}): Promise<HelmHome> {
  const { version = 'helm4', authorityFile, proxy } = options
  const binary = await ensureBinary(version)
  const folder = await mkdtemp(join(tmpdir(), 'helm-home-'))
  const env = {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    TZ: 'UTC',
    KUBECONFIG: '/dev/null',
    DOCKER_CONFIG: join(folder, 'docker'),
    HELM_CACHE_HOME: join(folder, 'cache'),
    HELM_CONFIG_HOME: join(folder, 'config'),
    HELM_DATA_HOME: join(folder, 'data'),
    ...(authorityFile === undefined ? {} : { SSL_CERT_FILE: authorityFile }),
    ...(proxy === undefined ? {} : { HTTPS_PROXY: proxy }),
  }
  const call = async (args: readonly string[], cwd: string) => {
    try {
      return await promisify(execFile)(binary, [...args], { env, cwd, maxBuffer: MAX_OUTPUT_BYTES })
    } catch (failed) {
      const { stderr = '' } = failed as { readonly stderr?: string }
      throw new Error(`helm ${args.join(' ')}: ${stderr.trim()}`, { cause: failed })
    }
  }
  return {
    folder,
    env,
    run: async (args, place) => (await call(args, place?.folder ?? folder)).stdout,
    push: async (archive, target) => {
      const { stdout, stderr } = await call(['push', archive, target], folder)
      const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(`${stdout}\n${stderr}`)?.[1]
      if (digest === undefined) throw new Error(`helm push ${archive} names no digest:\n${stderr}`)
      return digest
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
