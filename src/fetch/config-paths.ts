import { posix, win32 } from 'node:path'
import type { Environment } from '../network/proxy.ts'

/** Where the job's programs keep logins. Undefined where the environment names no home. */
export interface ConfigPaths {
  readonly docker: string | undefined
  readonly helmRegistry: string | undefined
  readonly helmRepositories: string | undefined
}

/** As Docker and Helm find them on each system. Source: docs/sources.md#files-with-logins. */
export function configPaths(env: Environment, platform: NodeJS.Platform): ConfigPaths {
  const path = platform === 'win32' ? win32 : posix
  const given = (name: string): string | undefined => env[name] || undefined
  const below = (folder: string | undefined, ...parts: readonly string[]): string | undefined =>
    folder === undefined ? undefined : path.join(folder, ...parts)

  const home = given(platform === 'win32' ? 'USERPROFILE' : 'HOME')
  const ownFolder =
    platform === 'win32'
      ? given('APPDATA')
      : platform === 'darwin'
        ? below(home, 'Library', 'Preferences')
        : below(home, '.config')
  const helm = given('HELM_CONFIG_HOME') ?? below(given('XDG_CONFIG_HOME') ?? ownFolder, 'helm')
  return {
    docker: below(given('DOCKER_CONFIG') ?? below(home, '.docker'), 'config.json'),
    helmRegistry: given('HELM_REGISTRY_CONFIG') ?? below(helm, 'registry', 'config.json'),
    helmRepositories: given('HELM_REPOSITORY_CONFIG') ?? below(helm, 'repositories.yaml'),
  }
}
