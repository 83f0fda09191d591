import type { Access, AccessMark, Account, BoundRole, Grant, Permission } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, marked, type Phrase, phrase, plainText } from './phrase.ts'

/** In one line: `ServiceAccount shop/web gains create on pods/exec (⚠️ runs commands in pods); no longer gets get on pods by this role`. */
export function accessPhrase(access: Access): Phrase {
  return access.unbound === 'new' ? withoutMarks(accessLine(access)) : accessLine(access)
}

/** Nobody gains anything by a role that nobody has. */
function withoutMarks(text: Phrase): Phrase {
  return text.flatMap((part) => (typeof part !== 'string' && 'marked' in part ? part.marked : [part]))
}

function accessLine(access: Access): Phrase {
  const parts = [
    ...access.gained.map((grant) => grantPhrase(grant, 'gains')),
    ...access.lost.map((grant) => grantPhrase(grant, 'loses')),
    ...otherPhrases(access),
    ...(access.unbound === undefined ? [] : [['bound to nobody in the release']]),
  ]
  return joinPhrases(parts, '; ')
}

/** All that is gained, then all that is lost. */
export function accessBullets(access: Access): readonly Bullet[] {
  const bullets = allBullets(access)
  if (access.unbound !== 'new') return bullets
  return bullets.map(({ below, text }) => ({ text: withoutMarks(text), below: below.map(withoutMarks) }))
}

function allBullets(access: Access): readonly Bullet[] {
  return [
    ...access.gained.map((grant) => grantBullet(grant, 'gains')),
    ...access.lost.map((grant) => grantBullet(grant, 'loses')),
    ...otherPhrases(access).map((text) => ({ text, below: [] })),
  ]
}

/** What one role or binding takes away an account may still get by another one. */
type Direction = 'gains' | 'loses'

function grantPhrase(grant: Grant, direction: Direction): Phrase {
  const marks = direction === 'gains' ? [grant, ...grant.permissions] : []
  return phrase`${startPhrase(grant, direction)} ${whatPhrase(grant)}${byPhrase(grant, direction)}${wherePhrase(grant)}${marksPhrase(marks, onTopPhrase(grant))}`
}

function grantBullet(grant: Grant, direction: Direction): Bullet {
  const { marks, omitted, permissions, role } = grant
  if (role === undefined && permissions.length === 1) return { text: grantPhrase(grant, direction), below: [] }
  const isGain = direction === 'gains'
  const given = role === undefined ? [] : phrase` ${roleName(role)}`
  const text = phrase`${startPhrase(grant, direction)}${given}${byPhrase(grant, direction)}${wherePhrase(grant)}${marksPhrase(isGain ? [{ marks }] : [])}`
  return {
    text: permissions.length === 0 ? text : phrase`${text}:`,
    below: [
      // The row says what each sign is about: here it shows which rule is meant.
      ...permissions.map((one) =>
        isGain && one.marks.length > 0 ? marked(permissionPhrase(one)) : permissionPhrase(one),
      ),
      ...(omitted === undefined ? [] : [[`and ${omitted} more rules`]]),
    ],
  }
}

function whatPhrase({ omitted = 0, permissions, role }: Grant): Phrase {
  const [first] = permissions
  if (role !== undefined) return phrase`${roleName(role)}`
  if (first === undefined) return []
  const more = permissions.length - 1 + omitted
  return phrase`${permissionPhrase(first)}${[more === 0 ? '' : ` and ${more} more ${more === 1 ? 'rule' : 'rules'}`]}`
}

function roleName({ kind, name }: BoundRole): string {
  return `${kind}/${name}`
}

/** A role that no binding of the release gives to anybody allows more, or less, to whoever has it. */
function startPhrase({ accounts }: Grant, direction: Direction): Phrase {
  if (accounts.length === 0) return [direction === 'gains' ? 'allows' : 'no longer allows']
  const isOne = accounts.length === 1 && accounts[0]?.kind !== 'ClusterRole'
  const verb = direction === 'gains' ? (isOne ? 'gains' : 'gain') : `no longer ${isOne ? 'gets' : 'get'}`
  return phrase`${accountsPhrase(accounts)} ${[verb]}`
}

