import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../messages/errors.ts'
import { csvHead, type CsvOptions, csvRow, splitCell, toPlainCell, unescapeFormulas } from './csv.ts'
import { readCsv } from './read-csv.ts'

const SEPARATORS = ['comma', 'semicolon', 'tab'] as const

async function read(text: string | Buffer, chunkSize = 64 * 1024, maxLength = 1000) {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, at) =>
    bytes.subarray(at * chunkSize, (at + 1) * chunkSize),
  )
  const records = []
  try {
    for await (const { line, cells } of readCsv(Readable.from(chunks, { objectMode: true }), maxLength))
      records.push([line, ...cells])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { cause, line, column } = error.details ?? {}
    records.push({ reason: error.reason, cause, line, column })
  }
  return records
}

describe('a CSV file', () => {
  test.each([1, 2, 3, 1000])('is read with the line of each row, in chunks of %i bytes', async (size) => {
    const text = '\uFEFFid,text\r\n1,"two\r\nlines"\r\n\r\n2,"say ""so"""\n3,ä\r4,""'
    expect(await read(text, size)).toEqual([
      [1, 'id', 'text'],
      [2, '1', 'two\r\nlines'],
      [4, ''],
      [5, '2', 'say "so"'],
      [6, '3', 'ä'],
      [7, '4', ''],
    ])
  })

  test.each([
    ['a,b;b,c\n1,2,3', ['1', '2', '3']],
    ['a;b;c\n1;"2,5";3', ['1', '2,5', '3']],
    ['a\tb\n1;2,3\t4', ['1;2,3', '4']],
    ['"a;a;a",b\n1;2,3', ['1;2', '3']],
    ['alone\n1;2', ['1;2']],
  ])('is separated as its header is: %j', async (text, cells) => {
    expect((await read(text, 4)).at(-1)).toEqual([2, ...cells])
  })

  test.each([
    ['a,b\n1,2\n3,"x\ny', 2, { cause: 'csv_quote_open', line: 3, column: 3 }],
    ['a,b\n1,2\n3,x"y\n', 2, { cause: 'csv_quote_stray', line: 3, column: 4 }],
    ['a,b\n1,"x\ny" z\n', 1, { cause: 'csv_quote_stray', line: 3, column: 3 }],
    ['a,b\n1,2,3\n', 1, { cause: 'csv_cells', line: 2, column: 4 }],
    ['a,b\n1,2\n1\n', 2, { cause: 'csv_cells', line: 3, column: 2 }],
    [Buffer.from('a,b\n1,\xff\n', 'latin1'), 1, { line: 2, column: 3 }],
    [Buffer.from('a,b\n1,\xc3', 'latin1'), 1, { line: 2, column: 3 }],
    ['a,b\n1,x\0y\n', 1, { line: 2, column: 4 }],
    ['"a', 0, { cause: 'csv_quote_open', line: 1, column: 1 }],
  ])('that is malformed is refused with the position, after its complete rows: %j', async (text, rows, at) => {
    for (const size of [1, 1000]) {
      const records = await read(text, size)
      expect(records.at(-1)).toEqual({ reason: 'body_malformed', cause: undefined, ...at })
      expect(records).toHaveLength(rows + 1)
    }
  })

  test('with a row that is too long is refused there', async () => {
    const refusal = { reason: 'payload_too_large', line: 2 }
    expect((await read(`a,b\n1,${'x'.repeat(1000)}\n`)).at(-1)).toMatchObject(refusal)
    expect((await read(`a,b\n1,"${'x\n'.repeat(500)}`, 10)).at(-1)).toMatchObject(refusal)
  })

  test('without any text has no rows', async () => {
    expect(await read('')).toEqual([])
  })
})

const awkward = fc.array(
  fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    '"',
    ',',
    ';',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '|',
    '\\',
    'a',
    '1',
    ' ',
    'ü',
    '🍎',
  ),
  { maxLength: 12 },
)
const text = awkward.map((parts) => parts.join(''))

describe('what leaves comes back', () => {
  test.each(SEPARATORS)('for every text, separated by %s', async (separator) => {
    const rows = fc.array(fc.tuple(text, text, text), { maxLength: 8 })
    const roundTrip = fc.asyncProperty(
      rows,
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (table, bom, size) => {
        const options: CsvOptions = { separator, bom }
        const file = csvHead(['one', 'two', 'three'], options) + table.map((row) => csvRow(row, options)).join('')
        const [, ...records] = await read(file, size)
        const cells = records.map((record) =>
          Array.isArray(record) ? record.slice(1).map((cell) => unescapeFormulas(String(cell))) : record,
        )
        expect(cells).toEqual(table)
      },
    )
    await fc.assert(roundTrip, { seed: 75, numRuns: 300 })
  })

  test('for cells with several values', () => {
    const values = fc.array(
      text.filter((each) => each !== ''),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(values, (given) => {
        expect(splitCell(toPlainCell(given))).toEqual(given)
      }),
      { seed: 75, numRuns: 500 },
    )
  })
})
