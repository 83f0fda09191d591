import { X509Certificate } from 'node:crypto'
import { FAILSAFE_SCHEMA, loadAll } from 'js-yaml'
import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import type { Files, RegistryAccess } from '../ports.ts'
import { inputProblem } from './input-problem.ts'
import { yamlErrorLine } from './read-values.ts'

const FIELDS = ['host', 'username', 'password', 'token', 'ca', 'plain-http'] as const
type Field = (typeof FIELDS)[number]
const LIST: Hint = { kind: 'write-registries', fields: FIELDS }
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]{1,100000}-----END CERTIFICATE-----/g

/** Input `registries`. Problems repeat no value of it: any may be a secret, or a part of one. */
export async function readRegistries(
  text: string,
  files: Pick<Files, 'read'>,
): Promise<{ readonly registries: readonly RegistryAccess[]; readonly problems: readonly Problem[] }> {
  const items = text.trim() === '' ? [] : listIn(text)
  if ('severity' in items) return { registries: [], problems: [items] }
  const read = await Promise.all(items.map((item, index) => readItem(item, `item ${index + 1}`, files)))
  const registries = read.flatMap(({ access }) => access ?? [])
  return { registries, problems: [...read.flatMap(({ problems }) => problems), ...repeated(registries)] }
}

/** All scalars as texts: a password may look like a number. */
function listIn(text: string): readonly unknown[] | Problem {
  let documents: readonly unknown[]
  try {
    documents = loadAll(text, { schema: FAILSAFE_SCHEMA })
  } catch (error) {
    const line = yamlErrorLine(error)
    const where = line === undefined ? '' : ` at line ${line}`
    return inputProblem('registries', `is not valid YAML${where}`, { kind: 'correct-yaml' }, line)
  }
  const [list] = documents
  if (documents.length > 1) return inputProblem('registries', 'holds more than one YAML document', LIST)
  return Array.isArray(list) ? list : inputProblem('registries', 'is not a list', LIST)
}

interface ReadItem {
  readonly access?: RegistryAccess
  readonly problems: readonly Problem[]
}

async function readItem(item: unknown, at: string, files: Pick<Files, 'read'>): Promise<ReadItem> {
  const problems: Problem[] = []
  const wrong = (what: string, hint: Hint): undefined => {
    problems.push(inputProblem('registries', `${at}: ${what}`, hint))
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    wrong('is not an object', LIST)
    return { problems }
  }
  const given: Readonly<Record<string, unknown>> = { ...item }
  if (Object.keys(given).some((key) => !FIELDS.some((field) => field === key))) {
    wrong('has a field that is not known', { kind: 'write-one-of', choices: FIELDS })
  }
  const text = (field: Field): string => {
    const value = given[field] ?? ''
    if (typeof value === 'string') return value.trim()
    wrong(`${field} is not text`, { kind: 'quote-text' })
    return ''
  }

  const host = text('host').toLowerCase()
  if (!HOST.test(host) || URL.parse(`https://${host}`) === null)
    wrong('host is not one', { kind: 'write-registry-host' })
  const login = loginOf({ username: text('username'), password: text('password'), token: text('token') }, given, wrong)
  if (login === 'empty') problems.push(emptyLogin(at))
  const authorities = await authoritiesOf(text('ca'), files, wrong)
  const plain = text('plain-http')
  if (!/^(?:true|false)?$/i.test(plain)) wrong('plain-http is not valid', { kind: 'write-boolean' })
  if (Object.keys(given).length === 1) wrong('has nothing but a host', LIST)

  if (problems.some(({ severity }) => severity === 'error')) return { problems }
  const access = {
    host,
    ...(login === 'empty' ? {} : login),
    ...defined({ authorities }),
    isPlainHttp: /^true$/i.test(plain),
  }
  return { access, problems }
}

type LoginFields = Pick<RegistryAccess, 'username' | 'password' | 'token'>

/** `empty`: a login is meant, and its secret holds nothing. */
function loginOf(
  { username, password, token }: { readonly username: string; readonly password: string; readonly token: string },
  given: Readonly<Record<string, unknown>>,
  wrong: (what: string, hint: Hint) => undefined,
): LoginFields | 'empty' {
  if (token !== '' && (username !== '' || password !== '')) {
    wrong('has both a token and a name or password', { kind: 'leave-out' })
  }
  if (token !== '') return { token }
  if (username !== '' && !('password' in given)) wrong('password is missing', LIST)
  if (password !== '' && username === '') wrong('username is missing', LIST)
  if (password !== '') return { username, password }
  return 'password' in given || 'token' in given ? 'empty' : {}
}

function emptyLogin(at: string): Problem {
  const what = `${at}: has an empty password or token, so that nobody logs in`
  return { ...inputProblem('registries', what, { kind: 'secrets-not-for-forks' }), severity: 'warning' }
}

/** PEM, or the path of a file with it. */
async function authoritiesOf(
  text: string,
  files: Pick<Files, 'read'>,
  wrong: (what: string, hint: Hint) => undefined,
): Promise<string | undefined> {
  if (text === '') return undefined
  const pem = text.includes('-----BEGIN') ? text : await files.read(text).catch(() => undefined)
  if (pem === undefined) return wrong('ca is neither PEM nor a file that can be read', { kind: 'write-authority' })
  const certificates = pem.match(CERTIFICATE) ?? []
  if (certificates.length > 0 && certificates.every((certificate) => isCertificate(certificate))) return pem
  return wrong('ca holds no certificate, or a broken one', { kind: 'write-authority' })
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function repeated(registries: readonly RegistryAccess[]): readonly Problem[] {
  const hosts = registries.map(({ host }) => host)
  const isTwice = hosts.some((host, index) => hosts.indexOf(host) !== index)
  return isTwice ? [inputProblem('registries', 'names a host twice', { kind: 'remove-duplicate' })] : []
}
