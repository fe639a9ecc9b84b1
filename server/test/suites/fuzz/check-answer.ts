import { Compile } from 'typebox/compile'
import { readInput } from '../../../src/platform/wire/read-input.ts'
import { matchesSchema } from '../../../src/platform/wire/schema-shape.ts'
import { parseXml } from '../../../src/platform/wire/xml.ts'
import { REASONS } from '../../../src/platform/messages/reasons.ts'
import {
  type ApiDescription,
  getAt,
  type DescribedAnswer,
  asList,
  type DescribedOperation,
  asRecord,
  type Schema,
} from './api-description.ts'
import { leaksIn } from './check-leaks.ts'
import type { WireRequest } from './draft.ts'
import type { WireAnswer } from './send.ts'

interface Exchanged {
  readonly request: WireRequest
  readonly answer: WireAnswer
  /** The intended operation; undefined: a URL outside of the API. */
  readonly meant: DescribedOperation | undefined
  /** The media type that a valid request asked for. */
  readonly expected: string | undefined
}

/** The rules that a response breaks, as sentences. */
export function answerFaults(description: ApiDescription, exchanged: Exchanged): string[] {
  const { request, answer, meant } = exchanged
  const { status, headers, text } = answer
  if (status >= 500) return [`the status is ${status}`]
  const faults = headers['x-request-id'] === undefined ? ['X-Request-Id is missing'] : []
  if (status >= 400) return [...faults, ...faultsOfError(description, exchanged), ...leaksIn(text, request)]
  if (!meant) return faults

  const operation = description.find(request.method === 'HEAD' ? 'GET' : request.method, pathOf(request))
  const isEmpty = request.method === 'HEAD' || request.method === 'OPTIONS' || status === 304
  if (isEmpty) return text === '' ? faults : [...faults, 'the body should be empty']
  if (!operation) return [...faults, `${status} from an address that is not described`]
  const described = operation.answers.get(String(status))
  if (!described) return [...faults, `the status ${status} is not described`]
  return [...faults, ...faultsOfSuccess(described, exchanged, operation)]
}

/** Without prefix, suffix and query, as the server routes it. */
function pathOf({ path }: WireRequest): string {
  const [address = ''] = path.split('?')
  const plain = address.replace(/^\/api(\/v1)?(?=\/|$)/i, '').replace(/\/$/, '')
  return decode(plain).replace(/\.(json|xml|csv|ndjson)$/i, '')
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function faultsOfSuccess(described: DescribedAnswer, exchanged: Exchanged, operation: DescribedOperation): string[] {
  const { answer, expected, meant } = exchanged
  const { headers, text } = answer
  const missing = described.headers
    .filter((name) => name.startsWith('x-pagination'))
    .filter((name) => headers[name] === undefined)
    .map((name) => `${name} is missing`)
  const type = mediaTypeOf(answer)
  const isExport = type === 'text/csv' || type === 'application/x-ndjson'
  const isExplained = /^\{"explain":|^[^>]*>\s*<response>\s*<explain>/.test(text) // Returned in place of a page.
  const faults = isExport || isExplained ? [] : missing
  // An operation without a response body still has the report of a dry run.
  if (text === '')
    return described.schemas.size === 0 || operation.answers.get('200') === described
      ? faults
      : [...faults, 'the body is empty']
  const whole = described.schemas.get(type) ?? described.schemas.get('*/*')
  const schema = whole && isCut(exchanged.request) ? cutOf(whole) : whole
  if (!schema) return [...faults, `${type || 'no type'} is not described`]
  // A file has its own type, regardless of the requested format.
  if (expected !== undefined && meant === operation && described.schemas.has(expected) && type !== expected)
    faults.push(`${type} is not the ${expected} that was asked for`)
  return [...faults, ...faultsOfBody(schema, text, type), ...faultsOfPage(answer, type)]
}

/** A request with a field selection gets only these members. */
function isCut({ path }: WireRequest): boolean {
  return /[?&]fields(\[\])?=/.test(path)
}

// Compiled schemas are cached by object identity.
const cuts = new WeakMap<Schema, Schema>()

function cutOf(schema: Schema): Schema {
  const cut = cuts.get(schema) ?? withoutRequired(schema)
  cuts.set(schema, cut)
  return cut
}

function withoutRequired(schema: Schema): Schema {
  const { required: _, ...rest } = schema
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      if (name === 'properties')
        return [
          name,
          Object.fromEntries(
            Object.entries(asRecord(value)).map(([key, each]) => [key, withoutRequired(asRecord(each))]),
          ),
        ]
      if (name === 'anyOf') return [name, asList(value).map((each) => withoutRequired(asRecord(each)))]
      return [name, name === 'items' ? withoutRequired(asRecord(value)) : value]
    }),
  )
}

