import type { Login } from './http.ts'

/** `identity`: an OAuth2 refresh token, which a registry's token server takes. */
export type RegistryLogin = Login | { readonly kind: 'identity'; readonly token: string }
