import fc from 'fast-check'
import { dump, loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { shortenedLines } from '../../../src/report/markdown/long-lines.ts'
import { resourceDiff } from '../../../src/report/markdown/resource-diff.ts'
import { cpuMsOf } from '../../cpu-time.ts'

const config = (text: string, key = 'x'): JsonObject => ({ data: { [key]: text } })

function diffOf(before: string, after: string, { context = 0, key = 'x' } = {}) {
  return resourceDiff(config(before, key), config(after, key), context)?.lines
}

describe('a text inside of a value', () => {
  test('is compared as text, below its key', () => {
    const nginx = (port: number) => `server {\n  listen ${port};\n  server_name shop;\n}\n`

    expect(diffOf(nginx(80), nginx(8080), { context: 1, key: 'nginx.conf' })).toEqual([
      '@@ data["nginx.conf"], line 2 @@',
      ' server {',
      '-  listen 80;',
      '+  listen 8080;',
      '   server_name shop;',
    ])
  })

  test('stands below the other changes of its object, which say that it does', () => {
    const pod = (image: string, step: string): JsonObject => ({
      spec: { containers: [{ name: 'app', image, command: ['sh', '-c', `set -e\n${step}\n`] }] },
    })

    expect(resourceDiff(pod('web:1', 'migrate'), pod('web:2', 'migrate --all'), 1)?.lines).toEqual([
      '@@ spec.containers[app] @@',
      '         - (text, compared below)',
      '-      image: web:1',
      '+      image: web:2',
      '       name: app',
      '@@ spec.containers[app].command[2], line 2 @@',
      ' set -e',
      '-migrate',
      '+migrate --all',
    ])
  })

  test('is found where its item has moved', () => {
    const item = (name: string, script: string) => ({ name, script })
    const list = (...items: readonly JsonObject[]): JsonObject => ({ steps: items })
    const before = list(item('a', 'x\n1\n'), item('b', 'y\n2\n'))
    const after = list(item('b', 'y\n3\n'), item('a', 'x\n1\n'))

    expect(resourceDiff(before, after, 0)?.lines.slice(-3)).toEqual(['@@ steps[b].script, line 2 @@', '-2', '+3'])
  })

  test.each([
    ['appears', { a: 'x\ny\n' }, {}, ['-  a: |', '-    x', '-    y']],
    ['becomes a list', { a: 'x\ny\n' }, { a: ['x'] }, ['-  a: |', '-    x', '-    y', '+  a:', '+    - x']],
  ])('that %s stays where it is', (_what, before, after, lines) => {
    const shown = resourceDiff({ data: before, z: 1 }, { data: after, z: 1 }, 0)?.lines ?? []

    expect(shown).toEqual(expect.arrayContaining(lines))
  })

  test('tells that its last line has no line feed only where that changes', () => {
    expect(diffOf('a\nb', 'a\nc')).toEqual(['@@ data.x, line 2 @@', '-b', '+c'])
    expect(diffOf('a\nb', 'a\nb\n')).toEqual(['@@ data.x, line 2 @@', '-b', '\\ No newline at end of file', '+b'])
  })

  test('with tabs and carriage returns is compared line by line', () => {
    expect(diffOf('a\tb\r\nc\n', 'a\tb\r\nd\n')?.slice(1)).toEqual(['-c', '+d'])
  })

  test('that only begins like JSON stays as it is', () => {
    expect(diffOf('{{ .Values.a }}', '{{ .Values.b }}')?.slice(1)).toEqual([
      "-  x: '{{ .Values.a }}'",
      "+  x: '{{ .Values.b }}'",
    ])
  })

  test.each(['__proto__', 'constructor', 'toString'])('below the key %s is one like any other', (key) => {
    const [before, after] = ['a\nb\n', 'a\nc\n'].map((text) =>
      JSON.parse(`{"data":{"${key}":${JSON.stringify(text)}}}`),
    )

    expect(resourceDiff(before, after, 0)?.lines.slice(1)).toEqual(['-b', '+c'])
  })
})

test('an object that is new shows JSON inside of it line by line', () => {
  expect(resourceDiff(undefined, config('{"a":[1]}'), 0)?.lines.slice(2)).toEqual([
    '+  x: |',
    '+    {',
    '+      "a": [',
    '+        1',
    '+      ]',
    '+    }',
  ])
})

test('another layout of JSON in a list without names is shown', () => {
  const list = (...args: readonly string[]): JsonObject => ({ args })

  expect(resourceDiff(list('{"a":1}'), list('{ "a": 1 }', 'x'), 0)?.lines).toContain(`+  - '{ "a": 1 }'`)
})

describe('a text that is YAML or JSON', () => {
  test('on one line is compared value by value, without loss of digits', () => {
    expect(diffOf('{"a":1,"b":9007199254740993}', '{"a":1,"b":9007199254740995}')).toEqual([
      '@@ data.x as YAML @@',
      '-b: 9007199254740993',
      '+b: 9007199254740995',
    ])
  })

  test('of a large dashboard is one small hunk, with the place of the change', () => {
    const panel = (id: number, changed: boolean) => ({
      id,
      name: `panel ${id}`,
      targets: [{ expr: changed ? 'sum(rate(errors[5m]))' : 'rate(requests[5m])' }],
    })
    const dashboard = (changed: number) =>
      JSON.stringify({ panels: Array.from({ length: 500 }, (_, id) => panel(id, id === changed)), title: 'Shop' })

    expect(dashboard(-1).length).toBeGreaterThan(30_000)
    expect(diffOf(dashboard(-1), dashboard(77))).toEqual([
      '@@ data.x as YAML: panels[panel 77].targets @@',
      '-      - expr: rate(requests[5m])',
      '+      - expr: sum(rate(errors[5m]))',
    ])
  })

  test.each([
    ['indentation and quotes', 'a:\n  - b: "x"\n', 'a:\n- b: x\n'],
    ['the order of keys', 'a: 1\nb: 2\n', 'b: 2\na: 1\n'],
    ['YAML and JSON', 'a: 1\nb: [x]\n', '{"b": ["x"], "a": 1}'],
    ['line ends', 'a: 1\r\nb: 2\r\n', 'a: 1\nb: 2\n'],
  ])('of which only %s changes is one line', (_what, before, after) => {
    expect(diffOf(before, after)).toEqual(['@@ data.x: only order and layout change, the same as YAML @@'])
  })

  test('of which comments change as well says so', () => {
    expect(diffOf('a: 1 # old\nb: 2\n', 'b: 2\na: 1\n')).toEqual([
      '@@ data.x: only comments, order and layout change, the same as YAML @@',
    ])
    expect(diffOf('# old\na:\n    b: 1\n    c: 1\n    d: 1\n', 'a:\n  b: 2\n  c: 1\n  d: 1\n')?.[0]).toBe(
      '@@ data.x as YAML: a; comments change as well @@',
    )
  })

  test('is shown as it is written where that is as short', () => {
    expect(diffOf('# port\nport: 80\nhost: a\n', '# port\nport: 81\nhost: a\n', { context: 1 })).toEqual([
      '@@ data.x, line 2 @@',
      ' # port',
      '-port: 80',
      '+port: 81',
      ' host: a',
    ])
  })

  test.each([
    ['a number and its text', 'a: 1\nb: x\n', 'a: "1"\nb: x\n'],
    ['1.1 and 1.10', 'a: 1.1\nb: x\n', 'a: 1.10\nb: x\n'],
    ['true and yes', 'a: true\nb: x\n', 'a: yes\nb: x\n'],
    ['a block with and without its last line feed', 'a: |\n  x\nb: 1\n', 'a: |-\n  x\nb: 1\n'],
    ['the order of a list', '- a\n- b\n', '- b\n- a\n'],
    ['the order of documents', 'a: 1\n---\nb: 1\n', 'b: 1\n---\na: 1\n'],
    ['the second of two equal keys', 'a: 1\na: 2\n', 'a: 2\na: 1\n'],
    ['what an alias stands for', 'a: &x 1\nb: &y 2\nc: *x\n', 'a: &x 1\nb: &y 2\nc: *y\n'],
    ['a tag', 'a: !x 1\nb: 1\n', 'a: !y 1\nb: 1\n'],
    ['a masked value', 'a: "***"\nb:   1\n', 'a: "***"\nb: 1\n'],
  ])('is never said to be the same where %s differs', (_what, before, after) => {
    const shown = diffOf(before, after) ?? []

    expect(shown.filter((line) => /^[+-]/.test(line)).length).toBeGreaterThan(1)
    expect(shown.join('\n')).not.toContain('the same as YAML')
  })
})

const long = (...changes: readonly string[]) =>
  ['--config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus ', ...changes].join(
    ' --web.enable-lifecycle --web.console.templates=/etc/prometheus/consoles --web.route-prefix=/ ',
  )

describe('a long line', () => {
  test('that changes in a few words shows these, between what stands around them', () => {
    const [before, after] = [long('--retention=15d', '--level=info'), long('--retention=30d', '--level=debug')]

    expect(shortenedLines([' a', `-  - ${before}`, `+  - ${after}`, ' b'])).toEqual([
      ' a',
      '-  - --config.file=/etc/prometheus/prometheus.yml…te-prefix=/ --retention=15d --web.enable-lifecycle ….route-prefix=/ --level=info',
      '+  - --config.file=/etc/prometheus/prometheus.yml…te-prefix=/ --retention=30d --web.enable-lifecycle ….route-prefix=/ --level=debug',
      ' b',
    ])
  })

  test('that appears or disappears shows its beginning, and how much more there is', () => {
    expect(shortenedLines([`+${'x'.repeat(1_999)}`])).toEqual([`+${'x'.repeat(119)}…(1,880 more characters)`])
    expect(shortenedLines([` ${'x'.repeat(1_999)}`])).toEqual([` ${'x'.repeat(119)}…`])
  })

  test('of which a long word changes shows where it begins to differ', () => {
    const [removed, added] = shortenedLines([
      `-  caBundle: ${'A'.repeat(500)}B${'C'.repeat(500)}`,
      `+  caBundle: ${'A'.repeat(500)}D${'E'.repeat(500)}`,
    ])

    expect(removed).toMatch(/^- {2}caBundle: A+…A+BC+…\(\d{3} more characters\)$/)
    expect(added).toMatch(/^\+ {2}caBundle: A+…A+DE+…\(\d{3} more characters\)$/)
  })

  test('with changes in many places says how many it leaves out', () => {
    const [old, now] = ['old', 'new'].map((word) => long(...Array.from({ length: 9 }, () => word)))
    const [removed, added] = shortenedLines([`-${old}`, `+${now}`])

    expect([removed, added].map((line) => line?.match(/old|new/g)?.length)).toEqual([6, 6])
    expect(removed).toMatch(/\(3 more places differ\)$/)
  })

  test('always shows a difference, and nothing that is not there', () => {
    const text = fc.array(fc.constantFrom('word', 'x', ' ', ',', '…', 'Ω', '😀', 'y'.repeat(120), '-', '+'), {
      maxLength: 90,
    })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [a.join(''), b.join('')]
        fc.pre(before !== after)
        const [removed, added] = shortenedLines([`-${before}`, `+${after}`])
        expect(removed?.slice(1)).not.toBe(added?.slice(1))
        for (const [line, whole] of [
          [removed, before],
          [added, after],
        ]) {
          const pieces = line?.slice(1).split(/…|\([\d,]+ more (?:characters|places? differs?)\)/) ?? []
          expect(pieces.filter((piece) => whole?.includes(piece) !== true)).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('whatever differs in a text is shown, or it is the same as YAML', () => {
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', 1, true, 'true', '', null, 'a: b', 'x\ny\n', '*a', '# c'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'name', 'c.d'), tie('tree'), { maxKeys: 3 }),
    ),
  })).tree
  const text = fc.oneof(
    fc
      .tuple(value, fc.boolean(), fc.boolean())
      .map(([tree, isJson, isSorted]) =>
        isJson ? JSON.stringify(tree) : dump(tree, { sortKeys: isSorted, flowLevel: isSorted ? -1 : 2 }),
      ),
    fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '#', '"', '\r', '{', '}') }),
  )
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = resourceDiff(config(before), config(after), 1)
      if (before === after) {
        expect(diff).toBeUndefined()
      } else if (diff?.lines.join('\n').includes('the same as YAML') === true) {
        expect(loadAll(before)).toEqual(loadAll(after))
      } else {
        expect((diff?.added ?? 0) + (diff?.removed ?? 0)).toBeGreaterThan(0)
      }
    }),
    { numRuns: 1_000 },
  )
})

describe('a hostile text takes no more than seconds', () => {
  /** The same sequence in every run, without a pattern. */
  const letters = (amount: number, between: string, seed: number) => {
    let state = seed
    return Array.from({ length: amount }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state < 2 ** 30 ? 'a' : 'b'
    }).join(between)
  }
  const json = (seed: number) => JSON.stringify(letters(15_000, ' ', seed).split(' '))

  test.each([
    ['of lines that all differ', letters(20_000, '\n', 1), letters(20_000, '\n', 2)],
    ['of one long line', letters(500_000, ' ', 1), letters(500_000, ' ', 2)],
    ['that is a list as JSON', json(1), json(2)],
    ['that nests as deeply as it can', '['.repeat(500_000), `${'['.repeat(500_000)} `],
    ['of aliases of aliases', aliases(3_000), aliases(3_001)],
    ['of line feeds', '\n'.repeat(500_000), 'x\n'.repeat(300_000)],
  ])('%s', (_what, before, after) => {
    expect(cpuMsOf(() => diffOf(before, after))).toBeLessThan(10_000)
  })
})

function aliases(amount: number): string {
  return Array.from({ length: amount }, (_, i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`).join('\n')
}
