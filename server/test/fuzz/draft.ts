import type { OutgoingHttpHeaders } from 'node:http'
import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { writeXml } from '../../src/platform/wire/xml.ts'
import type { Person } from '../people.ts'
import type { Operation } from './api-description.ts'

export type BodyFormat = 'json' | 'xml' | 'form' | 'ndjson'

/** A request while it is being made up. */
export interface Draft {
  operation: Operation
  method: string
  prefix: string
  params: Record<string, string>
  /** Behind the path: `.xml`, `/`. */
  suffix: string
  query: [name: string, value: string][]
  /** Undefined: none. */
  body: unknown
  bodyFormat: BodyFormat
  headers: OutgoingHttpHeaders
  /** Whose answer it is; undefined: anybody's. */
  reader: Person | undefined
  /** What the body or the address holds makes them the reader, whatever the credentials are. */
  readerIsFixed: boolean
  /** The format that the answer must have, as long as nothing odd was done to the request. */
  expected: string | undefined
  /** Instead of what would be made of the parts. */
  raw: { path?: string; query?: string; body?: Buffer }
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer | undefined
}

const TYPES = {
  json: 'application/json',
  xml: 'application/xml; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  ndjson: 'application/x-ndjson',
}

export function toWire(draft: Draft): WireRequest {
  const { method, prefix, suffix, headers, raw } = draft
  const path = draft.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escape(draft.params[name] ?? ''))
  const pairs = draft.query.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&')
  const query = raw.query ?? pairs
  const body = raw.body ?? (draft.body === undefined ? undefined : encode(draft.body, draft.bodyFormat))
  const whole = `${raw.path ?? `${prefix}${path}${suffix}`}${query === '' ? '' : `?${query}`}`
  return {
    method,
    path: whole.replaceAll(/[^\x21-\xff]/g, (odd) => escape(odd)), // Our own client would not send it.
    body,
    headers: {
      ...(body && { 'content-type': TYPES[draft.bodyFormat], 'content-length': body.length }),
      ...headers,
    },
  }
}

function encode(body: unknown, format: BodyFormat): Buffer {
  if (format === 'form' && isRecord(body))
    return Buffer.from(
      Object.entries(body)
        .map(([name, value]) => `${escape(name)}=${escape(asText(value))}`)
        .join('&'),
    )
  if (format === 'ndjson' && Array.isArray(body))
    return Buffer.from(body.map((line) => `${JSON.stringify(line)}\n`).join(''))
  if (format === 'xml') return Buffer.from(writeXml(body).replaceAll(/<(\/?)response(?=[/>])/g, '<$1request'))
  return Buffer.from(JSON.stringify(body) ?? 'null')
}

/** Of objects their JSON: a hostile one may have a `toString` of its own. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** `encodeURIComponent` for texts that are none. */
export function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
