import { ErrorSchema, errorResponses } from './openapi-errors.ts'
import { content, operationOf, pathOf, SECURITY, tagOf } from './openapi-operation.ts'
import { createSchemaCollector, type JsonObject } from './openapi-schemas.ts'
import type { Route } from '../http/route.ts'
import { PRODUCT, VERSION } from './version.ts'

/** The API description, OpenAPI 3.1: made from the routes alone, so it says what the server does. */
export function describeApi(routes: readonly Route[]): JsonObject {
  const schemas = createSchemaCollector()
  schemas.place(ErrorSchema)
  const paths = Map.groupBy(routes, pathOf)
  const operations = [...paths].map(
    ([path, group]) =>
      [
        path,
        Object.fromEntries(group.map((route) => [route.method.toLowerCase(), operationOf(route, schemas)])),
      ] as const,
  )
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    security: [...SECURITY],
    paths: Object.fromEntries(operations),
    components: {
      schemas: schemas.schemas,
      responses: errorResponses(content),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const DESCRIPTION = `Sign in with a personal access key in \`X-Auth-AccessKey\`; some things can be read without. \
\`/api/v1\` is the same as \`/api\`, and only grows.

- Bodies and answers are JSON; \`Content-Type\` and \`Accept\` may name \`application/xml\` on every route, and a suffix \
\`.json\` or \`.xml\` forces the answer's format. In XML the elements of a list stand in \`item\`.
- Lists have \`limit\` and \`offset\`, their exact size in \`X-PAGINATION-SIZE\`, and the address of the next page in \`Link\`.
- Every write takes \`dry_run=true\`, which checks and reports and writes nothing, and an \`Idempotency-Key\`, with which \
it can be repeated without doing it twice.
- \`Content-Digest\` (RFC 9530) on a body: it is refused if other bytes have come. Bulk writes do without.
- Every refusal has the same shape, with a \`reason\` from a closed list.`

const text = (description: string) => ({ description, schema: { type: 'string' } })
const count = (description: string) => ({ description, schema: { type: 'integer' } })

const HEADERS: JsonObject = {
  'X-PAGINATION-LIMIT': count('Rows of a page.'),
  'X-PAGINATION-OFFSET': count('Rows left out before this page.'),
  'X-PAGINATION-SIZE': count('Rows in all, exact for this caller.'),
  'X-PAGINATION-LIMIT-MAX': count('The greatest `limit`.'),
  Link: text('Where the first and the next page are (RFC 8288).'),
  Etag: text('`"v.r"`: v names the version, r the bytes of this answer.'),
  'Last-Modified': text('Of this version; no two versions share it.'),
  Location: text('The address of what was made.'),
  Deprecation: text('Since when this route is discouraged.'),
  Allow: text('What this address takes.'),
  'WWW-Authenticate': text('Ways to sign in.'),
  'Retry-After': count('Seconds to wait.'),
  'X-Request-Id': text('Names this request in the log; a client may choose it.'),
}

const header = (name: string, description: string, schema: JsonObject = {}) => ({
  name,
  in: 'header',
  description,
  required: false,
  schema: { type: 'string', ...schema },
})

const PARAMETERS: JsonObject = {
  IdempotencyKey: header('Idempotency-Key', 'Repeated with the same key, the write happens once.', {
    minLength: 1,
    maxLength: 128,
    pattern: '^[\\x21-\\x7E]+$',
  }),
  IfMatch: header('If-Match', 'Write only if it is still this version: an `Etag`, or `*`.'),
  IfUnmodifiedSince: header('If-Unmodified-Since', 'Write only if this is still its `Last-Modified`.'),
  IfNoneMatch: header('If-None-Match', 'Answer only if it differs from this `Etag`.'),
  LastEventId: header('Last-Event-ID', 'Go on behind this event; it counts more than `after`.'),
}

const SECURITY_SCHEMES: JsonObject = {
  api_access_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-AccessKey',
    description: 'A personal access key: the way for programs.',
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