const BINARY = new Set(['application/zip', 'image/png', 'application/octet-stream'])

function mediaTypeOf({ headers }: WireAnswer): string {
  const [type = '', charset = ''] = (headers['content-type'] ?? '').split('; ')
  return charset === 'charset=utf-8' || BINARY.has(type) ? type : `${type} without its charset`
}

function faultsOfBody(schema: Schema, text: string, type: string): string[] {
  switch (type) {
    case 'application/json':
      return misfit(schema, text)
    case 'application/x-ndjson':
      return text
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => misfit(schema, line))
    case 'application/xml':
      return misfitOfXml(schema, text)
    default:
      return []
  }
}

function misfit(schema: Schema, text: string): string[] {
  const value = tryParseJson(text)
  if (value === undefined) return ['the body is not JSON']
  if (matchesSchema(schema, value)) return []
  const [first] = Compile(schema).Errors(value)
  return [`the body does not fit: ${first?.instancePath} ${first?.message}`]
}

function misfitOfXml(schema: Schema, text: string): string[] {
  try {
    const root = parseXml(text)
    if (root.name !== 'response') return [`the root of the XML is ${root.name}`]
    readInput(schema, root, 'xml')
    return []
  } catch (error) {
    return [`the XML does not fit: ${String(error)} ${JSON.stringify(error)}`]
  }
}

function faultsOfPage({ headers, text }: WireAnswer, type: string): string[] {
  const { 'x-pagination-size': size, 'x-pagination-limit': limit } = headers
  if (size === undefined || limit === undefined || type !== 'application/json') return []
  const rows = asList(tryParseJson(text)).length
  return rows <= Number(size) && rows <= Number(limit) ? [] : [`${rows} rows, of ${String(size)}, by ${String(limit)}`]
}

const REASON_STATUSES = new Map<string, number>(Object.entries(REASONS).map(([reason, [status]]) => [reason, status]))

/** The common error format, for every URL. */
/** Enough for a hundred errors; long input must not be echoed in full. */
const MAX_REFUSAL_CHARACTERS = 300_000

function faultsOfError(description: ApiDescription, { request, answer, expected, meant }: Exchanged): string[] {
  const { status, headers, text } = answer
  if (request.method === 'HEAD') return text === '' ? [] : ['the body should be empty']
  const type = mediaTypeOf(answer)
  const faults = text.length > MAX_REFUSAL_CHARACTERS ? [`a refusal of ${text.length} characters`] : []
  if (expected !== undefined && meant && (type === 'application/xml') !== (expected === 'application/xml'))
    faults.push(`${type} is not the ${expected} that was asked for`)
  if (type === 'application/xml') return [...faults, ...misfitOfXml(description.error, text)]
  if (type !== 'application/json') return [...faults, `an error in ${type}`]
  const described = meant?.answers.get(String(status)) ?? meant?.answers.get('default')
  for (const schema of [description.error, described?.schemas.get(type)])
    if (schema) faults.push(...misfit(schema, text))
  const error = getAt(tryParseJson(text), 'error')
  if (getAt(error, 'code') !== status) faults.push('`code` is not the status')
  if (REASON_STATUSES.get(String(getAt(error, 'reason'))) !== status)
    faults.push(`${String(getAt(error, 'reason'))} with the status ${status}`)
  if (getAt(error, 'request_id') !== headers['x-request-id']) faults.push('`request_id` is not that of the header')
  return faults
}

/**
 * For bytes that are not HTTP the server may disconnect; a response has the common format. Node itself sends nothing.
 */
export function faultsOfRaw(description: ApiDescription, received: string): { status: number; faults: string[] } {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  const body = rest.join('\r\n\r\n').slice(0, length)
  if (status >= 500) return { status, faults: [`the status is ${status}`] }
  return { status, faults: status < 400 || body === '' ? [] : misfit(description.error, body) }
}

/** Undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
