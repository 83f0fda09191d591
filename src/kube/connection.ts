/** How to reach one API server, and with which credentials. Holds secrets; never print it. */
export interface Connection {
  /** `https://host:port`, with a path where the server has one, without a slash at the end. */
  readonly server: string
  /** Namespace of the context, else `default`. */
  readonly defaultNamespace: string
  readonly tls: Tls
  /** URL of an HTTP, HTTPS or SOCKS5 proxy. */
  readonly proxy?: string
  readonly authentication: Authentication
  /** `Impersonate-User`, `Impersonate-Group`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Values that are never printed: tokens, keys, passwords, each line of a PEM block. */
  readonly secrets: readonly string[]
  /** One clause each, for the log. */
  readonly warnings: readonly string[]
}

export interface Tls {
  /** PEM. Absent: the authorities of the system and those of Node. */
  readonly authority?: string
  readonly certificate?: ClientCertificate
  readonly serverName?: string
  readonly isUnverified: boolean
}

/** PEM texts. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
}

export type Authentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  /** Read again when the file changes: projected service account tokens live for an hour. */
  | { readonly kind: 'token-file'; readonly path: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin }

/** A credential plugin of the kubeconfig. `env` is complete: nothing of this process is added. */
export interface ExecPlugin {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly apiVersion: string
  /** What the kubeconfig says about installing the plugin. */
  readonly installHint?: string
}
