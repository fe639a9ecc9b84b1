import { expect, test } from 'vitest'
import { initials } from './marks.tsx'

test.each([
  ['Mara Keller', 'MK'],
  ['Mara Keller (mara)', 'MK'],
  ['Tomás de la Ruiz (tomas.ruiz)', 'TR'],
  ['mara', 'M'],
  ['(mara)', '('],
])('the initials of %s are %s', (name, letters) => {
  expect(initials(name, 'person')).toBe(letters)
})
