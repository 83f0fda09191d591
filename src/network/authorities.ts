import { getCACertificates } from 'node:tls'

let trusted: readonly string[] | undefined

/**
 * Whom a server is trusted by where the kubeconfig names nobody, as PEM: the authorities of the system, as for kubectl
 * (SSL_CERT_FILE and SSL_CERT_DIR count), beside those that come with Node and NODE_EXTRA_CA_CERTS. Read once: it takes a
 * tenth of a second.
 */
export function trustedAuthorities(): readonly string[] {
  trusted ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
  return trusted
}
