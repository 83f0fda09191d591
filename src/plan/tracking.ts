import { defined } from '../model/defined.ts'
import type { Directives, Tracking } from '../model/directives.ts'

/** How an await operation waits: the form of the plan that is kept as JSON (output `plan-path`). */
export function trackingOf(directives: Directives): Tracking {
  const { failuresAllowedPerReplica, noActivitySeconds, logReplicas } = directives
  return {
    ...defined({ failuresAllowedPerReplica, noActivitySeconds }),
    logs: {
      skip: directives.skipLogs,
      skipContainers: directives.skipContainers,
      onlyContainers: directives.onlyContainers,
      keep: directives.keepLines,
      drop: directives.dropLines,
      ...defined({ replicas: logReplicas }),
    },
  }
}