function accountsPhrase(accounts: readonly Account[]): Phrase {
  const shown = joinPhrases(accounts.slice(0, MAX_ACCOUNTS).map(accountPhrase), ', ')
  const more = accounts.length > MAX_ACCOUNTS ? ` and ${accounts.length - MAX_ACCOUNTS} more` : ''
  return phrase`${shown}${[more]}`
}

function byPhrase({ accounts, role }: Grant, direction: Direction): Phrase {
  if (direction === 'gains' || accounts.length === 0) return []
  return [role === undefined ? ' by this role' : ' by this binding']
}

/** The rights of an account count in one namespace, or everywhere. */
function wherePhrase({ accounts }: Grant): Phrase {
  const isEverywhere = accounts.some(({ kind, within }) => kind !== 'ClusterRole' && within === undefined)
  return isEverywhere ? [' in the whole cluster'] : []
}

const MAX_ACCOUNTS = 3

function accountPhrase({ kind, name, namespace, within }: Account): Phrase {
  if (kind === 'ClusterRole') return phrase`all who have ${`ClusterRole/${name}`}`
  const account = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
  return within === undefined || within === namespace ? phrase`${account}` : phrase`${account} in namespace ${within}`
}

/** `get, list on deployments of apps named web`. */
function permissionPhrase({
  apiGroups = [],
  nonResourceURLs,
  resourceNames,
  resources = [],
  verbs,
}: Permission): Phrase {
  const can = verbs.includes('*') ? ['all verbs'] : listPhrase(verbs)
  if (nonResourceURLs !== undefined) return phrase`${can} on ${listPhrase(nonResourceURLs)}`
  const on = resources.includes('*') ? ['all resources'] : listPhrase(resources)
  const named = resourceNames === undefined ? [] : phrase` named ${listPhrase(resourceNames)}`
  return phrase`${can} on ${on}${groupsPhrase(apiGroups)}${named}`
}

function groupsPhrase(groups: readonly string[]): Phrase {
  if (groups.includes('*')) return [' of all API groups']
  if (groups.every((group) => group === '')) return []
  return phrase` of ${listPhrase(groups.map((group) => (group === '' ? 'core' : group)))}`
}

/** More values than this of one list are counted. */
const MAX_VALUES = 12

function listPhrase(values: readonly string[]): Phrase {
  const shown = values.slice(0, MAX_VALUES).join(', ')
  return values.length > MAX_VALUES ? phrase`${shown} and ${values.length - MAX_VALUES} more` : phrase`${shown}`
}

function otherPhrases({ aggregation, rules }: Access): readonly Phrase[] {
  return [
    ...(rules === undefined ? [] : [rulesPhrase(rules)]),
    ...(aggregation === undefined ? [] : [aggregationPhrase(aggregation)]),
  ]
}

function rulesPhrase(rules: NonNullable<Access['rules']>): Phrase {
  switch (rules) {
    case 'same':
      return ['the same rights, written otherwise']
    case 'too-large':
      return marked(['more rules than are compared here'])
    default:
      return unreachable(rules)
  }
}

function aggregationPhrase(aggregation: NonNullable<Access['aggregation']>): Phrase {
  switch (aggregation) {
    case 'added':
      return marked(['collects the rules of other ClusterRoles by their labels'])
    case 'changed':
      return marked(['collects the rules of other ClusterRoles than before'])
    case 'removed':
      return ['no longer collects the rules of other ClusterRoles']
    default:
      return unreachable(aggregation)
  }
}

/** Always beside words: the sign alone tells nothing. */
function marksPhrase(all: readonly Risky[], onTop?: Phrase): Phrase {
  const text = joinPhrases(onceEach(all), ', ')
  return text.length === 0 ? [] : phrase` (${marked(text, onTop)})`
}

