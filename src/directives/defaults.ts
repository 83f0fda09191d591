import type { Directives } from '../model/directives.ts'
import { isRevisionVerb, rowOf, verbNames } from '../model/verb.ts'
import type { Asked } from './dialect.ts'

/** The directives of an object without annotations. */
const defaults: Directives = {
  isHook: false,
  occasions: verbNames.filter(isRevisionVerb).map((verb) => ({ verb, stage: 'main' })),
  weight: 0,
  isPhased: false,
  ownership: 'release',
  deletePolicies: [],
  keep: false,
  keepOnPrune: false,
  skips: [],
  externalDependencies: [],
  deployDependencies: [],
  deleteDependencies: [],
  deletionPhase: 0,
  isReadyBarrier: false,
  propertyWaits: [],
  excluded: false,
  outputLogsOn: [],
  sensitivePaths: [],
  wait: 'until-ready',
  failMode: 'stop',
  skipLogs: false,
  skipContainers: [],
  onlyContainers: [],
  keepLines: [],
  dropLines: [],
}

const ofHooks: Asked = { ownership: 'anyone', deletePolicies: ['before-creation'] }

/**
 * Objects of `crds/`: also on upgrade; not on rollback, because they are not in the record
 * (docs/sources.md#nelm-stages).
 */
const ofCrds: Asked = {
  occasions: verbNames.filter((verb) => rowOf(verb).stages.includes('crds')).map((verb) => ({ verb, stage: 'crds' })),
  ownership: 'anyone',
}

const ofPlainManifests: Asked = { isPhased: true }

export function defaultsFor(object: {
  readonly isHook: boolean
  readonly isOfCrds: boolean
  readonly isPlainManifest: boolean
}): Directives {
  if (object.isOfCrds) return { ...defaults, ...ofCrds }
  if (object.isHook) return { ...defaults, ...ofHooks }
  return object.isPlainManifest ? { ...defaults, ...ofPlainManifests } : defaults
}
