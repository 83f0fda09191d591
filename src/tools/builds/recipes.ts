import { join } from 'node:path'
import { programsOf } from './programs.ts'

const TESTS = join(import.meta.dirname, '..', '..', '..', 'test')
/** The Go module of most programs; what they share, the Kubernetes packages above all, is compiled once. */
const MODULE = join(TESTS, 'binaries')
/** Apart, because its packages are newer than those that the Kubernetes release is made of. */
const REGO_MODULE = join(TESTS, 'rego')
/** Apart, so that its packages need not agree with those of Kubernetes. */
const REGISTRY_MODULE = join(TESTS, 'registry')

/** Keep equal to the version in `test/binaries/go.mod`; charts read it from the API server as `.Capabilities.KubeVersion`. */
export const KUBERNETES_VERSION = 'v1.37.1'
export const KWOK_VERSION = 'v0.8.0'
export const HELM_4_VERSION = 'v4.3.1'
export const HELM_3_VERSION = 'v3.22.0'
const KUBERNETES_COMMIT = 'f78e722310e50bcaca9276be22276d9e91d91308'
const ACT_VERSION = '0.2.89'
const ACTIONLINT_VERSION = '1.7.7'

const VERSION_PACKAGE = 'k8s.io/component-base/version'

export type BinaryName = keyof typeof PROGRAMS

const MAIN_PROGRAMS = programsOf(MODULE, {
  hold: {
    title: 'hold',
    usualSeconds: 1,
    file: 'hold',
    package: './hold',
    variables: {},
  },
  'control-plane': {
    title: `the Kubernetes ${KUBERNETES_VERSION} control plane`,
    usualSeconds: 230,
    file: 'control-plane',
    package: './control-plane',
    variables: {
      [`${VERSION_PACKAGE}.gitVersion`]: KUBERNETES_VERSION,
      [`${VERSION_PACKAGE}.gitMajor`]: '1',
      [`${VERSION_PACKAGE}.gitMinor`]: '37',
      [`${VERSION_PACKAGE}.gitCommit`]: KUBERNETES_COMMIT,
      [`${VERSION_PACKAGE}.gitTreeState`]: 'clean',
      // A real date would make each build differ.
      [`${VERSION_PACKAGE}.buildDate`]: '1970-01-01T00:00:00Z',
    },
  },
  kwok: {
    title: `the node simulator kwok ${KWOK_VERSION}`,
    usualSeconds: 20,
    file: 'kwok',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    variables: { 'sigs.k8s.io/kwok/pkg/consts.Version': '0.8.0' },
  },
  simulation: {
    title: 'the simulation beside it',
    usualSeconds: 5,
    file: 'simulation',
    package: './simulation',
    variables: {},
  },
  helm4: {
    title: `Helm ${HELM_4_VERSION}`,
    usualSeconds: 20,
    file: 'helm',
    package: 'helm.sh/helm/v4/cmd/helm',
    variables: { 'helm.sh/helm/v4/internal/version.version': HELM_4_VERSION },
  },
  helm3: {
    title: `Helm ${HELM_3_VERSION}`,
    usualSeconds: 5,
    file: 'helm',
    package: 'helm.sh/helm/v3/cmd/helm',
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
    usualSeconds: 15,
    file: 'act',
    package: 'github.com/nektos/act',
    variables: { 'main.version': ACT_VERSION },
  },
  // act reads workflows with its package, so that the module has it already.
  actionlint: {
    title: `the linter of workflows actionlint v${ACTIONLINT_VERSION}`,
    usualSeconds: 3,
    file: 'actionlint',
    package: 'github.com/rhysd/actionlint/cmd/actionlint',
    variables: { 'github.com/rhysd/actionlint.version': ACTIONLINT_VERSION },
  },
})

/** The programs that the local cluster consists of, and those that tests compare with. */
export const PROGRAMS = {
  ...MAIN_PROGRAMS,
  ...programsOf(REGO_MODULE, {
    rego: { title: 'the evaluator of Rego policies', usualSeconds: 25, file: 'rego', package: '.', variables: {} },
  }),
  ...programsOf(REGISTRY_MODULE, {
    registry: { title: 'the registry of charts', usualSeconds: 15, file: 'registry', package: '.', variables: {} },
  }),
}
