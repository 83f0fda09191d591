import { describe, expect, test } from 'vitest'
import { readUpgradeFlags } from '../../src/inputs/upgrade-flags.ts'
import type { JsonValue } from '../../src/model/object.ts'
import { hintText } from '../../src/report/words/hint-text.ts'

function read(flags: JsonValue) {
  const faults: string[] = []
  return { ...readUpgradeFlags(flags, (what, hint) => faults.push(`${what}: ${hintText(hint)}`)), faults }
}

describe('helmUpgradeFlags', () => {
  test.each<[readonly string[], object]>([
    [['--wait'], { wait: true }],
    [['--wait=false'], { wait: false }],
    [['--wait=watcher'], { wait: true }],
    [['--wait=hookOnly'], { wait: false }],
    [['--wait-for-jobs'], {}],
    [['--wait=false', '--wait-for-jobs=false'], { wait: false }],
    [['--timeout=20m0s'], { timeoutSeconds: 1200 }],
    [['--timeout', '3600s'], { timeoutSeconds: 3600 }],
    [['--timeout=1.5h'], { timeoutSeconds: 5400 }],
    [['--timeout=0.5m'], { timeoutSeconds: 30 }],
    [['--history-max', '15'], { historyMax: 15 }],
    [['--take-ownership'], { takeOwnership: true }],
    [['--force-conflicts=true'], { forceConflicts: true }],
    [['--create-namespace'], { createNamespace: true }],
    [['--atomic'], { onFailure: 'undo' }],
    [['--rollback-on-failure', '--wait=false'], { onFailure: 'undo', wait: false }],
    [['--rollback-on-failure=false'], { onFailure: 'stop' }],
    [['--skip-crds'], { withCrds: false }],
    [['--no-hooks', '--skip-crds=false'], { withHooks: false, withCrds: true }],
    [['--install', '-i', '--debug'], {}],
    [['--reset-values'], { reuseValues: 'none' }],
    [['--reuse-values'], { reuseValues: 'reuse' }],
    [['--reset-then-reuse-values'], { reuseValues: 'reset-then-reuse' }],
    [['--reset-then-reuse-values', '--reuse-values'], { reuseValues: 'reuse' }],
    [['--reuse-values', '--reset-values=true', '--reset-then-reuse-values'], { reuseValues: 'none' }],
    [['--reset-values=false', '--reuse-values'], { reuseValues: 'reuse' }],
  ])('%j gives %j', (flags, options) => {
    expect(read(flags)).toMatchObject({ options, faults: [] })
    expect(Object.keys(read(flags).options)).toEqual(Object.keys(options))
  })

  test('take values in the forms of Helm', () => {
    const flags = ['--set', 'a=1', '--set=b=2', '--set-string=c=3', '--set-json', 'd=[1]', '--set-literal=e={x}']
    expect(read(flags).sets).toEqual({
      set: ['a=1', 'b=2'],
      setString: ['c=3'],
      setJson: ['d=[1]'],
      setFile: [],
      setLiteral: ['e={x}'],
    })
  })

  test.each(['--force', '--cleanup-on-fail', '--namespace=x', '--values=x.yaml', '--description=x', 'wait'])(
    '%s has no meaning here',
    (flag) => {
      expect(read([flag]).faults).toHaveLength(1)
      expect(read([flag]).faults[0]).toContain('has no meaning here: leave it out; known are --wait')
    },
  )

  test('mistakes are all named, never a value', () => {
    const flags = [
      '--timeout',
      'soon',
      '--history-max=all',
      '--wait=maybe',
      '--set',
      'hunter2secret',
      '--wait-for-jobs=false',
    ]
    expect(read(flags).faults).toEqual([
      '--timeout has no duration above zero: write one such as --timeout=20m',
      '--history-max has no number: write one such as --history-max=10',
      '--wait is neither true nor false: write --wait or --wait=false',
      '--set has no key=value form: write --set=key=value',
      '--wait-for-jobs=false has no meaning alone: write --wait=false as well, or leave it out',
    ])
  })

  test('are a list of texts', () => {
    expect(read('--wait').faults).toEqual(['is not a list of strings: write a list, each entry in quotes'])
  })
})
