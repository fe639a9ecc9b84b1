import { expect, test } from 'vitest'
import { createCachePerOwner } from './cache-per-owner.ts'

test('the least recently used entry is evicted, and the others stay', () => {
  const cache = createCachePerOwner<string, number>(3)({})
  cache.set('one', 1).set('two', 2).set('three', 3)
  expect(cache.get('one')).toBe(1)

  cache.set('four', 4)
  expect(['one', 'two', 'three', 'four'].map((key) => cache.peek(key))).toEqual([1, undefined, 3, 4])
})

test('replacing an entry evicts nothing', () => {
  const cache = createCachePerOwner<string, number>(2)({})
  cache.set('one', 1).set('two', 2).set('two', 22)
  expect([cache.peek('one'), cache.peek('two')]).toEqual([1, 22])
})

test('each owner has a separate cache', () => {
  const [one, other] = [{}, {}]
  const known = createCachePerOwner<string, number>(2)
  known(one).set('answer', 42)
  expect(known(one).get('answer')).toBe(42)
  expect(known(other).has('answer')).toBe(false)
})
