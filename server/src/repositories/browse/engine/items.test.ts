import { expect, test } from 'vitest'
import { type Item, ItemReader, writeItem } from './items.ts'

const read = (pieces: readonly Buffer[]): Item[] => {
  const reader = new ItemReader()
  return pieces.flatMap((piece) => [...reader.feed(piece)])
}

const ITEM: Item = ['success', [12, Buffer.from('3:( )\n'), [], 'done', [Buffer.alloc(0), [[7]]]]]

test('parsing an item returns the serialized value', () => {
  expect(read([writeItem(ITEM)])).toEqual([ITEM])
})

test('items may be split across chunks at any byte', () => {
  const bytes = Buffer.concat([writeItem(ITEM), writeItem('done'), writeItem(ITEM)])
  const single = Array.from(bytes, (byte) => Buffer.from([byte]))
  expect(read(single)).toEqual([ITEM, 'done', ITEM])
  for (let at = 0; at < bytes.length; at++)
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([ITEM, 'done', ITEM])
})

test('an incomplete item is not emitted', () => {
  expect(read([Buffer.from('( success 12:to be cont')])).toEqual([])
  expect(read([Buffer.from('12')])).toEqual([])
})
