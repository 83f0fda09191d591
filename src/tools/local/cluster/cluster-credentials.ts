import { generateKeyPair, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const KEY_BITS = 2048

/** Users with a token of their own. The components are told apart by theirs, which the audit policy uses. */
export const USERS = {
  admin: ['admin', 'system:masters'],
  viewer: ['viewer', 'viewers'],
  nobody: ['nobody', 'nobodies'],
  'controller-manager': ['system:kube-controller-manager', 'system:masters'],
  scheduler: ['system:kube-scheduler', 'system:masters'],
  simulation: ['simulation', 'system:masters'],
} as const

export type User = keyof typeof USERS

export type Credentials = {
  readonly tokenFile: string
  readonly privateKeyFile: string
  readonly publicKeyFile: string
  readonly tokens: Readonly<Record<User, string>>
}

/** Tokens for all users and the key pair that signs tokens of service accounts. */
export async function createCredentials(folder: string): Promise<Credentials> {
  const token = () => randomBytes(16).toString('hex')
  const tokens = {
    admin: token(),
    viewer: token(),
    nobody: token(),
    'controller-manager': token(),
    scheduler: token(),
    simulation: token(),
  }
  const lines = Object.entries(USERS).map(([user, [name, group]]) => `${tokens[user as User]},${name},${user},${group}`)
  const tokenFile = join(folder, 'tokens.csv')
  await writeFile(tokenFile, `${lines.join('\n')}\n`, { mode: 0o600 })

  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const privateKeyFile = join(folder, 'service-accounts.key')
  const publicKeyFile = join(folder, 'service-accounts.pub')
  await writeFile(privateKeyFile, pair.privateKey, { mode: 0o600 })
  await writeFile(publicKeyFile, pair.publicKey)
  return { tokenFile, privateKeyFile, publicKeyFile, tokens }
}

export type KubeconfigOptions = {
  readonly server: string
  readonly certificateAuthority: string
  readonly user: string
  readonly token: string
  readonly namespace?: string
}

export async function writeKubeconfig(file: string, options: KubeconfigOptions): Promise<string> {
  const authority = Buffer.from(options.certificateAuthority).toString('base64')
  const text = `apiVersion: v1
kind: Config
current-context: test
contexts:
- name: test
  context: {cluster: test, user: ${options.user}, namespace: ${options.namespace ?? 'default'}}
clusters:
- name: test
  cluster: {server: "${options.server}", certificate-authority-data: ${authority}}
users:
- name: ${options.user}
  user: {token: ${options.token}}
`
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** The certificate that the API server made for itself; it is its own authority. */
export async function readAuthority(folder: string): Promise<string> {
  return readFile(join(folder, 'apiserver.crt'), 'utf8')
}
