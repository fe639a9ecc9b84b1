import { expect, test } from 'vitest'
import { splitMarked } from './marked.tsx'

test.each([
  ['Torque of the motor', ['torq'], ['', 'Torq', 'ue of the motor']],
  ['Motor torque', ['tor', 'torque'], ['Motor ', 'torque', '']],
  ['a (b) c', ['(b'], ['a ', '(b', ') c']],
  ['a phrase', ['"phrase"'], ['a ', 'phrase', '']],
  ['nothing', [], ['nothing']],
  ['retorque', ['torque'], ['retorque']],
])('%j marks %j', (text, words, parts) => {
  expect(splitMarked(text, words)).toEqual(parts)
})
