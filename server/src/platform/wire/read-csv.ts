import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { ApiError } from '../messages/errors.ts'
import { createCsvParser, type CsvParser, type CsvRecord, type CsvSeparator } from './csv-parser.ts'

/** Longer than the names of any tracker's fields. */
const MAX_HEADER_LENGTH = 256 * 1024

/**
 * The records of a CSV file, the header first. The separator is the one of `,`, `;` and tab that the header has most
 * often outside quotes. UTF-8, with or without a byte order mark. Reads on demand.
 */
export async function* readCsv(stream: Readable, maxRecordLength: number): AsyncGenerator<CsvRecord, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const header = scanHeader()
  let parser: CsvParser | undefined
  const start = () => {
    parser = createCsvParser({ separator: header.separator(), maxRecordLength })
    return parser.push(header.text())
  }
  const read = (text: string) => {
    if (parser) return parser.push(text)
    return header.add(text) ? start() : []
  }
  // Destroying the stream would close the connection before the response is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    const { text, isWhole } = decode(decoder, bytes)
    yield* read(text)
    if (!isWhole) throw parser?.malformed() ?? new ApiError('body_malformed', { line: 1, column: 1 })
  }
  if (!decode(decoder).isWhole) throw parser?.malformed() ?? new ApiError('body_malformed', { line: 1, column: 1 })
  if (!parser) yield* start()
  yield* parser?.end() ?? []
}

/** The text of the bytes, up to the first one that is not UTF-8. Without bytes: the end of the file. */
function decode(decoder: TextDecoder, bytes?: Buffer): { text: string; isWhole: boolean } {
  try {
    const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    const zero = text.indexOf('\0') // PostgreSQL stores none; it is rather a file of another type.
    return zero === -1 ? { text, isWhole: true } : { text: text.slice(0, zero), isWhole: false }
  } catch {
    const [text = ''] = new TextDecoder().decode(bytes).split('\uFFFD', 1)
    return { text, isWhole: false }
  }
}

/** Collects the header and counts its separators. */
function scanHeader() {
  const parts: string[] = []
  const counts = new Map<string, number>()
  let length = 0
  let isQuoted = false
  const isComplete = (text: string): boolean => {
    for (const char of text) {
      if (char === '"')
        isQuoted = !isQuoted // A doubled quote toggles twice.
      else if (!isQuoted && (char === '\n' || char === '\r')) return true
      else if (!isQuoted) counts.set(char, (counts.get(char) ?? 0) + 1)
    }
    return false
  }
  return {
    add(text: string): boolean {
      parts.push(text)
      length += text.length
      if (isComplete(text)) return true
      if (length > MAX_HEADER_LENGTH)
        throw new ApiError('payload_too_large', { allowed: { maximum: MAX_HEADER_LENGTH } })
      return false
    },
    text: () => parts.join(''),
    separator(): CsvSeparator {
      let best: CsvSeparator = ','
      for (const each of [';', '\t'] as const) if ((counts.get(each) ?? 0) > (counts.get(best) ?? 0)) best = each
      return best
    },
  }
}
