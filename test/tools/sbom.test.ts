import { expect, test } from 'vitest'
import { goModules, withModules } from '../../src/tools/sbom.ts'

test('modules are listed once, and folders of this repository that replace one are not', () => {
  const lines = '\nhelm.sh/helm/v4 v4.3.0\n./stub \ngolang.org/x/text v0.40.0\n\nhelm.sh/helm/v4 v4.3.0\n'
  expect(goModules(lines)).toEqual([
    { name: 'golang.org/x/text', version: 'v0.40.0' },
    { name: 'helm.sh/helm/v4', version: 'v4.3.0' },
  ])
})

test('the list of contents has packages and modules, whatever the folder of the checkout is called', () => {
  const undici = {
    'bom-ref': 'undici@8',
    type: 'library',
    name: 'undici',
    version: '8.0.0',
    purl: 'pkg:npm/undici@8.0.0',
  }
  const npm = { metadata: { component: { name: 'checkout', version: '1.2.3' } }, components: [undici] }
  const module = 'pkg:golang/helm.sh/helm/v4@v4.3.0'
  expect(withModules(npm, [{ name: 'helm.sh/helm/v4', version: 'v4.3.0' }])).toEqual({
    metadata: { component: { name: 'staged-helm-deploy', version: '1.2.3' } },
    components: [
      undici,
      { 'bom-ref': module, type: 'library', name: 'helm.sh/helm/v4', version: 'v4.3.0', purl: module },
    ],
  })
})
