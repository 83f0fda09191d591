import { X509Certificate } from 'node:crypto'
import { parseJson } from '../model/json.ts'
import { numberAt } from '../model/object.ts'

/** When a JSON Web Token expires, in ms since the epoch; undefined for tokens that do not say. The signature is not looked at. */
export function expiryOfToken(token: string): number | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const seconds = numberAt(parseJson(Buffer.from(payload, 'base64url').toString('utf8')), 'exp')
    return seconds === undefined ? undefined : seconds * 1000
  } catch {
    return undefined // no JSON: the token is of another kind
  }
}

/** When a client certificate (PEM) expires, in ms since the epoch. */
export function expiryOfCertificate(pem: string): number | undefined {
  try {
    const atMs = Date.parse(new X509Certificate(pem).validTo)
    return Number.isNaN(atMs) ? undefined : atMs
  } catch {
    return undefined // the server will say what it thinks of it
  }
}
