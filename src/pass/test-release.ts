import { defined } from '../model/defined.ts'
import { DeployError } from '../model/errors.ts'
import { lastDeployed } from '../record/history.ts'
import { updateRevision } from '../record/writer.ts'
import type { Intent } from './intent.ts'
import { recordContext, recordedChart, recordedHooks } from './recorded.ts'
import type { Setting } from './setting.ts'
import type { TestFilter } from './task.ts'

/**
 * Runs the test hooks of the deployed revision (docs/sources.md#helm-test). The revision stays deployed, whether
 * they pass or not.
 */
export async function testIntent(setting: Setting, filter: TestFilter): Promise<Intent> {
  const { history, namespace, spec } = setting
  const deployed = lastDeployed(history)
  if (deployed === undefined) {
    throw new DeployError({
      reason: 'invalid-input',
      doing: `test release ${spec.release}`,
      message: `no revision of it is deployed in namespace ${namespace}`,
      hint: { kind: 'deploy-first' },
    })
  }
  const hooks = await recordedHooks(deployed.record, recordContext(setting))
  const chart = recordedChart(deployed.record)
  const store: Intent['record']['succeed'] = async (record, begun) => {
    await updateRevision(record, begun, begun.record)
  }
  return {
    verb: 'test',
    revision: deployed.record.version,
    desired: hooks.filter(({ manifest }) => isChosen(manifest.ref.name, filter)),
    previous: [],
    problems: [],
    revisionCauses: [],
    ...defined({ chart }),
    record: {
      status: 'tested',
      begin: async (_record, plan) => (plan.stages.length === 0 ? undefined : deployed),
      succeed: store,
      fail: async (record, begun) => store(record, begun, history),
    },
  }
}

function isChosen(name: string, filter: TestFilter): boolean {
  const wanted = filter.filter((one) => !one.startsWith('!'))
  return !filter.includes(`!${name}`) && (wanted.length === 0 || wanted.includes(name))
}
