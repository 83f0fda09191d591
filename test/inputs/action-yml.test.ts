import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { INPUT_NAMES, type InputName, withDefaults } from '../../src/inputs/input-names.ts'
import { readAction, withInputs } from '../../src/tools/docs.ts'
import { inputGroups } from '../../src/tools/input-groups.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const action = readAction(read('action.yml'))

describe('action.yml', () => {
  test('declares exactly the inputs that the code reads', () => {
    expect(Object.keys(action.inputs)).toEqual([...INPUT_NAMES])
  })

  test('has the defaults that empty inputs get, beside that of github-token, which the runner alone knows', () => {
    const ofEmpty = withDefaults(() => '')
    for (const [name, { default: declared = '' }] of Object.entries(action.inputs)) {
      expect(`${name}: ${ofEmpty(name as InputName)}`).toBe(`${name}: ${name === 'github-token' ? '' : declared}`)
    }
  })

  test('has each input in one group of the README', () => {
    expect(inputGroups.flatMap(({ inputs }) => inputs).toSorted()).toEqual([...INPUT_NAMES].toSorted())
  })

  test('is what the tables of the README are made from', () => {
    const readme = read('README.md')
    expect(withInputs(readme, action)).toBe(readme)
  })

  test('describes every input and output', () => {
    const texts = [...Object.values(action.inputs), ...Object.values(action.outputs)].map(
      ({ description }) => description,
    )
    expect(texts.filter((text) => text.length < 10)).toEqual([])
  })
})
