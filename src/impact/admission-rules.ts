import type { AdmissionRule } from '../model/impact.ts'
import { arrayAt, type JsonValue, stringAt } from '../model/object.ts'
import { type Box, boxDifferences, type Covering } from './coverage.ts'

export interface AdmissionRuleChanges {
  readonly gained: readonly AdmissionRule[]
  readonly lost: readonly AdmissionRule[]
}

/** About which requests a webhook is asked that it was not before, and the other way round; undefined where there are too many. */
export function admissionRuleChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): AdmissionRuleChanges | undefined {
  const found = boxDifferences(boxesOf(before), boxesOf(after), covering)
  return found && { gained: found.gained.map(ruleOf), lost: found.lost.map(ruleOf) }
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']
const SCOPES = ['Cluster', 'Namespaced']

const orAny = (value: string): readonly string[] => (value === '*' ? ['*'] : [value, '*'])

/** Operations, API groups, versions, resources, scopes. Source: docs/sources.md#kubernetes-admission. */
const covering: Covering = [
  (operation) => [operation],
  orAny,
  orAny,
  (resource) => {
    const [name = '', sub] = resource.split('/', 2)
    const wider = sub === undefined ? [`${name}/*`, '*', '*/*'] : [`${name}/*`, `*/${sub}`, '*/*']
    return [...new Set([resource, ...wider])]
  },
  (scope) => [scope],
]

function boxesOf(rules: readonly JsonValue[]): readonly Box[] {
  return rules.map((rule) => {
    const operations = textsOf(rule, 'operations')
    const scope = stringAt(rule, 'scope') ?? '*'
    return [
      operations.includes('*') ? OPERATIONS : operations,
      textsOf(rule, 'apiGroups'),
      textsOf(rule, 'apiVersions'),
      textsOf(rule, 'resources'),
      scope === '*' ? SCOPES : [scope],
    ]
  })
}

function ruleOf([operations = [], apiGroups = [], apiVersions = [], resources = [], scopes = []]: Box): AdmissionRule {
  const [scope, other] = scopes
  return {
    operations: OPERATIONS.every((one) => operations.includes(one)) ? ['*'] : operations,
    apiGroups,
    apiVersions,
    resources,
    ...(scope === undefined || other !== undefined ? {} : { scope }),
  }
}

function textsOf(rule: JsonValue, field: string): readonly string[] {
  return [...new Set(arrayAt(rule, field).filter((value) => typeof value === 'string'))]
}
