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
    [['id', 'status', 'status'], 'id,status,status_2'],
    [['a', 'a', 'a'], 'a,a_2,a_3'],
    [['status', 'status', 'status_2'], 'status,status_3,status_2'],
    [['a_2', 'a', 'a', 'a_2'], 'a_2,a,a_3,a_2_2'],
  ])('names each of the columns %j differently', (columns, names) => {
    expect(csvHead(columns, {})).toBe(`${names}\r\n`)
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

  test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('escapes %j, unless raw is requested', (text) => {
    expect(line(text)).toContain(`'${text}`)
    expect(line(text, { raw: true })).not.toContain("'")
  })

  test('escapes cells, not each of their values: only a cell can be a formula', () => {
    expect(line(['=1+1', '-2'])).toBe("'=1+1|-2\r\n")
    expect(line([-1, 2])).toBe("'-1|2\r\n")
    expect(line([{ username: '@tom' }])).toBe("'@tom\r\n")
  })

  test.each(['comma', 'semicolon', 'tab'])('R09 quotes every separator, also where %s is in use', (separator) => {
    expect(line('a;b', { separator })).toBe('"a;b"\r\n')
    expect(line('a,b', { separator })).toBe('"a,b"\r\n')
    expect(line('a\tb', { separator })).toBe('"a\tb"\r\n')
  })

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['a,@sum', "a,'@sum"],
    ['a\t+1', "a\t'+1"],
    ['one\n-two', "one\n'-two"],
    ['one\r\n=two', "one\r\n'=two"],
    ['\n=1', "'\n'=1"],
    ["a;'=1", "a;''=1"],
    ["'=1", "''=1"],
  ])('R09 guards a formula after a separator inside a cell: %j', (text, guarded) => {
    expect(line(text)).toContain(guarded)
    expect(line(text, { raw: true })).toContain(text)
  })

  test('R09 removing one guard restores every text', () => {
    const texts = ['=1', "'=1", 'a;=1', "a;'=1", 'a, -b', '\t=1', "it's; 'so'", 'x\n- y\n- z']
    const unguard = (text: string) => text.replaceAll(/^'(?='*[=+\-@\t\r\n])|(?<=[,;\t\r\n])'(?='*[=+\-@])/g, '')
    const unquote = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

    expect(texts.map((text) => unguard(unquote(line(text).slice(0, -2))))).toEqual(texts)
  })
})
