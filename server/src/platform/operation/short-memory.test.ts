import { expect, test } from 'vitest'
import { memoryOf, ShortMemory } from './short-memory.ts'

test('what is known stays until there is one too many, and what replaces itself is none', () => {
  const memory = new ShortMemory<string, number>(2)
  memory.set('one', 1).set('two', 2).set('two', 22)
  expect([...memory]).toEqual([
    ['one', 1],
    ['two', 22],
  ])

  memory.set('three', 3)
  expect([...memory]).toEqual([['three', 3]])
})

test('what one owner knows, no other does', () => {
  const [one, other] = [{}, {}]
  const known = memoryOf<string, number>(2)
  known(one).set('answer', 42)
  expect(known(one).get('answer')).toBe(42)
  expect(known(other).has('answer')).toBe(false)
})
