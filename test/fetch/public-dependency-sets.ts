import { tellingChart } from './chart-files.ts'
import type { PublishedChart } from './chart-world.ts'
import type { DependencySet, PublishedLock, Requirement } from './dependency-set.ts'

const GRAFANA = 'https://grafana.github.io/helm-charts'
const PROMETHEUS = 'https://prometheus-community.github.io/helm-charts'
const BITNAMI = 'https://charts.bitnami.com/bitnami'
const DOCKER_HUB = 'oci://registry-1.docker.io/bitnamicharts'
const BIG_BANG = 'oci://registry1.dso.mil/bigbang'

interface PublicChart {
  readonly name: string
  readonly requirements: readonly Requirement[]
  readonly lock: PublishedLock
}

/** What charts require as they are published, with what their `Chart.lock` says: names, addresses, versions and digests are real. */
const PUBLIC_CHARTS: readonly PublicChart[] = [
  {
    name: 'kube-prometheus-stack',
    requirements: [
      {
        name: 'kube-state-metrics',
        version: '2.9.*',
        repository: 'https://kubernetes.github.io/kube-state-metrics',
        condition: 'kubeStateMetrics.enabled',
      },
      {
        name: 'prometheus-node-exporter',
        version: '1.12.*',
        repository: PROMETHEUS,
        condition: 'nodeExporter.enabled',
      },
      { name: 'grafana', version: '6.1.*', repository: GRAFANA, condition: 'grafana.enabled' },
    ],
    lock: {
      digest: 'sha256:618d35aba8290330ef4c39438e6be271e17c68aed8806acd626ce8b844056415',
      versions: ['2.9.7', '1.12.0', '6.1.17'],
    },
  },
  {
    name: 'tempo-distributed',
    requirements: [
      {
        name: 'minio',
        version: '4.0.12',
        repository: 'https://charts.min.io/',
        condition: 'minio.enabled',
        alias: 'minio',
      },
      {
        name: 'grafana-agent-operator',
        version: '0.5.0',
        repository: GRAFANA,
        condition: 'metaMonitoring.grafanaAgent.installOperator',
        alias: 'grafana-agent-operator',
      },
      {
        name: 'rollout-operator',
        version: '0.33.2',
        repository: GRAFANA,
        condition: 'rollout_operator.enabled',
        alias: 'rollout_operator',
      },
    ],
    lock: {
      digest: 'sha256:aa394c3fe7cabb4760dc811c465360c8c35424c2764a5b448f92b69bcc15d673',
      versions: ['4.0.12', '0.5.0', '0.33.2'],
    },
  },
  {
    name: 'mimir-distributed',
    requirements: [
      ...['memcached', 'memcached-queries', 'memcached-metadata'].map((alias) => ({
        name: 'memcached',
        version: '6.0.16',
        repository: BITNAMI,
        condition: `${alias}.enabled`,
        alias,
      })),
      {
        name: 'minio',
        version: '8.0.10',
        repository: 'https://helm.min.io/',
        condition: 'minio.enabled',
        alias: 'minio',
      },
    ],
    lock: {
      digest: 'sha256:e118e8ab51f6af8213a96cf79d84410b1575f8b139525f68c38ff1dcf39648a4',
      versions: ['6.0.16', '6.0.16', '6.0.16', '8.0.10'],
    },
  },
  {
    name: 'airflow',
    requirements: [
      { name: 'redis', version: '19.x.x', repository: DOCKER_HUB, condition: 'redis.enabled' },
      { name: 'postgresql', version: '15.x.x', repository: DOCKER_HUB, condition: 'postgresql.enabled' },
      { name: 'common', version: '2.x.x', repository: DOCKER_HUB, tags: ['bitnami-common'] },
    ],
    lock: {
      digest: 'sha256:b538ee5005492ca6bec13ad4850d120ba315f6845bf5204df707f690e207aaa8',
      versions: ['19.5.4', '15.5.6', '2.20.3'],
    },
  },
  {
    name: 'wordpress',
    requirements: [
      { name: 'memcached', version: '7.x.x', repository: DOCKER_HUB, condition: 'memcached.enabled' },
      { name: 'mariadb', version: '20.x.x', repository: DOCKER_HUB, condition: 'mariadb.enabled' },
      { name: 'common', version: '2.x.x', repository: DOCKER_HUB, tags: ['bitnami-common'] },
    ],
    lock: {
      digest: 'sha256:3426d768d431843713b2527ff564792332f0019a69c03e605134725f10a65cc9',
      versions: ['7.6.1', '20.2.2', '2.29.1'],
    },
  },
  {
    name: 'argo-cd',
    requirements: [
      {
        name: 'redis-ha',
        version: '4.15.0',
        repository: 'https://dandydeveloper.github.io/charts/',
        condition: 'redis-ha.enabled',
      },
    ],
    lock: { digest: 'sha256:dbe1d621ce62ce8cf42eb1b60b8d35667beb8920bc3dbf7417f77081c8ed5f2d', versions: ['4.15.0'] },
  },
  {
    name: 'n8n',
    requirements: [{ name: 'redis', version: '17.2.0', repository: BITNAMI, condition: 'redis.enabled' }],
    lock: { digest: 'sha256:989a8e3f05d54b04db15e782bd24ca5a5872a36f5dc02b7882b25491a5a5ddde', versions: ['17.2.0'] },
  },
  {
    name: 'opentelemetry-demo',
    requirements: [
      {
        name: 'opentelemetry-collector',
        version: '0.73.1',
        repository: 'https://open-telemetry.github.io/opentelemetry-helm-charts',
        condition: 'opentelemetry-collector.enabled',
      },
      {
        name: 'jaeger',
        version: '0.72.0',
        repository: 'https://jaegertracing.github.io/helm-charts',
        condition: 'jaeger.enabled',
      },
      { name: 'prometheus', version: '25.4.0', repository: PROMETHEUS, condition: 'prometheus.enabled' },
      { name: 'grafana', version: '7.0.2', repository: GRAFANA, condition: 'grafana.enabled' },
    ],
    lock: {
      digest: 'sha256:ab2ac03e11a942d4a0db3534823d773de5830947d9142bc482e0113db8974749',
      versions: ['0.73.1', '0.72.0', '25.4.0', '7.0.2'],
    },
  },
  {
    name: 'jaeger',
    requirements: [{ name: 'common', version: '2.x.x', repository: BITNAMI }],
    lock: { digest: 'sha256:812f9bf703b331dab00cc69ac348f6b1c021e479cbf1bdc0b788da8763c02062', versions: ['2.31.4'] },
  },
  {
    name: 'carto',
    requirements: [
      { name: 'common', version: '1.x.x', repository: BITNAMI, tags: ['bitnami-common'] },
      {
        name: 'postgresql',
        version: '11.x.x',
        repository: BITNAMI,
        condition: 'internalPostgresql.enabled',
        alias: 'internalPostgresql',
      },
      {
        name: 'replicated',
        version: '1.7.1',
        repository: 'oci://registry.replicated.com/library',
        condition: 'replicated.enabled',
      },
    ],
    lock: {
      digest: 'sha256:7c34eedc9ac1e4216942efa6589aad2c21f98c333323c74e88a6fe902b5ebce3',
      versions: ['1.17.1', '11.9.13', '1.7.1'],
    },
  },
  {
    name: 'sentry',
    requirements: [
      { name: 'memcached', version: '6.5.9', repository: DOCKER_HUB, condition: 'sourcemaps.enabled' },
      { name: 'redis', version: '17.11.3', repository: DOCKER_HUB, condition: 'redis.enabled' },
      { name: 'kafka', version: '23.0.7', repository: DOCKER_HUB, condition: 'kafka.enabled' },
      {
        name: 'clickhouse',
        version: '3.7.0',
        repository: 'https://sentry-kubernetes.github.io/charts',
        condition: 'clickhouse.enabled',
      },
      { name: 'zookeeper', version: '13.0.1', repository: DOCKER_HUB, condition: 'zookeeper.enabled' },
      {
        name: 'rabbitmq',
        version: '11.16.2',
        repository: DOCKER_HUB,
        condition: 'rabbitmq.enabled',
        alias: 'rabbitmq',
      },
      { name: 'postgresql', version: '12.5.1', repository: DOCKER_HUB, condition: 'postgresql.enabled' },
      { name: 'nginx', version: '14.2.2', repository: DOCKER_HUB, condition: 'nginx.enabled' },
    ],
    lock: {
      digest: 'sha256:c45ef6c2a302f8c08da847a1808aa200050ec19c17710017e8d7bf3d3935a00d',
      versions: ['6.5.9', '17.11.3', '23.0.7', '3.7.0', '13.0.1', '11.16.2', '12.5.1', '14.2.2'],
    },
  },
  {
    name: 'big-bang-argocd',
    requirements: [
      {
        name: 'redis',
        version: '19.3.2-bb.0',
        repository: BIG_BANG,
        condition: 'redis-bb.enabled',
        alias: 'redis-bb',
      },
      { name: 'gluon', version: '0.5.0', repository: BIG_BANG },
      { name: 'argocd-apps', version: '0.0.9', repository: 'file://./deps/argocd-apps' },
    ],
    lock: {
      digest: 'sha256:2e7996ca6e5a2a00a02b14af14530558ce44ed43796324981b641737eba4c9de',
      versions: ['19.3.2-bb.0', '0.5.0', '0.0.9'],
    },
  },
  {
    name: 'big-bang-gitlab',
    requirements: [
      { name: 'gitlab', version: '9.4.1', repository: 'https://charts.gitlab.io', alias: 'upstream' },
      { name: 'gluon', version: '0.9.2', repository: BIG_BANG },
    ],
    lock: {
      digest: 'sha256:7692699fa578b67e1ec5c6704f6554cffab8cb36c694da73fc2b4b6d7073b517',
      versions: ['9.4.1', '0.9.2'],
    },
  },
]

