import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../messages/errors.ts'
import { parseStrictJson, parseLongStrictJson } from './json.ts'
import { parseForm } from './query-string.ts'
import { isBlank, parseLongXml, parseXml, type XmlNode } from './xml.ts'

export type RequestBodyFormat = 'json' | 'xml' | 'form'

/** The parsed body, before it is read by a schema. */
export type RawBody =
  | { dialect: 'json'; value: unknown }
  | { dialect: 'xml'; value: XmlNode }
  | { dialect: 'text'; value: Record<string, string> }

/** Reads to the end or to the limit; a longer body is refused. */
export async function readBody(stream: IncomingMessage, maximum: number): Promise<Buffer> {
  requireBodyLength(stream, maximum)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    length += bytes.length
    if (length > maximum) throw tooLarge(maximum)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Refuses a body by its declared length, before any of it is read. */
export function requireBodyLength({ headers }: IncomingMessage, maximum: number): void {
  if (Number(headers['content-length'] ?? 0) > maximum) throw tooLarge(maximum)
}

/** Above this size, parsing yields to the event loop between its steps. */
export const LONG_BODY_BYTES = 64 * 1024

/** An empty body counts as absent, because many clients send a content type without a body. */
export async function parseBody(bytes: Buffer, format: RequestBodyFormat): Promise<RawBody | undefined> {
  if (bytes.length === 0) return undefined
  const isLong = bytes.length > LONG_BODY_BYTES
  const text = decode(format === 'form' ? withSpaces(bytes) : bytes)
  if (isLong) await setImmediate()
  if (format === 'xml') return { dialect: 'xml', value: isLong ? await parseLongXml(text) : parseXml(text) }
  if (format === 'form') return { dialect: 'text', value: readForm(text) }
  if (isBlank(text)) return undefined
  return { dialect: 'json', value: isLong ? await parseLongStrictJson(text) : parseStrictJson(text) }
}

/** Refuses duplicate names: parsers disagree on which one counts, which attackers can exploit. */
function readForm(text: string): Record<string, string> {
  const { values, duplicates } = parseForm(text)
  for (const path of duplicates) if (values.has(path)) throw new ApiError('body_malformed', { path })
  return Object.fromEntries(values)
}

/** In forms `+` is a space. Replaced in bytes, because replacing in a long text takes a second. */
function withSpaces(bytes: Buffer): Buffer {
  const spaced = Buffer.from(bytes)
  for (let at = spaced.indexOf(PLUS); at !== -1 && at < spaced.length; at++) if (spaced[at] === PLUS) spaced[at] = SPACE
  return spaced
}

const PLUS = 0x2b
const SPACE = 0x20

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('body_malformed')
  }
}

function tooLarge(maximum: number): ApiError {
  return new ApiError('payload_too_large', { allowed: { maximum } }).with({ connection: 'close' })
}
