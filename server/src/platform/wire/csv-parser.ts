import { ApiError } from '../messages/errors.ts'
import type { Cause } from '../messages/reasons.ts'

/** A row of a CSV file. */
export interface CsvRecord {
  /** The line of the file on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export type CsvSeparator = ',' | ';' | '\t'

interface CsvParserOptions {
  readonly separator: CsvSeparator
  /** Limit of one record, in UTF-16 units. */
  readonly maxRecordLength: number
}

/**
 * Parses RFC 4180 incrementally: the text may be cut anywhere. Lines end with LF, CRLF or CR. Records before a fault are
 * returned first; then `body_malformed` with line and column is thrown.
 */
export interface CsvParser {
  push(text: string): Generator<CsvRecord, void>
  end(): Generator<CsvRecord, void>
  /** The error at the current position, for a fault that the caller finds. */
  malformed(): ApiError
}

export function createCsvParser({ separator, maxRecordLength }: CsvParserOptions): CsvParser {
  const special = new RegExp(`[${separator}"\\r\\n]`, 'g')
  let mode: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let cells: string[] = []
  let parts: string[] = []
  let recordLength = 0
  let recordLine = 1
  /** The number of cells of the header, which every record has. */
  let width: number | undefined
  let opened = { line: 1, column: 1 }
  let line = 1
  let column = 1
  let isAfterReturn = false

  const fault = (cause: Cause, at = { line, column }) => new ApiError('body_malformed', { cause, ...at })
  const keep = (text: string) => {
    recordLength += text.length + 1
    if (recordLength > maxRecordLength)
      throw new ApiError('payload_too_large', { allowed: { maximum: maxRecordLength }, line: recordLine })
    parts.push(text)
  }
  const endCell = () => {
    cells.push(parts.join(''))
    parts = []
    mode = 'start'
  }
  const endRecord = (): CsvRecord => {
    endCell()
    const record = { line: recordLine, cells }
    width ??= cells.length
    if (cells.length !== width && !isBlankRecord(record)) throw fault('csv_cells')
    cells = []
    recordLength = 0
    return record
  }
  const nextLine = () => {
    line++
    column = 1
  }
  /** Consumes a part of a quoted cell; returns where the next quote stands, or the end of the text. */
  const scanQuoted = (text: string, from: number): number => {
    const quote = text.indexOf('"', from)
    const stop = quote === -1 ? text.length : quote
    keep(text.slice(from, stop))
    let start = from
    for (let at = text.indexOf('\n', start); at !== -1 && at < stop; at = text.indexOf('\n', start)) {
      nextLine()
      start = at + 1
    }
    column += stop - start
    return stop
  }

  function* push(text: string): Generator<CsvRecord, void> {
    let at = 0
    while (at < text.length) {
      const char = text.charAt(at)
      if (isAfterReturn) {
        isAfterReturn = false
        if (char === '\n') {
          at++
          continue
        }
      }
      if (mode === 'quoted') {
        at = scanQuoted(text, at)
        if (at === text.length) return
        mode = 'closed'
        at++
        column++
      } else if (char === '"' && mode === 'start') {
        opened = { line, column }
        mode = 'quoted'
        at++
        column++
      } else if (char === '"' && mode === 'closed') {
        keep('"') // A doubled quote stands for one.
        mode = 'quoted'
        at++
        column++
      } else if (char === '"') throw fault('csv_quote_stray')
      else if (char === separator) {
        keep('')
        endCell()
        if (width !== undefined && cells.length >= width) throw fault('csv_cells')
        at++
        column++
      } else if (char === '\n' || char === '\r') {
        yield endRecord()
        isAfterReturn = char === '\r'
        at++
        nextLine()
        recordLine = line
      } else if (mode === 'closed') throw fault('csv_quote_stray')
      else {
        special.lastIndex = at
        const stop = special.exec(text)?.index ?? text.length
        keep(text.slice(at, stop))
        mode = 'plain'
        column += stop - at
        at = stop
      }
    }
  }

  function* end(): Generator<CsvRecord, void> {
    if (mode === 'quoted') throw fault('csv_quote_open', opened)
    if (mode !== 'start' || cells.length > 0) yield endRecord()
  }

  return { push, end, malformed: () => new ApiError('body_malformed', { line, column }) }
}

/** An empty line, or a row of empty cells, which spreadsheets write below their data. */
export function isBlankRecord({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell === '')
}