const FETCHED = PUBLIC_CHARTS.flatMap(({ requirements, lock }) =>
  requirements.map((requirement, index) => ({ ...requirement, locked: lock.versions[index] ?? '' })),
).filter(({ repository }) => !repository.startsWith('file://'))

/** Addresses of repositories, by names that tests give them. */
export const PUBLIC_REPOSITORIES: Readonly<Record<string, string>> = Object.fromEntries(
  [...new Set(FETCHED.map(({ repository }) => repository))]
    .filter((repository) => repository.startsWith('https://'))
    .map((repository, index) => [`public-${index}`, repository]),
)

export const PUBLIC_REGISTRIES = [
  ...new Set(FETCHED.flatMap(({ repository }) => /^oci:\/\/([^/]+)/.exec(repository)?.[1] ?? [])),
]

/** Stand-ins: of each dependency the version that is locked, a later one that may fit the range, and one of the next major. */
export function publicCharts(): readonly PublishedChart[] {
  const charts = FETCHED.flatMap(({ repository, name, locked }) =>
    [locked, later(locked), nextMajor(locked)].map((version) => ({
      repository,
      name,
      version,
      files: tellingChart({ name, version }, { exports: {} }),
    })),
  )
  return [...new Map(charts.map((chart) => [`${chart.repository} ${chart.name} ${chart.version}`, chart])).values()]
}

