import { describe, expect, test } from 'vitest'
import type { PassResult } from '../../src/model/pass.ts'
import { readHistory } from '../../src/record/history.ts'
import { problemText } from '../../src/report/words/problem-text.ts'
import { type BrokenHistory, brokenHistories, liveObjects, settingsOf } from '../record/broken-histories.ts'
import { textOf } from '../record/records.ts'
import { runScene } from './scene.ts'

const COMMANDS = ['plan', 'deploy', 'rollback', 'uninstall'] as const
type Command = (typeof COMMANDS)[number]

/** What a command does with a release whose records are broken: its end, the records and the objects that are left. */
async function played(broken: BrokenHistory, command: Command): Promise<Played> {
  const scene = runScene()
  const { clock, cluster, renderer } = scene
  const place = { release: 'shop', namespace: 'web', nowMs: clock.now() }
  const { live } = broken
  const before = [...(live === undefined ? [] : liveObjects(live, place)), ...broken.stored(place)]
  for (const object of before) cluster.put(object)
  renderer.chart(settingsOf('new'))
  const [result] = await scene.run({ command })
  if (result === undefined) throw new Error('no release was run')
  const records = textOf(await readHistory(cluster, 'shop', 'web'))
  const names = ['settings', ...['1', '2', '7', '399', '400', 'new'].map((part) => `part-${part}`)]
  const objects = names.flatMap((name) => {
    const object = cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name })
    const revision = (object?.data as { readonly revision?: string } | undefined)?.revision
    return object === undefined ? [] : [revision === undefined ? name : `${name} of ${revision}`]
  })
  const text = `${endOf(result)} | ${shortened(records)} | ${objects.join(', ')}`
  return { text, warnings: (result.plan?.problems ?? result.problems ?? []).map(problemText) }
}

interface Played {
  readonly text: string
  readonly warnings: readonly string[]
}

function endOf({ outcome, plan }: PassResult): string {
  const verb = plan === undefined ? '' : `${plan.verb} ${plan.revision}: `
  return `${verb}${outcome.failure === undefined ? outcome.status : `${outcome.failure.reason}, ${outcome.failure.message}`}`
}

function shortened(records: string): string {
  return records.length <= 200 ? records : `${records.slice(0, 12)} ... ${records.slice(-12)}`
}

describe(`each of ${brokenHistories.length} broken histories`, () => {
  test('is planned, deployed, rolled back and uninstalled as the table says', async () => {
    const texts: string[] = []
    for (const broken of brokenHistories) {
      texts.push(`# ${broken.name}`)
      for (const command of COMMANDS) texts.push(`${command}: ${(await played(broken, command)).text}`)
      texts.push(...(await played(broken, 'plan')).warnings.map((warning) => `  ! ${warning}`), '')
    }
    await expect(texts.join('\n')).toMatchFileSnapshot('broken-histories.txt')
  })

  test.each(brokenHistories)('$name: what the deploy leaves, the next one has nothing to repair of', async (broken) => {
    const { text } = await played(broken, 'deploy')
    const [, records = ''] = text.split(' | ')
    if (text.includes('locked')) return
    expect(records).not.toContain('pending')
    expect(records.match(/ deployed/g)).toHaveLength(1)
    expect(records).toMatch(/ deployed$/)
  })
})
