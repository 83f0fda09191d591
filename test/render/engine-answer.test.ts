import { expect, test } from 'vitest'
import { unpackAnswer } from '../../src/render/engine-answer.ts'

test('long texts of an answer stand beside its JSON, by their size in bytes', () => {
  const texts = ['é€', '', '{"textIndex":0}']
  const bytes = new TextEncoder().encode(texts.join(''))
  const header = '{"result":[{"textIndex":2},{"text":{"textIndex":0}},{"textIndex":1}],"sizes":[5,0,15]}'
  expect(unpackAnswer({ header, texts: bytes }).result).toEqual(['{"textIndex":0}', { text: 'é€' }, ''])
})
