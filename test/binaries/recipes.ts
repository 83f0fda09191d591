import { join } from 'node:path'

export type BinaryName = 'control-plane' | 'kwok' | 'helm4' | 'helm3' | 'act'

/** How one test binary is built from the Go module in the folder of its name. */
export type Recipe = {
  readonly title: string
  /** The name helpers and users see in messages and process lists. */
  readonly file: string
  readonly package: string
  /** Go variables set by the linker. */
  readonly variables: Readonly<Record<string, string>>
  /** Local modules that this one imports; their sources count as its own. */
  readonly siblings: readonly string[]
  /** What the first build takes on a machine with two cores and an empty cache, downloads included. */
  readonly usualSeconds: number
  /** About how many packages that build compiles, for the progress lines; fewer when others were built before. */
  readonly packages: number
}

/** Keep equal to the version in control-plane/go.mod; charts read it from the API server as `.Capabilities.KubeVersion`. */
export const KUBERNETES_VERSION = 'v1.37.1'
const KUBERNETES_COMMIT = 'f78e722310e50bcaca9276be22276d9e91d91308'
const HELM_4_VERSION = 'v4.3.1'
const HELM_3_VERSION = 'v3.22.0'
const ACT_VERSION = '0.2.89'

const VERSION_PACKAGE = 'k8s.io/component-base/version'

export const RECIPES: Readonly<Record<BinaryName, Recipe>> = {
  'control-plane': {
    title: `the Kubernetes ${KUBERNETES_VERSION} control plane`,
    file: 'control-plane',
    package: '.',
    variables: {
      [`${VERSION_PACKAGE}.gitVersion`]: KUBERNETES_VERSION,
      [`${VERSION_PACKAGE}.gitMajor`]: '1',
      [`${VERSION_PACKAGE}.gitMinor`]: '37',
      [`${VERSION_PACKAGE}.gitCommit`]: KUBERNETES_COMMIT,
      [`${VERSION_PACKAGE}.gitTreeState`]: 'clean',
      // The date of nothing in particular: a real one would make each build differ.
      [`${VERSION_PACKAGE}.buildDate`]: '1970-01-01T00:00:00Z',
    },
    siblings: ['lifeline'],
    usualSeconds: 420,
    packages: 1810,
  },
  kwok: {
    title: 'the node simulator kwok v0.8.0',
    file: 'kwok',
    package: '.',
    variables: { 'sigs.k8s.io/kwok/pkg/consts.Version': '0.8.0' },
    siblings: ['lifeline'],
    usualSeconds: 90,
    packages: 590,
  },
  helm4: helm(HELM_4_VERSION, 'helm.sh/helm/v4', 150),
  helm3: {
    ...helm(HELM_3_VERSION, 'helm.sh/helm/v3', 60),
    variables: {
      'helm.sh/helm/v3/internal/version.version': HELM_3_VERSION,
      'helm.sh/helm/v3/internal/version.gitCommit': '144ca65f8501953fa8b41cd1d37c7223051c85b7',
      'helm.sh/helm/v3/internal/version.gitTreeState': 'clean',
      // As in its Makefile; without them it takes a cluster it cannot ask for Kubernetes 1.20.
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '37',
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': '37',
    },
  },
  act: {
    title: `the workflow runner act v${ACT_VERSION}`,
    file: 'act',
    package: 'github.com/nektos/act',
    variables: { 'main.version': ACT_VERSION },
    siblings: [],
    usualSeconds: 60,
    packages: 700,
  },
}

export function moduleFolder(name: string): string {
  return join(import.meta.dirname, name)
}

function helm(version: string, module: string, usualSeconds: number): Recipe {
  return {
    title: `Helm ${version}`,
    file: 'helm',
    package: `${module}/cmd/helm`,
    variables: { [`${module}/internal/version.version`]: version },
    siblings: [],
    usualSeconds,
    packages: 770,
  }
}
