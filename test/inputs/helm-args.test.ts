import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { idleFlagsText } from '../../src/report/words/idle-flags-text.ts'
import { type Inputs, problemsOf, readGiven } from './given.ts'

const texts = {
  'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
  'a.yaml': 'a: 1\n',
  'b,c.yaml': 'b: 1\n',
  'notes.txt': 'text',
}
const base: Inputs = { chart: 'charts/web', release: 'web' }

async function settingsOf(given: Inputs): Promise<Settings> {
  const { settings, problems } = await readGiven({ ...base, ...given }, texts)
  expect(problems).toEqual([])
  if (settings === undefined) throw new Error('there are no settings')
  return settings
}
const problems = (helmArgs: string, inputs: Inputs = {}) =>
  problemsOf({ ...base, ...inputs, 'helm-args': helmArgs }, texts)
const idleFlags = async (helmArgs: string) => {
  const read = await readGiven({ ...base, 'helm-args': helmArgs }, texts)
  return { text: idleFlagsText(read.idleFlags), problems: read.problems }
}

describe('helm-args', () => {
  test.each<[string, Inputs]>([
    ['', {}],
    ['--namespace shop --create-namespace', { namespace: 'shop', 'create-namespace': 'true' }],
    ['-n shop', { namespace: 'shop' }],
    ['-nshop', { namespace: 'shop' }],
    ['-n=shop', { namespace: 'shop' }],
    ['-in shop', { namespace: 'shop' }],
    ['-if a.yaml -n shop', { 'values-files': 'a.yaml', namespace: 'shop' }],
    ['--namespace first --namespace=last', { namespace: 'last' }],
    ['--kube-context prod --kubeconfig /home/me/config', { context: 'prod', kubeconfig: '/home/me/config' }],
    ['-f a.yaml,notes.txt --values a.yaml', { 'values-files': 'a.yaml\nnotes.txt\na.yaml' }],
    [`--values '"b,c.yaml"'`, { 'values-files': 'b,c.yaml' }],
    ['--set a=1,b=2 --set c=3', { set: 'a=1,b=2\nc=3' }],
    [`--set-string 'a=x y' --set-literal='b=$x,y'`, { 'set-string': 'a=x y', 'set-literal': 'b=$x,y' }],
    [`--set-json '{"a":{"b":1}}=1'`, { 'set-json': '{"a":{"b":1}}=1' }],
    ['--set-file a=notes.txt', { 'set-file': 'a=notes.txt' }],
    ['--timeout 5m0s', { timeout: '300s' }],
    ['--timeout=1.5h', { timeout: '90m' }],
    ['--timeout 1500ms', { timeout: '2s' }],
    ['--wait=false', { wait: 'false' }],
    ['--wait=hookOnly', { wait: 'false' }],
    ['--wait --wait-for-jobs', {}],
    ['--wait=watcher', {}],
    ['--no-hooks', { hooks: 'false' }],
    ['--no-hooks=false', {}],
    ['--take-ownership --force-conflicts', { 'take-ownership': 'true', 'force-conflicts': 'true' }],
    [
      '--description "build 42" -l a=b,c=d --labels e=f',
      { description: 'build 42', 'release-labels': 'a=b\nc=d\ne=f' },
    ],
    ['--history-max=3', { 'history-max': '3' }],
    ['--force=false --post-renderer= --install', {}],
    ['--dry-run', { command: 'plan' }],
    ['--dry-run=server', { command: 'plan' }],
    ['--dry-run=none', {}],
    ['--kube-version 1.30 -a a/v1,b/v2 -a c/v1', { 'kube-version': '1.30', 'api-versions': 'a/v1\nb/v2\nc/v1' }],
    ['--namespace= --set ""', {}],
    ['--server-side --server-side=auto --server-side true', {}],
  ])('%j is %j', async (helmArgs, inputs) => {
    expect(await settingsOf({ 'helm-args': helmArgs })).toEqual(await settingsOf(inputs))
  })
})

describe('beside inputs', () => {
  test('lists go on with what the flags say', async () => {
    const given = { set: 'a=1\nb=2', 'values-files': 'a.yaml', 'helm-args': '--set c=3 -f notes.txt' }
    const inputs = { set: 'a=1\nb=2\nc=3', 'values-files': 'a.yaml\nnotes.txt' }
    expect(await settingsOf(given)).toEqual(await settingsOf(inputs))
  })

  test('anything else is given once', async () => {
    const inputs = { namespace: 'shop', timeout: '5m', wait: 'false' }
    expect(await problems('--timeout 300s -n other\n--wait', inputs)).toEqual([
      'input helm-args: line 1: --namespace and the input namespace are both given: leave one of them out',
      'input helm-args: line 1: --timeout and the input timeout are both given: leave one of them out',
      'input helm-args: line 2: --wait and the input wait are both given: leave one of them out',
    ])
  })

  test('a default that is written counts as left out: the run cannot tell them apart', async () => {
    expect(await problems('--timeout 5m --no-hooks', { timeout: '10m', hooks: 'TRUE' })).toEqual([])
  })

  test.each([
    ['deploy', 'plan'],
    ['plan', 'plan'],
    ['rollback', 'plan-rollback'],
    ['uninstall', 'plan-uninstall'],
  ])('--dry-run makes of %s a %s', async (command, plan) => {
    expect((await settingsOf({ command, 'helm-args': '--dry-run=client' })).command).toBe(plan)
  })

  test('--dry-run of tests is refused', async () => {
    expect(await problems('--dry-run', { command: 'test' })).toEqual([
      'input helm-args: line 1: --dry-run is refused: leave it out: the command test has no plan',
    ])
  })
})

