import { builtInKind, isBuiltIn } from '../manifest/built-in-kinds.ts'
import type { Resource } from '../model/directives.ts'
import { stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { PlanContext } from './context.ts'
import type { Refused } from './plan-problems.ts'

/** By what the API server has judged an object, as the words of its admission plugins tell. */
interface Judge {
  /** Groups: names of which one is that of the judging object. */
  readonly says: RegExp
  readonly kinds: readonly string[]
  /** The object was not there: it may come with an earlier release of the run, too. */
  readonly isAbsent?: true
}

const JUDGES: readonly Judge[] = [
  { says: /looking up service account [^/]{1,300}\/([^:]{1,300}):/, kinds: ['ServiceAccount'], isAbsent: true },
  { says: /no PriorityClass with name ([^ ]{1,300}) was found/, kinds: ['PriorityClass'], isAbsent: true },
  { says: /RuntimeClass "([^"]{1,300})" not found/, kinds: ['RuntimeClass'], isAbsent: true },
  { says: /(?:exceeded|failed) quota: ([^,:]{1,300})[,:]/, kinds: ['ResourceQuota'] },
  { says: /usage per |limit to request ratio per /, kinds: ['LimitRange'] },
  { says: /violates PodSecurity/, kinds: ['Namespace'] },
  {
    says: /ValidatingAdmissionPolicy '([^']{1,300})' with binding '([^']{1,300})'/,
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  },
  { says: /admission webhook "/, kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] },
  { says: /storageclass that provisions the pvc/, kinds: ['StorageClass'] },
]

/**
 * Whether a refused dry run was judged by an object that an earlier step of the plan or an earlier release of the run makes, changes or
 * deletes: the apply will be judged anew (docs/decisions/0022).
 */
export function isJudgedAnew(resource: Resource, answer: Refused, context: PlanContext): boolean {
  if (isOfRole(answer)) return roleComesBefore(resource, context)
  if (answer.kind !== 'refused') return false
  const { message } = answer.refusal
  const { namespace } = resource.manifest.ref
  return JUDGES.some(({ says, kinds, isAbsent }) => {
    const said = says.exec(message)
    if (said === null) return false
    const names = said.slice(1)
    return earlierObjects(context, { isAbsent: isAbsent === true }).some((ref) => {
      const kind = builtInKind(ref)?.kind
      if (kind === undefined || !kinds.includes(kind) || !decidesIn(ref, namespace)) return false
      return names.length === 0 || names.includes(ref.name)
    })
  })
}

function earlierObjects(
  { changedBefore, input }: PlanContext,
  { isAbsent }: { readonly isAbsent: boolean },
): readonly Ref[] {
  const { comingChanges = [], comingObjects = [] } = input
  return [...changedBefore, ...comingChanges.map(({ ref }) => ref), ...(isAbsent ? comingObjects : [])]
}

function decidesIn(ref: Ref, namespace: string | undefined): boolean {
  if (isBuiltIn(ref, 'Namespace')) return ref.name === namespace
  return ref.namespace === undefined || ref.namespace === namespace
}

/** Who may not bind any role must hold all that the role grants, so the API server reads the role of a new binding. */
function isOfRole(answer: Refused): boolean {
  return answer.kind === 'not-found' || (answer.kind === 'refused' && answer.refusal.kind === 'escalation')
}

function roleComesBefore({ manifest: { object, ref } }: Resource, context: PlanContext): boolean {
  const kind = stringAt(object, 'roleRef', 'kind')
  const name = stringAt(object, 'roleRef', 'name')
  const namespace = kind === 'Role' ? ref.namespace : undefined
  return earlierObjects(context, { isAbsent: true }).some(
    (role) => role.kind === kind && role.name === name && role.namespace === namespace,
  )
}
