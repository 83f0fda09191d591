import { describe, expect, test } from 'vitest'
import { INPUT_NAMES } from '../../src/inputs/input-names.ts'
import { readInputs } from '../../src/inputs/inputs.ts'
import type { Files } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { fakeSources } from '../doubles/fake-sources.ts'
import { defaults, type Inputs } from './defaults.ts'

const valid: Inputs = { ...defaults, chart: 'charts/shop', release: 'shop' }

const workspace: Files = {
  read: async (path) => `# ${path}\na: 1\n`,
  exists: async (path) => {
    if (path === 'charts/shop') return 'directory'
    return ['charts/shop/Chart.yaml', 'values/prod.yaml', 'values/eu.yaml', 'shop-1.0.0.tgz', 'run.sh'].includes(path)
      ? 'file'
      : 'none'
  },
  list: async () => [],
  readPacked: async () => undefined,
  pathFrom: (_, path) => path,
  locate: (path) => `/workspace/${path}`,
}

async function read(given: Inputs) {
  return readInputs((name) => ({ ...valid, ...given })[name] ?? '', {
    files: workspace,
    renderer: fakeRenderer(),
    openSources: () => fakeSources(),
  })
}

async function problemsOf(given: Inputs): Promise<readonly string[]> {
  return (await read(given)).problems.map(
    ({ place, what, hint }) => `input ${place.input}: ${what}: ${hint && hintText(hint)}`,
  )
}

describe('inputs', () => {
  test('become settings and one release', async () => {
    const { settings } = await read({ namespace: 'web', timeout: '1h30m', 'create-namespace': 'TRUE', context: 'prod' })
    expect(settings).toMatchObject({
      command: 'deploy',
      createNamespace: true,
      timeoutSeconds: 5400,
      context: 'prod',
      kubeconfig: undefined,
      releases: [
        { release: 'shop', namespace: 'web', weight: 0, source: { kind: 'chart', path: '/workspace/charts/shop' } },
      ],
    })
  })

  test('of the lifecycle have the defaults of action.yml', async () => {
    const { settings } = await read({})
    expect(settings).toMatchObject({
      wait: true,
      prune: true,
      withHooks: true,
      withCrds: true,
      onFailure: 'stop',
      historyMax: 10,
      revision: undefined,
      keepHistory: false,
      test: false,
      testFilter: [],
      leftOut: [],
    })
  })

  test('of the lifecycle are read', async () => {
    const { settings } = await read({
      wait: 'false',
      prune: 'false',
      hooks: 'false',
      'on-failure': 'rollback',
      'history-max': '0',
      test: 'true',
      'test-filter': 'smoke\n  load \n',
      'skip-crds': 'true',
    })
    expect(settings).toMatchObject({
      wait: false,
      prune: false,
      withHooks: false,
      onFailure: 'rollback',
      historyMax: 0,
      test: true,
      testFilter: ['smoke', 'load'],
      withCrds: false,
    })
  })

  test.each([
    [{}, 'stop'],
    [{ 'on-failure': 'rollback' }, 'rollback'],
    [{ atomic: 'true' }, 'undo'],
    [{ atomic: 'true', 'on-failure': 'rollback' }, 'undo'],
    [{ atomic: 'true', 'on-failure': 'stop' }, 'undo'],
    [{ atomic: 'false', 'on-failure': 'rollback' }, 'rollback'],
  ])('of a failure: %j are %s', async (given, onFailure) => {
    expect((await read(given)).settings?.onFailure).toBe(onFailure)
  })

  test('without a namespace leave it to the kubeconfig', async () => {
    const { settings } = await read({})
    expect(settings?.releases[0]).not.toHaveProperty('namespace')
  })

  test('report all mistakes at once, naming input, value and accepted form', async () => {
    const problems = await problemsOf({
      command: 'destroy',
      chart: 'charts/none',
      release: 'Shop_1',
      namespace: 'Web',
      timeout: 'soon',
      summary: 'yes',
      comment: 'often',
      'on-failure': 'retry',
      'history-max': 'all',
      revision: '0',
      wait: 'maybe',
      prune: 'on',
      hooks: 'off',
      test: '1',
    })
    expect(problems).toEqual([
      'input command: "destroy" is not valid: write one of deploy, plan, plan-rollback, plan-uninstall, rollback, uninstall, test',
      'input comment: "often" is not valid: write one of changes, always, never',
      'input on-failure: "retry" is not valid: write one of stop, rollback',
      'input timeout: "soon" is not valid: write a duration above zero such as 90s, 10m or 1h30m',
      'input history-max: "all" is not valid: write a whole number, 0 for all revisions',
      'input revision: "0" is not valid: write the number of a revision, from 1',
      'input wait: "maybe" is not valid: write true or false',
      'input prune: "on" is not valid: write true or false',
      'input hooks: "off" is not valid: write true or false',
      'input test: "1" is not valid: write true or false',
      'input summary: "yes" is not valid: write true or false',
      'input release: "Shop_1" is not valid: write lower-case letters, digits, "-" and ".", at most 53 characters',
      'input namespace: "Web" is not valid: write lower-case letters, digits and "-", at most 63 characters',
      'input chart: "charts/none" does not exist: write the path of a chart and check it out first, its address (oci://, https://), or its name with input repository',
    ])
  })

  test.each(['', '  ', '\n'])('that are all given as %j are as if they were not given', async (empty) => {
    const all: Inputs = Object.fromEntries(INPUT_NAMES.map((name) => [name, empty]))
    const given = { chart: 'charts/shop', release: 'shop' }
    expect(await read({ ...all, ...given })).toEqual(await read(given))
  })

  test('that are required are named when they are missing', async () => {
    expect(await problemsOf({ chart: '', release: '' })).toEqual([
      'input release: is missing: name the release',
      'input chart: is missing: write the path of a chart directory or of a .tgz, or give charts or manifests',
    ])
  })

  test('a rollback may take as long as the run, or as long as rollback-timeout says; the lock is not waited for', async () => {
    const times = async (given: { readonly [name: string]: string }) => {
      const { settings } = await read(given)
      return [settings?.timeoutSeconds, settings?.rollbackTimeoutSeconds, settings?.lockTimeoutSeconds]
    }
    expect(await times({ timeout: '20m' })).toEqual([1200, 1200, 0])
    expect(await times({ 'rollback-timeout': '90s', 'lock-timeout': '1h' })).toEqual([600, 90, 3600])
    expect(await problemsOf({ 'rollback-timeout': '0', 'lock-timeout': 'soon' })).toEqual([
      'input rollback-timeout: "0" is not valid: write a duration above zero such as 90s, 10m or 1h30m',
      'input lock-timeout: "soon" is not valid: write a duration above zero such as 90s, 10m or 1h30m',
    ])
  })

  test('take a packaged chart', async () => {
    expect(await problemsOf({ chart: 'shop-1.0.0.tgz' })).toEqual([])
  })

  test('name a directory that is no chart', async () => {
    const files: Files = { ...workspace, exists: async (path) => (path === 'docs' ? 'directory' : 'none') }
    const { problems } = await readInputs((name) => ({ ...valid, chart: 'docs' })[name] ?? '', {
      files,
      renderer: fakeRenderer(),
      openSources: () => fakeSources(),
    })
    expect(problems.map(({ what }) => what)).toEqual(['"docs" holds no Chart.yaml'])
  })

  test.each([
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5400],
    ['45', 45],
  ])('read the duration %s as %i seconds', async (timeout, seconds) => {
    expect((await read({ timeout })).settings?.timeoutSeconds).toBe(seconds)
  })

  test.each(['0', '0s', '-1', '1.5h', '30m1h', 'm'])('refuse the duration "%s"', async (timeout) => {
    expect(await problemsOf({ timeout })).toHaveLength(1)
  })
})