describe('flags that change nothing', () => {
  test('are told with the reason, each once', async () => {
    expect(await idleFlags('--install --debug -v 3 --debug --wait-for-jobs --cleanup-on-fail=false')).toEqual({
      text: 'input helm-args: these flags change nothing here: --install (a release that does not exist is installed in any case); --wait-for-jobs (Jobs are waited for as other resources are, see input wait); --debug, --v (the log says what is done; for more, run the job again with debug logging)',
      problems: [],
    })
  })
})

describe('mistakes', () => {
  test.each<[string, string]>([
    ['--post-renderer ./x.sh', 'line 1: --post-renderer is refused: no program is started on what was rendered'],
    ['--enable-dns', 'line 1: --enable-dns is refused: charts are rendered without a network'],
    ['--kube-token=hunter2', 'line 1: --kube-token is refused: write it in the kubeconfig of input kubeconfig'],
    ['--password hunter2', 'line 1: --password is refused: write it in input registries'],
    [
      '--server-side=false',
      'line 1: --server-side is refused: leave it out: objects are applied by the API server only',
    ],
    ['-g', 'line 1: -g is refused: write the name in input release'],
    ['--atomc', 'line 1: "--atomc" is no flag of helm upgrade, install or template: write --atomic, or remove it'],
    [
      '--hunter=2',
      'line 1: "--hunter" is no flag of helm upgrade, install or template: docs/from-helm.md lists the flags',
    ],
    ['-wx', 'line 1: "-w" is no flag of helm upgrade, install or template: docs/from-helm.md lists the flags'],
    ['./charts/web', 'line 1: "./charts/web" is no flag: write it in input chart'],
    ['web oci://registry.example/web', 'line 1: "web" is no flag: write it in input release'],
    ['--wait shop bitnami/web', 'line 1: "shop" is no flag: write it in input release'],
    ['helm upgrade --wait', 'line 1: "helm" is no flag: leave it out'],
    ['--wait -- x', 'line 1: "--" is no flag: write it in input release'],
    ['--namespace', 'line 1: --namespace has no value: nothing follows: write --namespace=value'],
    ['--version --wait', 'line 1: --version has no value: --wait follows: write --version=value'],
    [
      '--wait=maybe',
      'line 1: the value of --wait cannot be taken: write one of true, false, watcher, legacy, hookOnly',
    ],
    ['--no-hooks=maybe', 'line 1: the value of --no-hooks cannot be taken: write --no-hooks or --no-hooks=false'],
    ['--dry-run=maybe', 'line 1: the value of --dry-run cannot be taken: write one of client, server, none'],
    ['-f -', 'line 1: the value of -f cannot be taken: write values into a file'],
    [
      `-f 'values/*.yaml'`,
      'line 1: the value of -f cannot be taken: name each file; input values-files takes patterns',
    ],
    [`-f 'a"b'`, 'line 1: the value of -f cannot be taken: write names with commas between'],
    ['-f values/*.yaml', 'line 1: "*" outside of quotes stands for file names in a shell'],
    [`--set 'a=hunter2\nb'`, 'line 1: the value of --set cannot be taken: write a value of several lines'],
    [`--set 'a=hunter2 '`, 'line 1: the value of --set cannot be taken: write a value of several lines'],
  ])('%j', async (helmArgs, problem) => {
    const [found, ...more] = await problems(helmArgs)
    expect(found).toContain(`input helm-args: ${problem}`)
    expect([found, ...more].join()).not.toContain('hunter2')
  })

  test('in values are told at the flag', async () => {
    expect(await problems('--namespace A_B\n--timeout soon\n--set hunter2 -f none.yaml --set-json a={')).toEqual([
      'input helm-args: --timeout: "soon" is not valid: write a duration above zero such as 90s, 10m or 1h30m',
      expect.stringContaining('input helm-args: --namespace: "A_B" is not valid: '),
      'input helm-args: --values: "none.yaml" does not exist or is not a file: write one existing file, glob or https:// address per line',
      'input helm-args: --set: value 1 has no key=value form: write one key=value per line',
      'input helm-args: --set-json: value 1: the value of a is not valid JSON: write key=json, with strings in double quotes',
    ])
  })

  test('a word behind a value may be a piece of it, and is not repeated', async () => {
    expect(await problems('--set password=very hunter2 secret')).toEqual(
      Array(2).fill(
        'input helm-args: line 1: a word behind the value of --set is no flag: put the whole value into quotes; names of release and chart belong to inputs release and chart',
      ),
    )
  })

  test('of a flag nobody knows are told once: its value is passed over', async () => {
    expect(await problems('--post-renderer x --timout hunter2 -n shop')).toEqual([
      'input helm-args: line 1: "--timout" is no flag of helm upgrade, install or template: write --timeout, or remove it',
      expect.stringContaining('input helm-args: line 1: --post-renderer is refused'),
    ])
  })

  test('for a shell are told alone: the other flags count, and what is wrong with them may follow from it', async () => {
    const told = await problems('--dry-run --namespace "$NAMESPACE" --atomc | tee plan.txt', { cluster: 'none' })
    expect(told).toEqual([
      expect.stringContaining('input helm-args: line 1: "$" is expanded by a shell'),
      expect.stringContaining('input helm-args: line 1: "|" outside of quotes ends or redirects the command'),
    ])
  })

  test('are told together with those of the inputs', async () => {
    expect(await problems('--force', { timeout: 'soon' })).toEqual([
      expect.stringContaining('input helm-args: line 1: --force is refused'),
      expect.stringContaining('input timeout: "soon" is not valid'),
    ])
  })
})
