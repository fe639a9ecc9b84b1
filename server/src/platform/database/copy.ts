import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

export type CopyValue = string | number | boolean | Date | Buffer | null | readonly string[]

const COPY_CHUNK_LENGTH = 65_536

/** Loads rows by COPY. `table` and `columns` must be constants of our code, never input. */
export async function copyRows(
  client: Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const target = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(inBatches(rows)), target)
}

/** Batches rows into large chunks, because one chunk per row would be slow. */
function* inBatches(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += `${row.map(encode).join('\t')}\n`
    if (text.length < COPY_CHUNK_LENGTH) continue
    yield text
    text = ''
  }
  yield text
}

function encode(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value) // The most frequent type.
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map((each) => JSON.stringify(each)).join(',')}}`
  return String(value).replace(/[\\\t\n\r]/g, (special) => ESCAPES.get(special) ?? '')
}

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
])
