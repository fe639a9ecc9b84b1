import type { IncomingMessage } from 'node:http'
import { ApiError } from '../words/errors.ts'
import { parseJson } from './json.ts'
import { parseForm } from './query-string.ts'
import { parseXml, type XmlNode } from './xml.ts'

export type BodyFormat = 'json' | 'xml' | 'form'

/** As it came, not yet read by a schema. */
export type RawBody =
  | { dialect: 'json'; value: unknown }
  | { dialect: 'xml'; value: XmlNode }
  | { dialect: 'text'; value: Record<string, string> }

/** Reads to the end, or to the limit; a sender who goes on is cut off. */
export async function readBytes(stream: IncomingMessage, maximum: number): Promise<Buffer> {
  if (Number(stream.headers['content-length'] ?? 0) > maximum) throw tooLarge(maximum)
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

/** Many clients name a type on requests without a body: an empty body is none. */
export function parseBody(bytes: Buffer, format: BodyFormat): RawBody | undefined {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  if (format === 'xml') return { dialect: 'xml', value: parseXml(text) }
  if (format === 'form') return { dialect: 'text', value: readForm(text) }
  return text.trim() === '' ? undefined : { dialect: 'json', value: parseJson(text) }
}

/** Two readings of one request are a hole, whichever way it says something twice. */
function readForm(text: string): Record<string, string> {
  const { values, duplicates } = parseForm(text)
  for (const path of duplicates) if (values.has(path)) throw new ApiError('body_malformed', { path })
  return Object.fromEntries(values)
}

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
