import type { ReleaseOptions } from '../../src/model/release.ts'

/** The defaults of `action.yml`. */
export const releaseOptions: ReleaseOptions = {
  createNamespace: false,
  takeOwnership: false,
  forceConflicts: false,
  wait: true,
  historyMax: 10,
  onFailure: 'stop',
  reuseValues: 'none',
  timeoutSeconds: 600,
  withCrds: true,
  withHooks: true,
}
