import { expect, test } from 'vitest'
import { configPaths } from '../../src/fetch/config-paths.ts'

test.each([
  [
    'linux',
    { HOME: '/home/u' },
    [
      '/home/u/.docker/config.json',
      '/home/u/.config/helm/registry/config.json',
      '/home/u/.config/helm/repositories.yaml',
    ],
  ],
  [
    'darwin',
    { HOME: '/Users/u' },
    [
      '/Users/u/.docker/config.json',
      '/Users/u/Library/Preferences/helm/registry/config.json',
      '/Users/u/Library/Preferences/helm/repositories.yaml',
    ],
  ],
  [
    'win32',
    { USERPROFILE: 'C:\\Users\\u', APPDATA: 'C:\\Users\\u\\AppData\\Roaming', HOME: '/c/Users/u' },
    [
      'C:\\Users\\u\\.docker\\config.json',
      'C:\\Users\\u\\AppData\\Roaming\\helm\\registry\\config.json',
      'C:\\Users\\u\\AppData\\Roaming\\helm\\repositories.yaml',
    ],
  ],
] as const)('files with logins lie where Docker and Helm have them on %s', (platform, env, expected) => {
  expect(Object.values(configPaths(env, platform))).toEqual(expected)
})

test.each([
  ['linux', '/x', '/'],
  ['darwin', '/x', '/'],
  ['win32', 'C:\\x', '\\'],
] as const)('variables move them on %s', (platform, x, slash) => {
  const at = (env: Record<string, string>) =>
    Object.values(configPaths({ HOME: '/h', USERPROFILE: 'C:\\h', ...env }, platform))
  const below = (...parts: readonly string[]) => [x, ...parts].join(slash)
  expect(at({ DOCKER_CONFIG: x })[0]).toBe(below('config.json'))
  expect(at({ XDG_CONFIG_HOME: x }).slice(1)).toEqual([
    below('helm', 'registry', 'config.json'),
    below('helm', 'repositories.yaml'),
  ])
  expect(at({ XDG_CONFIG_HOME: '/y', HELM_CONFIG_HOME: x }).slice(1)).toEqual([
    below('registry', 'config.json'),
    below('repositories.yaml'),
  ])
  expect(at({ HELM_CONFIG_HOME: '/y', HELM_REGISTRY_CONFIG: x, HELM_REPOSITORY_CONFIG: x }).slice(1)).toEqual([x, x])
})

test('without a home there are none', () => {
  expect(Object.values(configPaths({}, 'linux'))).toEqual([undefined, undefined, undefined])
  expect(Object.values(configPaths({ HOME: '' }, 'linux'))).toEqual([undefined, undefined, undefined])
})
