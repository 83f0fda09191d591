import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedLines } from '../../../src/report/markdown/text-diff.ts'

const linesOf = (before: readonly string[], after: readonly string[], context = 0) =>
  changedLines(before.join('\n'), after.join('\n'), context)

const item = (path: string, name: string) => ['  - hostPath:', `      path: ${path}`, `    name: ${name}`]

test('an item that comes before one like it is shown from its start, and named in the title', () => {
  const [old, now] = [item('/var/log', 'logs'), item('/etc/machine-id', 'machine')]
  const [hunk, ...others] = linesOf(['volumes:', ...old], ['volumes:', ...now, ...old])

  expect(others).toEqual([])
  expect(hunk?.lines).toEqual(now.map((line) => `+${line}`))
  expect(hunk?.path).toBe('volumes[machine]')
  expect(hunk?.line).toBe(2)
})

test('so is one that goes, and a key with what is below it', () => {
  const [gone, kept] = [item('/a', 'a'), item('/b', 'b')]
  const limits = ['  limits:', '    cpu: 1']

  expect(linesOf(['volumes:', ...gone, ...kept], ['volumes:', ...kept])[0]?.lines).toEqual(
    gone.map((line) => `-${line}`),
  )
  expect(linesOf(['a:', ...limits, 'b:', ...limits], ['a:', ...limits])[0]?.lines).toEqual([
    '-b:',
    ...limits.map((line) => `-${line}`),
  ])
})

test('the lines of a diff are those of both texts, whatever stands where', () => {
  const texts = fc.array(fc.constantFrom('- a', '  b', 'c:', '', '  - a', '\\ d'), { maxLength: 25 })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const [old, now] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`]
      const whole = changedLines(old, now, 1_000).flatMap(({ lines }) => lines)
      const side = (sign: string) =>
        whole.filter((line) => line.startsWith(' ') || line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
      if (old === now) {
        expect(whole).toEqual([])
        return
      }
      expect(side('-').join('')).toBe(old)
      expect(side('+').join('')).toBe(now)
      const bare = changedLines(old, now, 0).flatMap(({ lines }) => lines)
      expect(bare).toEqual(whole.filter((line) => !line.startsWith(' ')))
    }),
  )
})
