import { describe, expect, test } from 'vitest'
import { csvHead, csvRow } from './csv.ts'

const line = (value: unknown, options = {}) => csvRow([value], options)

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
    [['red', '=1+1'], 'red|=1+1'],
    [[], ''],
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

  test('looks at a cell, not at each of its values: only a cell can be a formula', () => {
    expect(line(['=1+1', '-2'])).toBe("'=1+1|-2\r\n")
    expect(line([-1, 2])).toBe("'-1|2\r\n")
    expect(line([{ username: '@tom' }])).toBe("'@tom\r\n")
  })

  test('quotes the separator that is in use', () => {
    expect(line('a;b', { separator: 'semicolon' })).toBe('"a;b"\r\n')
    expect(line('a,b', { separator: 'semicolon' })).toBe('a,b\r\n')
    expect(line('a\tb', { separator: 'tab' })).toBe('"a\tb"\r\n')
  })
})
