import { PROBLEM_MEDIA_TYPE } from '../messages/problem-details.ts'
import { ErrorSchema, errorResponses, ProblemDetailsSchema } from './openapi-errors.ts'
import { mediaTypes, describeOperation, openapiPath, SECURITY, openapiTag } from './openapi-operation.ts'
import { createSchemaCollector, isJsonObject, type JsonObject, mapValues } from './openapi-schemas.ts'
import { describeWebhooks } from './openapi-webhooks.ts'
import type { Route } from '../http/route.ts'
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts'
import { PRODUCT, VERSION } from './version.ts'

/** The OpenAPI 3.1 description, generated from the routes alone, so that it matches the server. */
export function describeApi(routes: readonly Route[]): JsonObject {
  const schemas = createSchemaCollector()
  schemas.toReference(ErrorSchema)
  const problem = { [PROBLEM_MEDIA_TYPE]: { schema: schemas.toReference(ProblemDetailsSchema) } }
  const paths = Map.groupBy(routes, openapiPath)
  const operations = [...paths].map(
    ([path, group]) =>
      [
        path,
        Object.fromEntries(group.map((route) => [route.method.toLowerCase(), describeOperation(route, schemas)])),
      ] as const,
  )
  const webhooks = describeWebhooks(routes, schemas)
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: VERSION,
      description: DESCRIPTION,
      contact: { name: 'The site administrators of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(openapiTag))].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name] ?? `Operations below \`/${name}\`.`,
    })),
    security: [...SECURITY],
    paths: Object.fromEntries(operations),
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      schemas: schemas.schemas,
      responses: errorResponses((schema) => ({ ...mediaTypes(schema), ...problem })),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  })
}

/** Removes shared responses, parameters and headers that these routes do not use. */
function withoutUnused(document: JsonObject): JsonObject {
  const { components } = document
  if (!isJsonObject(components)) return document
  const text = JSON.stringify(document)
  const kept = mapValues(components, (parts, kind) =>
    isJsonObject(parts) && SHARED.has(kind)
      ? Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
      : parts,
  )
  const cut = { ...document, components: kept }
  return JSON.stringify(cut) === text ? document : withoutUnused(cut)
}

const SHARED = new Set(['responses', 'parameters', 'headers', 'schemas'])

const DESCRIPTION = `Sign in with a personal access key in \`X-Auth-AccessKey\`; public data can be read without one. \
\`/api/v1\` is the same as \`/api\`, and only grows.

- Bodies and answers are JSON; \`Content-Type\` and \`Accept\` may name \`application/xml\` on every route, and a suffix \
\`.json\` or \`.xml\` forces the answer's format. In XML the elements of a list are in \`item\`.
- Lists have \`limit\` and \`offset\`, their exact size in \`X-PAGINATION-SIZE\`, and the address of the next page in \`Link\`.
- Every write takes \`dry_run=true\`, which validates and reports but writes nothing, and an \`Idempotency-Key\`, with which \
a repeated request is executed only once.
- \`Content-Digest\` (RFC 9530) on a body: it is refused if the bytes do not match. Bulk writes ignore it.
- Unknown parameters and members are refused (400 \`parameter_unknown\`, \`member_unknown\`), with the nearest known name. \
A few that existing clients send are ignored, and named in \`X-Waypost-Ignored\`.
- Every error has the same shape, with a \`reason\` from a closed list. \`Accept: application/problem+json\` writes it as \
problem details (RFC 9457); success stays JSON.`

const text = (description: string) => ({ description, schema: { type: 'string' } })
const count = (description: string) => ({ description, schema: { type: 'integer' } })

const HEADERS: JsonObject = {
  'X-PAGINATION-LIMIT': count('Rows per page.'),
  'X-PAGINATION-OFFSET': count('Rows skipped before this page.'),
  'X-PAGINATION-SIZE': count('Total number of rows, exact for this caller.'),
  'X-PAGINATION-LIMIT-MAX': count('The greatest `limit`.'),
  Link: text('Links to the first and the next page (RFC 8288).'),
  Etag: text('`"v.r"`: v identifies the version, r the bytes of this response.'),
  'Last-Modified': text('Of this version; no two versions share it.'),
  Location: text('The address of the created object.'),
  Deprecation: text('When this route was deprecated (RFC 9745).'),
  Sunset: text('When this route may end (RFC 8594).'),
  Allow: text('Methods of this address.'),
  'WWW-Authenticate': text(
    'Authentication methods; with 403 the scope that the access key lacks (`insufficient_scope`).',
  ),
  'Retry-After': count('Seconds to wait.'),
  RateLimit: text('The limit that was reached: `"name";r=0;t=seconds` (IETF draft ratelimit-headers).'),
  'RateLimit-Policy': text('Its quota `q` and window `w` in seconds: `"name";q=20;w=3600`.'),
  'X-Waypost-Ignored': text('Parameters and members that were sent, but not read: exceptions for existing clients.'),
  'X-Request-Id': text('Identifies this request in the log; a client may choose it.'),
}

const header = (name: string, description: string, schema: JsonObject = {}) => ({
  name,
  in: 'header',
  description,
  required: false,
  schema: { type: 'string', ...schema },
})

const PARAMETERS: JsonObject = {
  IdempotencyKey: header('Idempotency-Key', 'A write that is repeated with the same key is executed once.', {
    minLength: 1,
    maxLength: 128,
    pattern: '^[\\x21-\\x7E]+$',
  }),
  IfMatch: header('If-Match', 'Write only if the object still has this version: an `Etag`, or `*`.'),
  IfUnmodifiedSince: header('If-Unmodified-Since', 'Write only if this is still its `Last-Modified`.'),
  IfNoneMatch: header('If-None-Match', 'Answer only if it differs from this `Etag`.'),
  LastEventId: header('Last-Event-ID', 'Continue after this event; takes precedence over `after`.'),
}

const SECURITY_SCHEMES: JsonObject = {
  api_access_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-AccessKey',
    description: 'A personal access key, recommended for programs.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'A token of `POST /tokens`, together with the id of its user. Deprecated.',
  },
  token_user: { type: 'apiKey', in: 'header', name: 'X-Auth-UserId', description: 'The user of `X-Auth-Token`.' },
  basic: { type: 'http', scheme: 'basic', description: 'Login and password. Discouraged.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-waypost',
    description: 'The cookie of a session, on pages of this site only.',
  },
}
