import { STATUS_CODES } from 'node:http'
import { Type } from 'typebox'
import type { JsonObject } from './openapi-schemas.ts'
import { ODD_STATUSES, REASONS, type Reason } from '../messages/reasons.ts'

const Text = Type.String()
const Allowed = Type.Unknown({ description: 'Allowed values (a list) or bounds (an object).' })
const Params = Type.Record(Type.String(), Type.Unknown(), { description: 'The values that the text names.' })
const ReasonSchema = Type.Enum(Object.keys(REASONS), { title: 'Reason', description: 'The closed list of reasons.' })
const RuleSchema = Type.Enum(
  'required type format minimum maximum min_length max_length pattern one_of unique exists unknown_member'.split(' '),
  { title: 'Rule' },
)

const locationMembers = {
  path: Type.Optional(Type.String({ description: 'The path of the first invalid input.' })),
  rule: Type.Optional(RuleSchema),
  allowed: Type.Optional(Allowed),
  scope: Type.Optional(Type.String({ description: 'The scope that the access key needs for this call.' })),
  nearest: Type.Optional(Type.String({ description: 'The known name that is closest to the given one.' })),
  cause: Type.Optional(Type.String({ description: 'A more specific code, if several causes share one reason.' })),
  params: Type.Optional(Params),
  position: Type.Optional(Type.Integer()),
}

const who_may = Type.Optional(Type.Array(Type.Unknown(), { description: 'Roles that would be allowed.' }))

const ProblemSchema = Type.Object(
  {
    reason: ReasonSchema,
    ...locationMembers,
    who_may,
    field_id: Type.Optional(Type.Integer({ description: 'The field of the artifact.' })),
    name: Type.Optional(Text),
    label: Type.Optional(Text),
    message: Text,
  },
  { title: 'Problem' },
)

/** The schema of every error response, as `errors.ts` writes it. */
export const ErrorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'Equals the status.' }),
      message: Type.String({ description: 'English: the name of the status, and the problem.' }),
      i18n_error_message: Type.String({ description: "The problem, in the caller's language." }),
      i18n_error_messages: Type.Optional(Type.Array(Text)),
      reason: ReasonSchema,
      details: Type.Optional(
        Type.Object(
          {
            ...locationMembers,
            who_may,
            line: Type.Optional(Type.Integer()),
            column: Type.Optional(Type.Integer()),
            used_by: Type.Optional(
              Type.Array(Type.Object({ type: Text, id: Type.Union([Type.Integer(), Text]), label: Text })),
            ),
            current_etag: Type.Optional(Text),
            current_last_modified: Type.Optional(Text),
            id: Type.Optional(Type.Union([Type.Integer(), Text])),
            all: Type.Optional(Type.Array(ProblemSchema, { description: 'Each of several problems.' })),
          },
          { title: 'ErrorDetails', additionalProperties: false },
        ),
      ),
      request_id: Text,
    }),
  },
  { title: 'Error' },
)

/** The same error for `Accept: application/problem+json`. */
export const ProblemDetailsSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'The page of the reason.' }),
    title: Type.String({ description: 'The condition of the reason, in English.' }),
    status: Type.Integer(),
    detail: Type.String({ description: "The problem, in the caller's language." }),
    instance: Type.String({ description: 'The path of the request.' }),
    ...ErrorSchema.properties.error.properties,
  },
  { title: 'ProblemDetails', description: 'RFC 9457.' },
)

const STATUSES = [...new Set(Object.values(REASONS).map(([status]) => status))].toSorted((one, other) => one - other)

/** One shared response per status, with its reasons. */
export function errorResponses(content: (schema: JsonObject) => JsonObject): JsonObject {
  const entries = STATUSES.map((status) => {
    const reason = { enum: reasonsOf(status) }
    const narrowed = { properties: { error: { properties: { reason } } } }
    const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] }
    const description = `${STATUS_CODES[status]}: ${reason.enum.map((each) => `\`${each}\``).join(', ')}`
    return [responseName(status), { description, headers: headersOf(status), content: content(schema) }] as const
  })
  const any = {
    description: 'Any other refusal, in the same shape',
    content: content({ $ref: '#/components/schemas/Error' }),
  }
  return { ...Object.fromEntries(entries), Refusal: any }
}

/** For example `BadRequest`, `NotFound`. */
export function responseName(status: number): string {
  return (STATUS_CODES[status] ?? '').replaceAll(/\W/g, '')
}

function reasonsOf(status: number): Reason[] {
  return REASON_NAMES.filter((reason) => REASONS[reason][0] === status || ODD_STATUSES[reason] === status)
}

const REASON_NAMES = Object.keys(REASONS).filter(isReason)

function isReason(name: string): name is Reason {
  return name in REASONS
}

function headersOf(status: number): JsonObject {
  const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
  return {
    ...((status === 401 || status === 403) && header('WWW-Authenticate')),
    ...(status === 405 && header('Allow')),
    ...(status === 412 && header('Etag')),
    ...((status === 429 || status === 503) && header('Retry-After')),
    ...(status === 429 && { ...header('RateLimit'), ...header('RateLimit-Policy') }),
    ...header('X-Request-Id'),
  }
}
