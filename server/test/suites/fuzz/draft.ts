import type { OutgoingHttpHeaders } from 'node:http'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import { writeXml } from '../../../src/platform/wire/xml.ts'
import type { TestPerson } from '../../fixtures/people.ts'
import type { DescribedOperation } from './api-description.ts'

export type DraftBodyFormat = 'json' | 'xml' | 'form' | 'ndjson' | 'csv'

/** A request under construction. */
export interface RequestDraft {
  operation: DescribedOperation
  method: string
  prefix: string
  params: Record<string, string>
  /** Suffix of the path: `.xml`, `/`. */
  suffix: string
  query: [name: string, value: string][]
  /** Undefined: no body. */
  body: unknown
  bodyFormat: DraftBodyFormat
  headers: OutgoingHttpHeaders
  /** The reader of the response; undefined: anonymous. */
  reader: TestPerson | undefined
  /** The body or the URL determines the reader, regardless of the credentials. */
  readerIsFixed: boolean
  /** The required format of the response, for an unmodified request. */
  expected: string | undefined
  /** Overrides of the built parts. */
  raw: { path?: string; query?: string; body?: Buffer }
}

/** A request as sent. */
export interface WireRequest {
  readonly method: string
  /** Including the query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer | undefined
}

const TYPES = {
  json: 'application/json',
  xml: 'application/xml; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
}

export function toWire(draft: RequestDraft): WireRequest {
  const { method, prefix, suffix, headers, raw } = draft
  const path = draft.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    percentEncode(draft.params[name] ?? ''),
  )
  const pairs = draft.query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')
  const query = raw.query ?? pairs
  const body = raw.body ?? (draft.body === undefined ? undefined : encode(draft.body, draft.bodyFormat))
  const whole = `${raw.path ?? `${prefix}${path}${suffix}`}${query === '' ? '' : `?${query}`}`
  return {
    method,
    path: whole.replaceAll(/[^\x21-\xff]/g, (odd) => percentEncode(odd)), // Our own client would not send it.
    body,
    headers: {
      ...(body && { 'content-type': TYPES[draft.bodyFormat], 'content-length': body.length }),
      ...headers,
    },
  }
}

function encode(body: unknown, format: DraftBodyFormat): Buffer {
  if (format === 'form' && isRecord(body))
    return Buffer.from(
      Object.entries(body)
        .map(([name, value]) => `${percentEncode(name)}=${percentEncode(asText(value))}`)
        .join('&'),
    )
  if (format === 'csv' && typeof body === 'string') return Buffer.from(body)
  if (format === 'ndjson' && Array.isArray(body))
    return Buffer.from(body.map((line) => `${JSON.stringify(line)}\n`).join(''))
  if (format === 'xml') return Buffer.from(writeXml(body).replaceAll(/<(\/?)response(?=[/>])/g, '<$1request'))
  return Buffer.from(JSON.stringify(body) ?? 'null')
}

/** Objects as JSON: a hostile one may define `toString`. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** `encodeURIComponent` that also accepts lone surrogates. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
