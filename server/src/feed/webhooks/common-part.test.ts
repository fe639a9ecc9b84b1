import { expect, test } from 'vitest'
import { commonPart } from './common-part.ts'

test.each<{ sent: unknown; readable: unknown; common: unknown }>([
  { sent: 1, readable: 1, common: 1 },
  { sent: 1, readable: 2, common: undefined },
  { sent: 'a', readable: ['a'], common: undefined },
  { sent: null, readable: null, common: null },
  { sent: { a: 1, b: 2 }, readable: { a: 1, b: 3, c: 4 }, common: { a: 1 } },
  { sent: { a: { b: 1 } }, readable: { a: 1 }, common: {} },
  { sent: { a: 1 }, readable: null, common: undefined },
  { sent: { toString: 1 }, readable: {}, common: {} },
  { sent: [1, 2, 3], readable: [3, 1], common: [1, 3] },
  { sent: [1], readable: { 0: 1 }, common: undefined },
  { sent: [null, 1, 'a', null], readable: ['a', null], common: [null, 'a', null] },
  { sent: { a: [1] }, readable: { a: 'text' }, common: {} },
  {
    sent: [{ id: 1, a: 1, b: 2 }],
    readable: [
      { id: 2, a: 1 },
      { id: 1, a: 1 },
    ],
    common: [{ id: 1, a: 1 }],
  },
  { sent: [{ id: 1 }, { id: 3 }], readable: [{ id: 3 }], common: [{ id: 3 }] },
  {
    sent: [{ field_id: 1, id: 9, value: 'x' }],
    readable: [{ field_id: 1, id: 8, value: 'x' }],
    common: [{ field_id: 1, value: 'x' }],
  },
  { sent: [{ name: 'x' }], readable: [{ name: 'x' }], common: [{ name: 'x' }] },
  { sent: [{ name: 'x' }], readable: [{ name: 'y' }], common: [] },
])('of $sent, a reader of $readable may read $common', ({ sent, readable, common }) => {
  expect(commonPart(sent, readable)).toEqual(common)
})

test.each(['__proto__', 'constructor', 'hasOwnProperty'])('a member %s that the reader has not is left out', (name) => {
  const sent = JSON.parse(`{ "a": 1, "${name}": { "a": 1 } }`)
  expect(JSON.stringify(commonPart(sent, { a: 1 }))).toBe('{"a":1}')
})

test('a member that differs is left out, and not undefined', () => {
  expect(Object.keys(Object(commonPart({ a: 1, b: 1 }, { a: 1, b: 2 })))).toEqual(['a'])
})