function onceEach(all: readonly Risky[]): readonly Phrase[] {
  const texts = all.flatMap((one) => one.marks.map((mark) => markPhrase(mark, one)))
  return [...new Map(texts.map((text) => [plainText(text), text])).values()]
}

/** What the box on top says: on what, and of whom; of a binding its role says on what. */
function onTopPhrase(grant: Grant): Phrase | undefined {
  const { accounts, marks, permissions, role } = grant
  if (accounts.length === 0) return undefined
  if (role !== undefined) {
    const grants = joinPhrases(onceEach([{ marks }, ...permissions]), ', ')
    return phrase`${startPhrase(grant, 'gains')} ${whatPhrase(grant)}${wherePhrase(grant)} (${grants})`
  }
  const risky = permissions.filter((one) => one.marks.length > 0)
  const shown = risky.length <= MAX_ON_TOP + 1 ? risky : risky.slice(0, MAX_ON_TOP)
  const left = risky.length - shown.length
  const whom = onceEach([{ marks }])
  // Who has it may be the risk, whatever it is.
  const rules = risky.length === 0 ? whatPhrase(grant) : joinPhrases(shown.map(riskPhrase), ', ')
  return phrase`${startPhrase(grant, 'gains')} ${rules}${[left === 0 ? '' : ` and ${left} more marked rules`]}${whom.length === 0 ? [] : phrase` (${joinPhrases(whom, ', ')})`}`
}

/** Most rules of one grant that the box on top names; one more stands in the place of its count. */
const MAX_ON_TOP = 3

/** `all verbs on deployments of apps (runs pods)`: without what its verbs and resources say by themselves. */
function riskPhrase(permission: Permission): Phrase {
  const { marks, verbs } = permission
  const isSaid = (mark: AccessMark) => mark === 'wildcard' || verbs.includes(mark)
  const more = onceEach([{ ...permission, marks: marks.filter((mark) => !isSaid(mark)) }])
  return phrase`${permissionPhrase(permission)}${more.length === 0 ? [] : phrase` (${joinPhrases(more, ', ')})`}`
}

type Risky = Pick<Permission, 'marks' | 'resourceNames'>

/** Whoever may hand on named roles only gets no more than these give. */
function markPhrase(mark: AccessMark, { resourceNames }: Risky): Phrase {
  const isOfNames = (mark === 'bind' || mark === 'escalate') && resourceNames !== undefined
  return isOfNames ? phrase`${[markText(mark)]} on roles named ${listPhrase(resourceNames)} only` : [markText(mark)]
}

function markText(mark: AccessMark): string {
  switch (mark) {
    case 'wildcard':
      return 'wildcard'
    case 'secrets':
      return 'reads Secrets'
    case 'workloads':
      return 'runs pods'
    case 'exec':
      return 'runs commands in pods'
    case 'volumes':
      return 'mounts paths of nodes'
    case 'kubelet':
      return 'runs commands on nodes'
    case 'escalate':
      return 'escalate verb'
    case 'bind':
      return 'bind verb'
    case 'impersonate':
      return 'impersonate verb'
    case 'roles':
      return 'changes roles'
    case 'certificates':
      return 'issues client certificates'
    case 'tokens':
      return 'issues tokens of ServiceAccounts'
    case 'admission':
      return 'controls admission'
    case 'namespaces':
      return 'changes labels of namespaces'
    case 'cluster-admin':
      return 'may do everything'
    case 'apis':
      return 'decides who answers API requests'
    case 'anonymous':
      return 'anybody, without an account'
    case 'everyone':
      return 'every authenticated account'
    case 'namespace-accounts':
      return 'all ServiceAccounts of a namespace'
    case 'default-account':
      return 'all pods without a ServiceAccount of their own'
    case 'masters':
      return 'system:masters, which no rule limits'
    default:
      return unreachable(mark)
  }
}
