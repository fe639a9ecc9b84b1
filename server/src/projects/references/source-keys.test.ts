import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectSteadyGrowth } from '../../../test/harness/cpu-time.ts'
import { parseSourceKeys } from './source-keys.ts'

const keysIn = (text: string) => parseSourceKeys(text).map(({ key }) => key)

describe('source keys in a text', () => {
  test.each([
    ['ABC-123', ['ABC-123']],
    ['see ABC-123, (X_2-7): q-1.', ['ABC-123', 'X_2-7', 'q-1']],
    ['https://old.example/browse/ABC-1?x', ['ABC-1']],
    ['#ABC-1 @ABC-2', ['ABC-1', 'ABC-2']],
    ['ABC-1—ABC-2', ['ABC-1', 'ABC-2']],
    ['ABC-1-2 1-2 -1 ABC- ABC-x ABC–1 xéA-1 A-1é 3A-1 _A-1 --A-1', []],
    [`ABC-${'1'.repeat(16)} ${'A'.repeat(101)}-1`, []],
    ['', []],
  ])('%s', (text, keys) => {
    expect(keysIn(text)).toEqual(keys)
  })

  test('are found where they stand', () => {
    const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,9}-[0-9]{1,6}$/)
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 5 }),
        fc.constantFrom(' ', '\n', ', ', '. ', ' 💡 ', '('),
        (keys, between) => {
          const text = keys.join(between)
          expect(keysIn(text)).toEqual(keys)
          for (const { at, key: found } of parseSourceKeys(text)) expect(text.slice(at, at + found.length)).toBe(found)
        },
      ),
    )
  })

  test('are limited in number and found in linear time', () => {
    expect(keysIn('A-1 '.repeat(2000))).toHaveLength(1000)
    for (const part of ['A-', 'A', '1', '-', 'A-1', 'A-1x ', `A-${'1'.repeat(40)}x `, '_', 'A'.repeat(120), 'é-'])
      expectSteadyGrowth(keysIn, part.repeat(Math.ceil(65_535 / part.length)))
  })
})
