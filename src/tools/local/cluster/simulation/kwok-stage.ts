import { defined } from '../../../../model/defined.ts'
/** What pods and custom resources say about how they want to be simulated. Keep equal to src/tools/binaries/simulation/main.go. */
export const ANNOTATION_PREFIX = 'simulate.staged-helm-deploy.dev'

/** A kwok Stage document: in which state an object is picked up, after how long, and what becomes of it. */
export type Stage = {
  readonly apiVersion: 'kwok.x-k8s.io/v1alpha1'
  readonly kind: 'Stage'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly resourceRef: { readonly apiGroup: string; readonly kind: string }
    readonly selector: { readonly matchExpressions: readonly Match[] }
    readonly delay?: Delay
    readonly steps: readonly Step[]
  }
}

export type Match = {
  readonly jq: { readonly key: string; readonly operator: Operator; readonly values?: readonly string[] }
}
type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
export type Delay = {
  readonly durationMilliseconds: number
  readonly durationFrom?: { readonly jq: { readonly expression: string } }
}
export type Step =
  | { readonly event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string } }
  | { readonly patch: { readonly root: string; readonly subresource?: string; readonly template: string } }
  | { readonly apply: { readonly template: string } }
  | { readonly delete: true }

export type StageOptions = {
  readonly name: string
  readonly apiGroup?: string
  readonly kind: string
  readonly when: readonly Match[]
  readonly delay?: Delay
  readonly steps: readonly Step[]
}

export function stage(options: StageOptions): Stage {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: options.name },
    spec: {
      resourceRef: { apiGroup: options.apiGroup ?? 'v1', kind: options.kind },
      selector: { matchExpressions: options.when },
      ...defined({ delay: options.delay }),
      steps: options.steps,
    },
  }
}

export function oneOf(key: string, ...values: readonly string[]): Match {
  return { jq: { key, operator: 'In', values } }
}

export function noneOf(key: string, ...values: readonly string[]): Match {
  return { jq: { key, operator: 'NotIn', values } }
}

export function present(key: string): Match {
  return { jq: { key, operator: 'Exists' } }
}

export function absent(key: string): Match {
  return { jq: { key, operator: 'DoesNotExist' } }
}

/** A jq expression for one of our annotations. */
export function annotation(name: string): string {
  return `.metadata.annotations["${ANNOTATION_PREFIX}/${name}"]`
}

/** A delay that an annotation may set, as a Go duration like `1.5s`. */
export function delay(durationMilliseconds: number, fromAnnotation?: string): Delay {
  if (fromAnnotation === undefined) return { durationMilliseconds }
  return { durationMilliseconds, durationFrom: { jq: { expression: annotation(fromAnnotation) } } }
}

export function event(type: 'Normal' | 'Warning', reason: string, message: string): Step {
  return { event: { type, reason, message } }
}

export function patchStatus(template: string): Step {
  return { patch: { root: 'status', subresource: 'status', template } }
}
