import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { INPUT_NAMES } from '../src/inputs/input-names.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../src/model/object.ts'
import { pageBlocks, pageWorkflows, workflowFiles } from './workflow-files.ts'

const files = workflowFiles()
const pinned = [...files, ...pageWorkflows().filter(({ path }) => path.startsWith('docs/clusters.md'))]

test('S-24 every action of others is pinned by its commit, with the version beside it', () => {
  const loose = pinned.flatMap(({ path, text }) =>
    [...text.matchAll(/^ *(?:- )?uses: +(\S+)(.*)/gm)]
      .filter(([, uses = '']) => !/^(\.\/|staged-helm-deploy\/)/.test(uses))
      .filter(([, uses = '', comment = '']) => !/@[0-9a-f]{40}$/.test(uses) || !/^ # v\d+\.\d+\.\d+$/.test(comment))
      .map(([line]) => `${path}: ${line}`),
  )
  expect(loose).toEqual([])
})

test('every workflow says which permissions it needs, and grants no writing to all of its jobs', () => {
  const granted = files.map(
    ({ path, text }) => [path, (load(text) as { readonly permissions?: JsonValue }).permissions] as const,
  )
  const loose = granted.filter(
    ([, permissions]) => !isJsonObject(permissions) || Object.values(permissions).some((right) => right !== 'read'),
  )
  expect(loose).toEqual([])
})

test('workflows and pages give the action inputs that it has', () => {
  const known = new Set<string>(INPUT_NAMES)
  const steps = [...files, ...pageBlocks()].flatMap(({ path, text }) => {
    const isWhole = !text.includes('...')
    return isWhole ? actionSteps(load(text) as JsonValue).map((inputs) => [path, Object.keys(inputs)] as const) : []
  })
  expect(steps.length).toBeGreaterThan(20)
  expect(
    steps.flatMap(([path, names]) => names.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`)),
  ).toEqual([])
})

/** The inputs of each step with the action, wherever it is in a workflow, a job or a list of steps. */
function actionSteps(value: JsonValue | undefined): readonly object[] {
  if (isJsonArray(value)) return value.flatMap(actionSteps)
  if (!isJsonObject(value)) return []
  const { uses, with: inputs } = value
  if (typeof uses === 'string' && /^(staged-helm-deploy\/|\.\/$)/.test(uses))
    return isJsonObject(inputs) ? [inputs] : []
  return Object.values(value).flatMap(actionSteps)
}
