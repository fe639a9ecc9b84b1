import type { TSchema } from 'typebox'
import { EVENT_STREAM } from '../http/event-stream.ts'
import { querySchema } from '../http/input.ts'
import { DryRunSchema } from './dry-run-schema.ts'
import { BulkAnswerSchema } from './openapi-bulk.ts'
import { responseName } from './openapi-errors.ts'
import { isObject, type Json, type JsonObject, type SchemaCollector } from './openapi-schemas.ts'
import type { Route } from '../http/route.ts'

const CSV_TYPE = 'text/csv'
const JSON_TYPE = 'application/json'
const NDJSON_TYPE = 'application/x-ndjson'
const XML_TYPE = 'application/xml'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** `/projects/{id}`. */
export function pathOf({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function operationOf(route: Route, schemas: SchemaCollector): JsonObject {
  const { operationId, summary, access } = route
  return {
    operationId,
    summary,
    tags: [tagOf(route)],
    ...(route.deprecated && { deprecated: true }),
    ...(access === 'everyone' && { security: [{}, ...SECURITY] }),
    ...(access === 'no_credentials' && { security: [] }),
    parameters: [...pathParameters(route, schemas), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...(route.body && { requestBody: requestBody(route, route.body, schemas) }),
    ...(route.bulk && { requestBody: lines(schemas.place(route.bulk.line)) }),
    responses: { ...successes(route, schemas), ...refusals(route) },
  }
}

export function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? ''
}

/** Every way to say who asks; any one of them will do. */
export const SECURITY: readonly JsonObject[] = [
  { api_access_key: [] },
  { bearer: [] },
  { token: [], token_user: [] },
  { basic: [] },
  { session: [] },
]

/** In both spellings. XML has a root of its own name. */
export function content(schema: JsonObject, root: 'request' | 'response' = 'response'): JsonObject {
  const { xml } = schema
  return {
    [JSON_TYPE]: { schema },
    [XML_TYPE]: { schema: { ...schema, xml: { ...(isObject(xml) && xml), name: root } } },
  }
}

function pathParameters({ params = {} }: Route, schemas: SchemaCollector): Json[] {
  return Object.entries(params).map(([name, { schema }]) => parameter('path', name, schema, true, schemas))
}

function queryParameters(route: Route, schemas: SchemaCollector): Json[] {
  const { properties, ...rest } = querySchema(route)
  const required: readonly string[] = rest.required ?? []
  return Object.entries(properties).map(([name, schema]) =>
    parameter('query', name, schema, required.includes(name), schemas),
  )
}

/** A default is only told of: a page that fills it in would send it, and `offset=0` excludes a `cursor`. */
function parameter(place: string, name: string, given: TSchema, required: boolean, schemas: SchemaCollector): Json {
  const { description, default: usual, ...schema } = schemas.place(given)
  const told = [
    ...(typeof description === 'string' ? [description] : []),
    ...(usual === undefined ? [] : [`Default: ${JSON.stringify(usual)}.`]),
  ]
  return { name, in: place, ...(told.length > 0 && { description: told.join(' ') }), required, schema }
}

function headerParameters({ writes, versioned, access, stream }: Route): Json[] {
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...(writes && access !== 'no_credentials' ? [header('IdempotencyKey')] : []),
    ...(versioned ? [header(writes ? 'IfMatch' : 'IfNoneMatch')] : []),
    ...(versioned === 'dated' && writes ? [header('IfUnmodifiedSince')] : []),
    ...(stream ? [header('LastEventId')] : []),
  ]
}

function requestBody({ bodyOptional, bodyWrap }: Route, body: TSchema, schemas: SchemaCollector): Json {
  const schema = schemas.place(body)
  const properties = 'properties' in body && typeof body.properties === 'object' ? body.properties : undefined
  const inner =
    bodyWrap === undefined ? undefined : Object.entries(properties ?? {}).find(([name]) => name === bodyWrap)
  const bare = inner ? { anyOf: [schema, schemas.place(inner[1])] } : schema
  return {
    required: !bodyOptional,
    content: {
      ...content(bare, 'request'),
      ...(Object.values(properties ?? {}).every(isFlat) && { [FORM_TYPE]: { schema } }),
    },
  }
}

/** A stream of lines, each of which the schema describes. */
function lines(schema: JsonObject): JsonObject {
  return { required: true, content: { [NDJSON_TYPE]: { schema } } }
}

/** Whether a form can say it: one text a member. */
function isFlat(schema: TSchema): boolean {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.every(isFlat)
  if ('enum' in schema || 'const' in schema) return true
  return 'type' in schema && ['string', 'integer', 'number', 'boolean', 'null'].includes(String(schema.type))
}

function successes(route: Route, schemas: SchemaCollector): JsonObject {
  if (route.bulk)
    return {
      200: {
        description: 'A line for each line, when its part is written; then `done`.',
        headers: successHeaders(route, 200),
        content: { [NDJSON_TYPE]: { schema: schemas.place(BulkAnswerSchema) } },
      },
    }
  const { writes, versioned, answer, status = 200, dryRunStatus } = route
  const schema = answer && schemas.place(answer)
  const report = writes && dryRunStatus === undefined ? schemas.place(DryRunSchema) : otherOf(route, schemas)
  const both = report && status === 200 ? (schema ? { anyOf: [schema, report] } : report) : schema
  const success = {
    description: successText(route),
    headers: successHeaders(route, status),
    ...(route.file !== undefined && { content: { [route.file]: BINARY } }),
    ...(both && {
      content: {
        ...(route.stream?.isOnly ? {} : content(both)),
        ...(route.exportRows && exported(schema)),
        ...(route.bytes && { '*/*': BINARY }),
        ...(route.stream && { [EVENT_STREAM]: { schema: { type: 'string' } } }),
      },
    }),
  }
  const later = writes && otherOf(route, schemas)
  return {
    [status]: success,
    ...(later && { 202: { description: 'It takes longer: the job that goes on with it.', content: content(later) } }),
    ...(report && status !== 200 && { 200: { description: DRY_RUN, content: content(report) } }),
    ...(writes && dryRunStatus !== undefined && { [dryRunStatus]: { description: `${DRY_RUN} It is empty.` } }),
    ...(versioned && !writes && { 304: { description: 'Not Modified: it is what `If-None-Match` names.' } }),
  }
}

/** What it may answer instead: a read where that is asked for, a write where it goes on as a job. */
function otherOf({ otherAnswer }: Route, schemas: SchemaCollector): JsonObject | undefined {
  return otherAnswer && schemas.place(otherAnswer)
}

/** The same list in one stream: an element a line, or a row. */
function exported(list: JsonObject | undefined): JsonObject {
  return { [NDJSON_TYPE]: { schema: list?.['items'] ?? {} }, [CSV_TYPE]: { schema: { type: 'string' } } }
}

const BINARY = { schema: { type: 'string', format: 'binary' } }
const DRY_RUN = 'The report of a dry run: nothing was written.'

function successText({ writes, answer, file, status = 200, dryRunStatus }: Route): string {
  if (file !== undefined) return 'The file.'
  const done = answer ? 'Done.' : 'Done; the body is empty.'
  if (!writes) return answer ? 'Found.' : done
  return status === 200 && dryRunStatus === undefined ? `${done} With \`dry_run\` the report instead.` : done
}

function successHeaders({ versioned, pages, deprecated }: Route, status: number): JsonObject {
  const names = [
    ...(versioned ? ['Etag'] : []),
    ...(versioned === 'dated' ? ['Last-Modified'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(pages ? PAGE_HEADERS : []),
    ...(pages && pages !== 'whole' ? ['Link'] : []),
    ...(deprecated ? ['Deprecation'] : []),
    'X-Request-Id',
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const PAGE_HEADERS = ['X-PAGINATION-LIMIT', 'X-PAGINATION-OFFSET', 'X-PAGINATION-SIZE', 'X-PAGINATION-LIMIT-MAX']

/** Those that this route is likely to meet by name; `default` stands for the others. */
function refusals(route: Route): JsonObject {
  const { writes, versioned, body, bulk, path, access, params, stream } = route
  const takesInput = body || params || Object.keys(querySchema(route).properties).length > 0
  const statuses = [
    ...(takesInput ? [400] : []),
    401,
    ...(writes || access === 'signed_in' ? [403] : []),
    ...(path.includes(':') ? [404] : []),
    ...(writes ? [409] : []),
    ...(stream ? [410] : []),
    ...(writes && versioned ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(bulk ? [415] : []),
    ...(writes ? [422] : []),
    429,
    503,
  ]
  const entries = statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }])
  return { ...Object.fromEntries(entries), default: { $ref: '#/components/responses/Refusal' } }
}
