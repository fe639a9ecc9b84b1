import { expect, test } from 'vitest'
import { parseWidths, writeWidths } from './column-widths.ts'

test('widths of the address are read and written, within limits', () => {
  expect(writeWidths(parseWidths('status:120,due:7,title:99999'))).toBe('status:120,due:40,title:2000')
  expect(parseWidths('status,:4,due:wide,x:-1').size).toBe(0)
  expect(writeWidths(parseWidths(undefined))).toBeUndefined()
})