describe('values', () => {
  test('come in the order of Helm: files, then the inline values as the last of them', async () => {
    const { settings } = await read({ 'values-files': 'values/prod.yaml\n\n values/eu.yaml \n', values: 'b: 2' })
    expect(settings?.releases[0]?.source).toMatchObject({
      values: {
        files: [
          { label: 'values/prod.yaml', text: '# values/prod.yaml\na: 1\n' },
          { label: 'values/eu.yaml', text: '# values/eu.yaml\na: 1\n' },
          { label: 'input values', text: 'b: 2' },
        ],
      },
    })
  })

  test('take one key=value per line in each of the five set inputs', async () => {
    const { settings } = await read({
      set: 'a.b=1\nc=d=e',
      'set-string': 'tag=0644',
      'set-json': 'list=[1,2]',
      'set-file': 'script=run.sh',
      'set-literal': 'text={{ not a template }}',
    })
    expect(settings?.releases[0]?.source).toMatchObject({
      values: {
        set: ['a.b=1', 'c=d=e'],
        setString: ['tag=0644'],
        setJson: ['list=[1,2]'],
        setFile: ['script=/workspace/run.sh'],
        setLiteral: ['text={{ not a template }}'],
      },
    })
  })

  test('name line and key of a mistake in set inputs and never a value', async () => {
    const problems = await problemsOf({ set: 'a=1\nhunter2secret', 'set-json': 'db.password=hunter2secret' })
    expect(problems).toEqual([
      'input set: line 2 has no key=value form: write one key=value per line',
      'input set-json: line 1: the value of db.password is not valid JSON: write key=json, with strings in double quotes',
    ])
  })

  test('take no file of set-file that is not in the workspace, as where a link of a fork leads out', async () => {
    const problems = await problemsOf({ 'set-file': 'script=run.sh,environment=../environ\nb=run\\,sh' })
    const hint = 'write key=path with an existing file that lies in the workspace, or its absolute path'
    expect(problems).toEqual([
      `input set-file: line 1: the file of environment does not exist or is not a file: ${hint}`,
      `input set-file: line 2: the file of b does not exist or is not a file: ${hint}`,
    ])
  })

  test('name the line of a mistake in the inline values and never a piece of them', async () => {
    const problems = await problemsOf({ values: 'a: 1\npassword: "hunter2secret\nb: 2' })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^input values: is not valid YAML at line \d: check the indentation and quotes$/)
  })

  test('must be a map', async () => {
    expect(await problemsOf({ values: '- hunter2secret' })).toEqual([
      'input values: is not a map of values: write `key: value` lines',
    ])
  })

  test('are one document', async () => {
    expect(await problemsOf({ values: 'a: 1\n---\nb: 2' })).toEqual([
      'input values: is not a map of values: write `key: value` lines',
    ])
  })

  test('files that are missing are named', async () => {
    expect(await problemsOf({ 'values-files': 'values/prod.yaml\nvalues/none.yaml' })).toEqual([
      'input values-files: "values/none.yaml" does not exist or is not a file: write one existing file, glob or https:// address per line',
    ])
  })
})
