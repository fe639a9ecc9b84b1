import type { Readable } from 'node:stream'
import { ApiError } from '../messages/errors.ts'
import { unescapeFormulas } from '../wire/csv.ts'
import { type CsvRecord, isBlankRecord } from '../wire/csv-parser.ts'
import { readCsv } from '../wire/read-csv.ts'
import type { BulkLimits, BulkSource, SourceLine } from './bulk-lines.ts'
import type { CsvColumns } from './bulk-route.ts'

interface CsvReading {
  readonly limits: BulkLimits
  /** Cells have no formula guard. */
  readonly isRaw: boolean
  /** Finds the columns of the header. Throws for a header that cannot be used. */
  readonly readColumns: (names: readonly string[]) => CsvColumns
}

/**
 * The rows of a CSV body. The header, and the rows of the first batch, are read before the response begins, so that a
 * malformed file is usually refused as a whole. A later fault is reported with its line, and ends the request.
 */
export async function openCsv(stream: Readable, { limits, isRaw, readColumns }: CsvReading): Promise<BulkSource> {
  const records = readCsv(stream, limits.maxLineBytes)
  const { value: header } = await records.next()
  if (!header) throw new ApiError('body_required')
  const columns = readColumns(header.cells.map((name) => name.trim()))
  const toLine = (cells: readonly string[]) => columns.toLine(isRaw ? cells : cells.map(unescapeFormulas))
  const rows = readRows(records, toLine)
  const first = await readFirst(rows, limits)
  const last = first.at(-1)
  if (last?.isLast) last.parse()
  return { lines: concatenate(first, rows), head: JSON.stringify(header.cells), ignored: columns.ignored }
}

async function* readRows(
  records: AsyncGenerator<CsvRecord, void>,
  toLine: CsvColumns['toLine'],
): AsyncGenerator<SourceLine, void> {
  let count = 0
  try {
    for await (const record of records) {
      const { line, cells } = record
      const bytes = Buffer.from(JSON.stringify(cells))
      const isBlank = isBlankRecord(record)
      yield { count: ++count, line, bytes, isBlank, parse: () => ({ value: toLine(cells), ignored: [] }) }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    yield malformedRow(count + 1, error)
  }
}

function malformedRow(count: number, error: ApiError): SourceLine {
  const parse = () => {
    throw error
  }
  return { count, line: error.details?.line ?? count + 1, bytes: Buffer.alloc(0), isBlank: false, parse, isLast: true }
}

/** The rows of the first batch, as far as a batch may be held in memory. */
async function readFirst(rows: AsyncGenerator<SourceLine, void>, limits: BulkLimits): Promise<SourceLine[]> {
  const first: SourceLine[] = []
  let length = 0
  while (first.length < limits.linesPerBatch && length <= limits.maxBatchBytes) {
    const { value: row } = await rows.next()
    if (!row) break
    first.push(row)
    length += row.bytes?.length ?? 0
  }
  return first
}

async function* concatenate(
  first: readonly SourceLine[],
  rest: AsyncGenerator<SourceLine, void>,
): AsyncGenerator<SourceLine, void> {
  yield* first
  yield* rest
}
