import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { load } from 'js-yaml'
import type { Namespace } from '../cluster/namespace.ts'
import { chartOf } from './chart-of.ts'
import { helmIn } from './helm.ts'

/** The server behind an admission webhook, which allows all that it is asked about and marks what it may change. */
export interface WebhookBackend {
  readonly port: number
  /** The certificate authority of its certificate, as a `caBundle`. */
  readonly caBundle: string
  readonly close: () => Promise<void>
}

export const MARK = 'example.com/seen-by-webhook'

/** Endpoints of a Service may not be loopback addresses. Undefined on a machine without a network. */
export const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** Answers at `/mutate` and at any other path, with a certificate for the Service. */
export async function startWebhookBackend(namespace: Namespace, service: string): Promise<WebhookBackend> {
  const { ca, cert, key } = await certificateOf(namespace, `${service}.${namespace.name}.svc`)
  const server = createServer({ cert, key }, async (request, response) => {
    const review = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Review
    const patch = [{ op: 'add', path: '/metadata/annotations', value: { ...annotationsIn(review), [MARK]: 'yes' } }]
    const mutation = { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }
    const isMutating = request.url?.startsWith('/mutate') === true
    const { apiVersion, kind } = review
    const answer = { uid: review.request.uid, allowed: true, ...(isMutating ? mutation : {}) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ apiVersion, kind, response: answer }))
  })
  server.listen(0)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(ca).toString('base64'),
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface Review {
  readonly apiVersion: string
  readonly kind: string
  readonly request: { readonly uid: string; readonly object?: { readonly metadata: { readonly annotations?: object } } }
}

function annotationsIn({ request }: Review): object {
  return request.object?.metadata.annotations ?? {}
}

/** In PEM. Charts make their certificates by the same functions. */
async function certificateOf(
  namespace: Namespace,
  host: string,
): Promise<{ readonly ca: string; readonly cert: string; readonly key: string }> {
  const helm = await helmIn(namespace, 'helm4')
  const chart = await chartOf(`
{{- $ca := genCA "webhook-ca" 2 }}
{{- $pair := genSignedCert "${host}" nil (list "${host}") 2 $ca }}
{{ dict "ca" $ca.Cert "cert" $pair.Cert "key" $pair.Key | toYaml }}
apiVersion: v1
kind: ConfigMap
metadata: {name: pair}
`)
  return load(await helm('template', 'pair', chart)) as {
    readonly ca: string
    readonly cert: string
    readonly key: string
  }
}
