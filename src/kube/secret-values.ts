import type { Connection } from './connection.ts'

/** Names of variables and flags of a credential plugin whose value is secret. */
const SECRET_NAME = /secret|token|password|passwd|private|api_?key|access_?key/i
const ARMOUR = /^-----(BEGIN|END) /

/** Every text of a connection that may not be printed, as it is and as base64 where kubeconfigs hold base64. */
export function secretsOf(connection: Omit<Connection, 'secrets'>): readonly string[] {
  const { tls, authentication, proxy } = connection
  const values: string[] = []
  if (tls.certificate !== undefined) {
    values.push(...pemSecrets(tls.certificate.key), ...pemSecrets(tls.certificate.certificate))
  }
  if (authentication.kind === 'token') values.push(authentication.token)
  if (authentication.kind === 'basic') {
    const { username, password } = authentication
    values.push(password, Buffer.from(`${username}:${password}`).toString('base64'))
  }
  if (authentication.kind === 'exec') {
    const { env, args } = authentication.plugin
    for (const [name, value] of Object.entries(env)) if (SECRET_NAME.test(name)) values.push(value)
    args.forEach((arg, index) => {
      const [flag = '', inline] = arg.split(/=(.*)/s)
      if (SECRET_NAME.test(flag)) values.push(inline ?? args[index + 1] ?? '')
    })
  }
  const password = proxy !== undefined && URL.canParse(proxy) ? new URL(proxy).password : ''
  values.push(password, decodeURIComponentSafely(password))
  return [...new Set(values.filter((value) => value !== ''))]
}

/** A PEM block, line by line (the armour is no secret), and whole as base64: logs break it in either way. */
export function pemSecrets(pem: string): readonly string[] {
  const lines = pem.split(/\r?\n/).filter((line) => line !== '' && !ARMOUR.test(line))
  return [...lines, Buffer.from(pem).toString('base64')]
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
