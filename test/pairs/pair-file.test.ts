import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parsePair, readPairs, writeCharts } from './pair-file.ts'

const TEXT = `A name that changes
its case.

-- values.yaml --
{}
-- old/templates/a.yaml --
name: a

-- new/templates/a.yaml --
name: A
-- new/NOTES.txt --
`

test('a pair is a title and the files of two charts, to the last empty line', () => {
  expect(parsePair('small', TEXT)).toEqual({
    name: 'small',
    title: 'A name that changes its case.',
    old: new Map([
      ['values.yaml', '{}\n'],
      ['templates/a.yaml', 'name: a\n\n'],
    ]),
    new: new Map([
      ['values.yaml', '{}\n'],
      ['templates/a.yaml', 'name: A\n'],
      ['NOTES.txt', ''],
    ]),
  })
})

test('both charts are written as folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pair-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const charts = await writeCharts(parsePair('small', TEXT), folder)
  expect(await readFile(join(charts.old, 'templates', 'a.yaml'), 'utf8')).toBe('name: a\n\n')
  expect(await readFile(join(charts.new, 'templates', 'a.yaml'), 'utf8')).toBe('name: A\n')
})

test('every pair says what it shows in one sentence, and its charts differ', async () => {
  const pairs = await readPairs()
  expect(pairs.length).toBeGreaterThanOrEqual(45)
  expect(pairs.filter(({ title }) => !/^.{20,}\.$/.test(title)).map(({ name }) => name)).toEqual([])
  const same = pairs.filter((pair) => JSON.stringify([...pair.old]) === JSON.stringify([...pair.new]))
  expect(same.map(({ name }) => name)).toEqual([])
})
