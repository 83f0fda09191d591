import { expect, test } from 'vitest'
import { type Inputs, problemsOf, readGiven } from './given.ts'

const texts = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n' }
const base: Inputs = { chart: 'charts/web', release: 'web' }

test('description and labels of the record are read', async () => {
  const given = { description: 'build 42', 'release-labels': 'team=shop\n example.com/stage=\nold=null' }
  const { settings } = await readGiven({ ...base, ...given }, texts)
  expect(settings).toMatchObject({
    description: 'build 42',
    labels: { team: 'shop', 'example.com/stage': '', old: 'null' },
  })
})

test('without them the record says what Helm says', async () => {
  const { settings } = await readGiven(base, texts)
  expect(settings).not.toHaveProperty('description')
  expect(settings).not.toHaveProperty('labels')
})

test.each([
  'team',
  '=a',
  'owner=me',
  'version=1',
  '-a=b',
  'a/b/c=d',
  '/a=b',
  'a=b c',
  `a=${'b'.repeat(64)}`,
  'a=b,c=d',
])('%s is no label of a record', async (label) => {
  expect(await problemsOf({ ...base, 'release-labels': `x=y\n${label}` }, texts)).toEqual([
    `input release-labels: line 2: "${label}" is not valid: write key=value as a label of Kubernetes; Helm itself sets name, owner, status, version, createdAt, modifiedAt`,
  ])
})

test.each(['two\nlines', 'x'.repeat(513)])('a description is one line: %j', async (description) => {
  expect(await problemsOf({ ...base, description }, texts)).toEqual([
    'input description: is not valid: write one line of at most 512 characters',
  ])
})
