import { describe, expect, test } from 'vitest'
import { fieldDifferences, pointerTo } from '../../src/impact/fields.ts'
import type { JsonObject } from '../../src/model/object.ts'

const shown = (before: JsonObject, after: JsonObject) =>
  fieldDifferences(before, after).map((one) => {
    const items = one.kind === 'list' ? ` +${one.itemsAdded} -${one.itemsRemoved}` : ''
    return `${one.kind} ${one.path}${items} ${pointerTo(one)}`
  })

const containers = (...items: readonly JsonObject[]) => ({ containers: items })
const app = { name: 'app', image: 'app:1' }
const proxy = { name: 'proxy', image: 'proxy:1' }

describe('fields that differ', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['nothing', { a: 1 }, { a: 1n }, []],
    ['a scalar', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, ['changed spec.replicas /spec/replicas']],
    ['a key that appears', {}, { spec: { a: { b: 1 } } }, ['added spec /spec']],
    ['a key that goes', { a: 1, b: 2 }, { b: 2 }, ['removed a /a']],
    ['a key that is no word', { 'a.b/c': 1 }, { 'a.b/c': 2 }, ['changed ["a.b/c"] /a.b~1c']],
    [
      'an item by its name, not by its position',
      containers(app, proxy),
      containers({ name: 'new' }, proxy, { ...app, image: 'app:2' }),
      [
        'added containers[new] /containers/0',
        'changed containers[app].image /containers/2/image',
        'moved containers /containers',
      ],
    ],
    ['an item that goes', containers(app, proxy), containers(proxy), ['removed containers[app] /containers/0']],
    [
      'a container of the same image that gets another name: what else of it differs',
      containers(app, proxy),
      containers(proxy, { ...app, name: 'web', args: ['x'] }),
      [
        'added containers[web].args /containers/1/args',
        'changed containers[web].name /containers/1/name',
        'moved containers /containers',
      ],
    ],
    [
      'of init containers as well',
      { initContainers: [app] },
      { initContainers: [{ ...app, name: 'wait' }] },
      ['changed initContainers[wait].name /initContainers/0/name'],
    ],
    [
      'one that goes and two that come of its image: which of them it is, nobody can say',
      containers(app),
      containers({ ...app, name: 'a' }, { ...app, name: 'b' }),
      [
        'removed containers[app] /containers/0',
        'added containers[a] /containers/0',
        'added containers[b] /containers/1',
      ],
    ],
    [
      'two that go and one that comes of their image',
      containers(app, { ...app, name: 'a' }),
      containers({ ...app, name: 'b' }),
      [
        'removed containers[app] /containers/0',
        'removed containers[a] /containers/1',
        'added containers[b] /containers/0',
      ],
    ],
    [
      'another image and another name: one goes, one comes',
      containers(app),
      containers({ ...app, name: 'web', image: 'app:2' }),
      ['removed containers[app] /containers/0', 'added containers[web] /containers/0'],
    ],
    [
      'without images',
      containers({ name: 'a' }),
      containers({ name: 'b' }),
      ['removed containers[a] /containers/0', 'added containers[b] /containers/0'],
    ],
    [
      'other lists have no images: a variable of another name is another one',
      { env: [{ name: 'A', image: 'x' }] },
      { env: [{ name: 'B', image: 'x' }] },
      ['removed env[A] /env/0', 'added env[B] /env/0'],
    ],
    ['only the order', containers(app, proxy), containers(proxy, app), ['moved containers /containers']],
    ['items without names', { args: ['a', 'b'] }, { args: ['b', 'c', 'd'] }, ['list args +2 -1 /args']],
    ['the order of items without names', { args: ['a', 'b'] }, { args: ['b', 'a'] }, ['moved args /args']],
    ['items that stand twice', { args: ['a', 'a'] }, { args: ['a'] }, ['list args +0 -1 /args']],
    [
      'the one item without a name that changed',
      { rules: [{ verbs: ['get'] }, { verbs: ['list'] }] },
      { rules: [{ verbs: ['list'] }, { verbs: ['get', 'watch'] }] },
      ['list rules[1].verbs +1 -0 /rules/1/verbs'],
    ],
    [
      'labels that appear, one by one',
      { metadata: {} },
      { metadata: { labels: { a: '1', b: '2' } } },
      ['added metadata.labels.a /metadata/labels/a', 'added metadata.labels.b /metadata/labels/b'],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected)
  })

  test('of objects that nest deeper than any real one, the rest is one field', () => {
    const nested = (depth: number, leaf: string): JsonObject =>
      depth === 0 ? { leaf } : { a: nested(depth - 1, leaf) }
    expect(fieldDifferences(nested(500, 'x'), nested(500, 'y'))).toHaveLength(1)
  })
})
