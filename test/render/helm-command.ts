import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'
import type { HelmOutput } from './fixtures.ts'

export type HelmMajor = 'helm3' | 'helm4'

/** Any command of the real Helm, whose settings and caches lie in a folder of the test. */
export async function runHelm(
  major: HelmMajor,
  args: readonly string[],
  { home }: { readonly home: string },
): Promise<HelmOutput> {
  try {
    const { stdout } = await promisify(execFile)(await ensureBinary(major), args, {
      env: {
        KUBECONFIG: '/dev/null',
        HOME: home,
        HELM_CACHE_HOME: join(home, 'cache'),
        HELM_CONFIG_HOME: join(home, 'config'),
        HELM_DATA_HOME: join(home, 'data'),
        TZ: 'UTC',
      },
      maxBuffer: 64 * 1024 * 1024,
    })
    return { out: stdout, error: '' }
  } catch (failed) {
    const { stderr } = failed as { readonly stderr: string }
    return { out: '', error: /^Error: ([\s\S]*)$/m.exec(stderr)?.[1]?.trim() ?? stderr }
  }
}
