import { expect, test } from 'vitest'
import { decodeText, parseCsv } from './parse-csv.ts'

test.each([
  ['Title,Points\nPump,3\nSeal,5\n'],
  ['\uFEFFTitle;Points\r\nPump;3\r\nSeal;5'],
  ['Title\tPoints\nPump\t3\n\nSeal\t5\n\n'],
  ['"Title","Points"\n"Pump","3"\n"Seal","5"'],
])('reads %j', (content) => {
  expect(parseCsv(content)).toEqual({
    headings: ['Title', 'Points'],
    rows: [
      ['Pump', '3'],
      ['Seal', '5'],
    ],
  })
})

test('keeps separators, quotes and line breaks of quoted cells', () => {
  expect(parseCsv('Title,Text\n"a, b","one ""two""\nthree"\n')?.rows).toEqual([['a, b', 'one "two"\nthree']])
})

test('fills short rows, and cuts long ones', () => {
  expect(parseCsv('A,B\n1\n1,2,3\n')?.rows).toEqual([
    ['1', ''],
    ['1', '2'],
  ])
})

test.each(['', '\n\n', 'Title,Points\n'])('finds no rows in %j', (content) => {
  expect(parseCsv(content)).toBeUndefined()
})

test('decodes UTF-8, and the code page of older spreadsheets', () => {
  expect(decodeText(new TextEncoder().encode('Größe').buffer)).toBe('Größe')
  expect(decodeText(new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65]).buffer)).toBe('Größe')
})
