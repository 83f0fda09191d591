import type { ChartRules, FetchSettings } from '../ports.ts'
import type { ChartCache } from './cache.ts'
import type { Credentials } from './chart-credentials.ts'
import type { Http } from './http.ts'

/** What every source of charts works with. */
export interface FetchParts {
  readonly http: Http
  readonly credentials: Omit<Credentials, 'tlsOf'>
  readonly cache: ChartCache
  readonly rules: ChartRules
  readonly settings: FetchSettings
}
