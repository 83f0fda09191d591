import { defined } from '../../../src/model/defined.ts'
import { ANNOTATION_PREFIX } from '../../../src/tools/local/cluster/simulation/kwok-stage.ts'

/** Annotations of one pod that the simulation reads, without their prefix. */
export type Simulation = {
  readonly scenario?: 'never-ready' | 'crash-loop' | 'fail' | 'image-pull-error' | 'flap'
  /** Go durations, like `1.5s`. */
  readonly 'ready-after'?: string
  readonly 'complete-after'?: string
  readonly 'delete-after'?: string
  /** What the containers log. */
  readonly logs?: string
}

export function annotations(simulation: Simulation): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(simulation).map(([name, value]) => [`${ANNOTATION_PREFIX}/${name}`, value]))
}

export function podTemplate(simulation: Simulation, restartPolicy: 'Always' | 'OnFailure' | 'Never') {
  return {
    metadata: { annotations: annotations(simulation), labels: { app: 'example' } },
    spec: { restartPolicy, containers: [{ name: 'main', image: 'example' }] },
  }
}

export function pod(name: string, simulation: Simulation, restartPolicy: 'Always' | 'OnFailure' | 'Never' = 'Always') {
  const { metadata, spec } = podTemplate(simulation, restartPolicy)
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec }
}

export function job(name: string, simulation: Simulation) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: podTemplate(simulation, 'Never') },
  }
}

export function deployment(name: string, simulation: Simulation) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: { app: 'example' } }, template: podTemplate(simulation, 'Always') },
  }
}

export function claim(name: string, storageClassName?: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...defined({ storageClassName }),
    },
  }
}

/** The definition of a custom resource whose controller is simulated. */
export function meters() {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'meters.demo.staged-helm-deploy.dev' },
    spec: {
      group: 'demo.staged-helm-deploy.dev',
      scope: 'Namespaced',
      names: { kind: 'Meter', listKind: 'MeterList', plural: 'meters', singular: 'meter' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }
}