/** Each as it is published, and with its lock lost. */
export function publicSets(): readonly DependencySet[] {
  return PUBLIC_CHARTS.flatMap(({ name, requirements, lock }) => {
    const conditions = requirements.flatMap(({ condition }) => condition ?? [])
    const locals = requirements.filter(({ repository }) => repository.startsWith('file://'))
    const files = Object.entries({
      ...tellingChart({ name, version: '1.0.0', dependencies: requirements }),
      ...Object.fromEntries(locals.flatMap(filesOfLocal)),
    }).map(([file, content]) => [`app/${file}`, content])
    const set = {
      name,
      requirements,
      files: Object.fromEntries(files),
      inner: [],
      presentCount: 0,
      set: conditions.map((condition, index) => `${condition}=${index % 3 !== 1}`),
    }
    return [
      { ...set, name: `${name}, locked`, lock: 'fitting', publishedLock: lock } as const,
      { ...set, name: `${name}, not locked`, lock: 'absent' } as const,
    ]
  })
}

function filesOfLocal({ name, version, repository }: Requirement): readonly (readonly [string, string | object])[] {
  const folder = repository.replace(/^file:\/\/(?:\.\/)?/, '')
  return Object.entries(tellingChart({ name, version })).map(([file, content]) => [`${folder}/${file}`, content])
}

function later(version: string): string {
  return version.replace(/^(\d+\.\d+\.)(\d+)/, (_, start, patch) => `${start}${Number(patch) + 1}`)
}

function nextMajor(version: string): string {
  return version.replace(/^\d+/, (major) => String(Number(major) + 1))
}
