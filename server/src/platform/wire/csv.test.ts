import { describe, expect, test } from 'vitest'
import { csvHead, csvRow } from './csv.ts'

const line = (value: unknown, options = {}) => csvRow(['it'], { it: value }, options)

describe('CSV', () => {
  test('names its columns in the first row', () => {
    expect(csvHead(['id', 'title'], {})).toBe('id,title\r\n')
    expect(csvHead(['id', 'title'], { separator: 'semicolon', bom: true })).toBe('\uFEFFid;title\r\n')
    expect(csvHead(['id', 'title'], { separator: 'tab' })).toBe('id\ttitle\r\n')
  })

  test.each([
    [null, ''],
    [undefined, ''],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    [12.5, '12.5'],
    [-12, '-12'],
    [true, 'true'],
    [['red', 'a|b', 'c\\d'], 'red|a\\|b|c\\\\d'],
    [{ id: 1, username: 'tom' }, 'tom'],
    [{ id: 1, label: 'Orchard' }, 'Orchard'],
    [{ status: 'A' }, '"{""status"":""A""}"'],
  ])('writes %j as %s', (value, cell) => {
    expect(line(value)).toBe(`${cell}\r\n`)
  })

  test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('makes %j harmless, unless it is wanted raw', (text) => {
    expect(line(text)).toContain(`'${text}`)
    expect(line(text, { raw: true })).not.toContain("'")
  })

  test('quotes the separator that is in use', () => {
    expect(line('a;b', { separator: 'semicolon' })).toBe('"a;b"\r\n')
    expect(line('a,b', { separator: 'semicolon' })).toBe('a,b\r\n')
    expect(line('a\tb', { separator: 'tab' })).toBe('"a\tb"\r\n')
  })
})
