import { type TSchema, Type } from 'typebox'
import { EVENT_STREAM } from '../http/event-stream.ts'
import { bodySchema, lineSchema, querySchema } from '../http/input.ts'
import { DryRunSchema } from './dry-run-schema.ts'
import { OPERATION_EXAMPLES, withExample } from './operation-examples.ts'
import { BulkAnswerSchema } from './openapi-bulk.ts'
import { responseName } from './openapi-errors.ts'
import { isJsonObject, type JsonValue, type JsonObject, type SchemaCollector } from './openapi-schemas.ts'
import { namedParameter } from '../http/resolve-name.ts'
import type { BulkRoute } from '../http/bulk-route.ts'
import type { Route } from '../http/route.ts'

const CSV_TYPE = 'text/csv'
const JSON_TYPE = 'application/json'
const NDJSON_TYPE = 'application/x-ndjson'
const XML_TYPE = 'application/xml'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** For example `/projects/{id}`. */
export function openapiPath({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function describeOperation(route: Route, schemas: SchemaCollector): JsonObject {
  const { operationId, summary, access } = route
  const description = [...(route.description ? [route.description] : []), ...(route.sensitive ? [SENSITIVE] : [])]
  const operation = {
    operationId,
    summary,
    ...(description.length > 0 && { description: description.join(' ') }),
    ...(route.sensitive && { 'x-sensitive': true }),
    tags: [openapiTag(route)],
    ...(route.deprecated && { deprecated: true }),
    ...(access === 'everyone' && { security: [{}, ...SECURITY] }),
    ...(access === 'no_credentials' && { security: [] }),
    parameters: [...pathParameters(route, schemas), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...(route.body && { requestBody: requestBody(route, bodySchema(route), schemas) }),
    ...(route.bulk && { requestBody: bulkBody(route, route.bulk, schemas) }),
    responses: { ...successes(route, schemas), ...refusals(route) },
  }
  return withExample(operation, OPERATION_EXAMPLES[operationId])
}

export function openapiTag({ path }: Route): string {
  return path.split('/')[1] || 'index'
}

const SENSITIVE =
  'Needs a session whose password was given in the last 15 minutes (`POST /session/confirmation`), HTTP Basic, ' +
  'or an access key with the scope `write:account`; else 401 `confirmation_required`.'

/** All authentication methods; any one of them suffices. */
export const SECURITY: readonly JsonObject[] = [
  { api_access_key: [] },
  { bearer: [] },
  { token: [], token_user: [] },
  { basic: [] },
  { session: [] },
]

/** The schema as JSON and as XML, whose root element has a name. */
export function mediaTypes(schema: JsonObject, root: 'request' | 'response' = 'response'): JsonObject {
  const { xml } = schema
  return {
    [JSON_TYPE]: { schema },
    [XML_TYPE]: { schema: { ...schema, xml: { ...(isJsonObject(xml) && xml), name: root } } },
  }
}

function pathParameters(route: Route, schemas: SchemaCollector): JsonValue[] {
  const named = namedParameter(route)
  return Object.entries(route.params ?? {}).map(([name, { schema }]) =>
    parameter('path', name, name === named?.parameter ? orName(schema, named.collection) : schema, true, schemas),
  )
}

const NAMES = new Map([
  ['artifacts', 'or its key in the source of an import: `@ABC-123`'],
  ['projects', 'or its short name: `@orchard`'],
  ['trackers', 'or the names of its project and itself: `@orchard.bug`'],
  ['users', 'or the login: `@mara`'],
])

function orName(schema: TSchema, collection: string): TSchema {
  const { description = '' }: { description?: string } = schema
  const known = description.replace(/\.$/, '')
  return Type.Union([schema, Type.String({ pattern: '^@' })], { description: `${known}, ${NAMES.get(collection)}.` })
}

function queryParameters(route: Route, schemas: SchemaCollector): JsonValue[] {
  const { properties, ...rest } = querySchema(route)
  const required: readonly string[] = rest.required ?? []
  return Object.entries(properties).map(([name, schema]) =>
    parameter('query', name, schema, required.includes(name), schemas),
  )
}

/** Defaults are only documented: a client that fills them in would send them, and `offset=0` excludes a `cursor`. */
function parameter(
  place: string,
  name: string,
  given: TSchema,
  required: boolean,
  schemas: SchemaCollector,
): JsonValue {
  const { description, default: usual, ...schema } = schemas.toReference(given)
  const descriptions = [
    ...(typeof description === 'string' ? [description] : []),
    ...(usual === undefined ? [] : [`Default: ${JSON.stringify(usual)}.`]),
  ]
  return { name, in: place, ...(descriptions.length > 0 && { description: descriptions.join(' ') }), required, schema }
}

function headerParameters(route: Route): JsonValue[] {
  const { writes, versioned, access, formats } = route
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...(writes && access !== 'no_credentials' ? [header('IdempotencyKey')] : []),
    ...(versioned && writes ? [header('IfMatch')] : []),
    ...(hasReadEtag(route) ? [header('IfNoneMatch')] : []),
    ...(versioned === 'dated' && writes ? [header('IfUnmodifiedSince')] : []),
    ...(formats?.stream ? [header('LastEventId')] : []),
  ]
}

/** Objects with a version, and lists. */
function hasReadEtag({ method, writes, versioned, pages }: Route): boolean {
  return !writes && (versioned !== undefined || (pages !== undefined && method === 'GET'))
}

function requestBody(
  { bodyRules: { isOptional, wrapper } = {} }: Route,
  body: TSchema,
  schemas: SchemaCollector,
): JsonValue {
  const schema = schemas.toReference(body)
  const properties = 'properties' in body && typeof body.properties === 'object' ? body.properties : undefined
  const inner = wrapper === undefined ? undefined : Object.entries(properties ?? {}).find(([name]) => name === wrapper)
  const bare = inner ? { anyOf: [schema, schemas.toReference(inner[1])] } : schema
  return {
    required: !isOptional,
    content: {
      ...mediaTypes(bare, 'request'),
      ...(Object.values(properties ?? {}).every(isFlat) && { [FORM_TYPE]: { schema } }),
    },
  }
}

/** A stream of lines that match the schema, or a table. */
function bulkBody(route: Route, { line, csv }: BulkRoute, schemas: SchemaCollector): JsonObject {
  return {
    required: true,
    content: {
      [NDJSON_TYPE]: { schema: schemas.toReference(lineSchema(line, route)) },
      ...(csv && { [CSV_TYPE]: { schema: { type: 'string', description: CSV_BODY }, example: csv.example } }),
    },
  }
}

const CSV_BODY =
  'UTF-8, with a header of column names as the CSV export has them; separated by comma, semicolon or tab.'

/** Whether a form can express it: one text per member. */
function isFlat(schema: TSchema): boolean {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.every(isFlat)
  if ('enum' in schema || 'const' in schema) return true
  return 'type' in schema && ['string', 'integer', 'number', 'boolean', 'null'].includes(String(schema.type))
}

function successes(route: Route, schemas: SchemaCollector): JsonObject {
  if (route.bulk)
    return {
      200: {
        description: 'One line per request line, once its batch is written; then `done`.',
        headers: successHeaders(route, 200),
        content: { [NDJSON_TYPE]: { schema: schemas.toReference(BulkAnswerSchema) } },
      },
    }
  const { writes, answer, status = 200, formats = {} } = route
  const { emptyStatus } = route.dryRun ?? {}
  const schema = answer && schemas.toReference(answer)
  const report =
    writes && emptyStatus === undefined ? schemas.toReference(DryRunSchema) : otherReplySchema(route, schemas)
  const both = report && status === 200 ? (schema ? { anyOf: [schema, report] } : report) : schema
  const success = {
    description: successText(route),
    headers: successHeaders(route, status),
    ...(formats.file !== undefined && { content: { [formats.file]: BINARY } }),
    ...(both && {
      content: {
        ...(formats.stream?.isOnly ? {} : mediaTypes(both)),
        ...(formats.exportRows && exported(schema)),
        ...(formats.bytes && { '*/*': BINARY }),
        ...(formats.stream && { [EVENT_STREAM]: { schema: { type: 'string' } } }),
      },
    }),
  }
  const later = writes && otherReplySchema(route, schemas)
  return {
    [status]: success,
    ...(later && {
      202: { description: 'It takes longer: the job that continues it.', content: mediaTypes(later) },
    }),
    ...(report && status !== 200 && { 200: { description: DRY_RUN, content: mediaTypes(report) } }),
    ...(writes && emptyStatus !== undefined && { [emptyStatus]: { description: `${DRY_RUN} It is empty.` } }),
    ...(hasReadEtag(route) && { 304: { description: 'Not Modified: `If-None-Match` matches.' } }),
  }
}

/** The alternative response: of a read on request, of a write that continues as a job. */
function otherReplySchema({ answerOptions }: Route, schemas: SchemaCollector): JsonObject | undefined {
  return answerOptions?.alternative && schemas.toReference(answerOptions.alternative)
}

/** The same list as one stream: one element per line or row. */
function exported(list: JsonObject | undefined): JsonObject {
  return { [NDJSON_TYPE]: { schema: list?.['items'] ?? {} }, [CSV_TYPE]: { schema: { type: 'string' } } }
}

const BINARY = { schema: { type: 'string', format: 'binary' } }
const DRY_RUN = 'The report of a dry run: nothing was written.'

function successText({ writes, answer, formats, status = 200, dryRun }: Route): string {
  if (formats?.file !== undefined) return 'The file.'
  const done = answer ? 'Done.' : 'Done; the body is empty.'
  if (!writes) return answer ? 'Found.' : done
  return status === 200 && dryRun?.emptyStatus === undefined ? `${done} With \`dry_run\` the report instead.` : done
}

function successHeaders(route: Route, status: number): JsonObject {
  const { versioned, pages, deprecated, sunset } = route
  const names = [
    ...(versioned || hasReadEtag(route) ? ['Etag'] : []),
    ...(versioned === 'dated' ? ['Last-Modified'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(pages ? PAGE_HEADERS : []),
    ...(pages && pages !== 'whole' ? ['Link'] : []),
    ...(deprecated ? ['Deprecation'] : []),
    ...(sunset ? ['Sunset'] : []),
    'X-Waypost-Ignored',
    'X-Request-Id',
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const PAGE_HEADERS = ['X-PAGINATION-LIMIT', 'X-PAGINATION-OFFSET', 'X-PAGINATION-SIZE', 'X-PAGINATION-LIMIT-MAX']

/** The likely error responses of this route; `default` stands for the others. */
function refusals(route: Route): JsonObject {
  const { writes, versioned, body, bulk, path, access, params, formats } = route
  const takesInput = body || params || Object.keys(querySchema(route).properties).length > 0
  const statuses = [
    ...(takesInput ? [400] : []),
    401,
    ...(writes || access !== 'no_credentials' ? [403] : []),
    ...(path.includes(':') ? [404] : []),
    ...(writes ? [409] : []),
    ...(formats?.stream ? [410] : []),
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
