import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { EVENT_STREAM } from '../http/event-stream.ts'
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from './openapi-schemas.ts'

const Example = Type.Object({
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  query: Type.Record(Type.String(), Type.String()),
  body: Type.Optional(Type.Unsafe<JsonValue>(Type.Unknown())),
  status: Type.Integer(),
  answer: Type.Optional(Type.Unsafe<JsonValue>(Type.Unknown())),
})
/** A request that was really made, and its response. */
export type OperationExample = Static<typeof Example>

const FILE = new URL('../../../assets/operation-examples.json', import.meta.url)

/** By operation; `npm run examples` records them from a seeded server. */
export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = Parse(
  Type.Record(Type.String(), Example),
  JSON.parse(readFileSync(FILE, 'utf8')),
)

const JSON_TYPES = ['application/json', 'application/x-ndjson']
/** The example of a stream is its text. */
const getExampleTypes = (example: JsonValue) => (typeof example === 'string' ? [EVENT_STREAM] : JSON_TYPES)

/** The operation with the examples of its parameters, body and response. */
export function withExample(operation: JsonObject, example: OperationExample | undefined): JsonObject {
  if (!example) return operation
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(isJsonList(parameters) && { parameters: parameters.map((each) => withParameterExample(each, example)) }),
    ...(isJsonObject(requestBody) && { requestBody: withContentExample(requestBody, example.body) }),
    ...(isJsonObject(responses) && {
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, each]) => [
          status,
          status === String(example.status) && isJsonObject(each) ? withContentExample(each, example.answer) : each,
        ]),
      ),
    }),
  }
}

function withParameterExample(parameter: JsonValue, { params, query }: OperationExample): JsonValue {
  if (!isJsonObject(parameter)) return parameter
  const { in: place, name } = parameter
  if (typeof name !== 'string') return parameter
  const given = (place === 'path' ? params : place === 'query' ? query : {})[name]
  return given === undefined ? parameter : { ...parameter, example: typed(given, parameter['schema']) }
}

/** A parameter of the address is text; its example has the type of the schema. */
function typed(given: string | number, schema: JsonValue | undefined): JsonValue {
  const type = isJsonObject(schema) ? schema['type'] : undefined
  if (type === 'integer' || type === 'number') return Number(given)
  if (type === 'boolean') return given === 'true'
  if (type === 'string') return String(given)
  return given
}

function withContentExample(part: JsonObject, example: JsonValue | undefined): JsonObject {
  const { content } = part
  if (example === undefined || !isJsonObject(content)) return part
  return {
    ...part,
    content: Object.fromEntries(
      Object.entries(content).map(([type, each]) => [
        type,
        getExampleTypes(example).includes(type) && isJsonObject(each) && !isExported(content, type)
          ? { ...each, example }
          : each,
      ]),
    ),
  }
}

/** In an export NDJSON has one element of the list per line. */
function isExported(content: JsonObject, type: string): boolean {
  return type === 'application/x-ndjson' && 'application/json' in content
}
