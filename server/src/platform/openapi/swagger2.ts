import { isJsonList, isJsonObject, type JsonValue, type JsonObject, mapValues } from './openapi-schemas.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const TYPES = ['application/json', 'application/xml']

/** The same description as Swagger 2.0, for old clients. Features that 2.0 lacks are left open. */
export function toSwagger2(openapi: JsonObject, publicUrl: URL): JsonObject {
  const { info, tags = [], paths = {}, components = {} } = openapi
  const { schemas, responses } = objectOf(components)
  return withoutUnused({
    swagger: '2.0',
    info: {
      ...objectOf(info),
      license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    host: publicUrl.host,
    basePath: '/api',
    schemes: [publicUrl.protocol.slice(0, -1)],
    consumes: TYPES,
    produces: TYPES,
    tags,
    security: SECURITY,
    paths: mapValues(objectOf(paths), (path) => pathItem(objectOf(path), objectOf(components))),
    definitions: mapValues(objectOf(schemas), schemaOf),
    responses: mapValues(objectOf(responses), (each) => responseOf(objectOf(each), objectOf(components))),
    securityDefinitions: SECURITY_DEFINITIONS,
  })
}

/** Removes definitions that were used only by features that 2.0 lacks. */
function withoutUnused(document: JsonObject): JsonObject {
  const definitions = Object.entries(objectOf(document['definitions']))
  const text = JSON.stringify(document)
  const used = definitions.filter(([name]) => text.includes(`"#/definitions/${name}"`))
  if (used.length === definitions.length) return document
  return withoutUnused({ ...document, definitions: Object.fromEntries(used) })
}

// Swagger 2.0 has neither bearer tokens nor cookies.
const SECURITY_DEFINITIONS = {
  api_access_key: { type: 'apiKey', in: 'header', name: 'X-Auth-AccessKey' },
  token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
  token_user: { type: 'apiKey', in: 'header', name: 'X-Auth-UserId' },
  basic: { type: 'basic' },
}
const SECURITY = [{ api_access_key: [] }, { token: [], token_user: [] }, { basic: [] }]

function pathItem(path: JsonObject, components: JsonObject): JsonObject {
  const methods = Object.entries(path).filter(([method]) => METHODS.includes(method))
  return Object.fromEntries(methods.map(([method, each]) => [method, operation(objectOf(each), components)]))
}

function operation(openapi: JsonObject, components: JsonObject): JsonObject {
  const { parameters = [], requestBody, responses = {}, security, ...same } = openapi
  return {
    ...same,
    // An operation without sign-in: Swagger 2.0 expresses it by an empty list.
    ...(security !== undefined && { security: [] }),
    parameters: [
      ...listOf(parameters).map((each) => parameter(resolved(each, components), components)),
      ...(requestBody === undefined ? [] : [body(objectOf(requestBody))]),
    ],
    responses: mapValues(objectOf(responses), (each) => responseOf(objectOf(each), components)),
  }
}

function parameter({ schema, example, ...named }: JsonObject, components: JsonObject): JsonObject {
  return {
    ...named,
    ...(example !== undefined && { 'x-example': example }),
    ...withoutXml(inlined(schemaOf(resolved(schema ?? {}, components)))),
  }
}

/** Only schemas of bodies may describe XML. */
function withoutXml(given: JsonObject): JsonObject {
  const { xml: _, items, ...schema } = given
  return isJsonObject(items) ? { ...schema, items: withoutXml(items) } : schema
}

/** Swagger 2.0 allows only plain values outside bodies. */
function inlined(schema: JsonObject): JsonObject {
  return typeof schema['type'] === 'string' && schema['type'] !== 'object' ? schema : { type: 'string' }
}

function body({ required = false, content = {} }: JsonObject): JsonObject {
  return { name: 'body', in: 'body', required, schema: schemaOf(jsonSchema(content)) }
}

function responseOf(response: JsonObject, components: JsonObject): JsonObject {
  const { $ref: reference, description = '', headers, content } = response
  if (typeof reference === 'string') return { $ref: reference.replace('#/components/', '#/') }
  return {
    description,
    ...(headers !== undefined && { headers: mapValues(objectOf(headers), (each) => headerOf(each, components)) }),
    ...(content !== undefined && { schema: schemaOf(jsonSchema(content)) }),
  }
}

function headerOf(header: JsonValue, components: JsonObject): JsonObject {
  const { schema = {}, ...named } = resolved(header, components)
  return { ...named, ...inlined(schemaOf(schema)) }
}

/** Of several alternatives the first, which is the usual one. */
function jsonSchema(content: JsonValue): JsonValue {
  const forms = objectOf(content)
  const { schema = {} } = objectOf(forms['application/json'] ?? forms['application/x-ndjson'])
  return listOf(objectOf(schema)['anyOf'])[0] ?? schema
}

/** Converts JSON Schema 2020 to Swagger 2.0. */
function schemaOf(given: JsonValue): JsonObject {
  const schema = objectOf(given)
  const { $ref: reference } = schema
  if (typeof reference === 'string') return { $ref: reference.replace('#/components/schemas/', '#/definitions/') }
  const written: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const rewrite = REWRITTEN.get(keyword)
    Object.assign(written, rewrite ? rewrite(value) : { [keyword]: value })
  }
  return written
}

const nothing = () => ({})
const REWRITTEN = new Map<string, (value: JsonValue) => JsonObject>([
  ['properties', (value) => ({ properties: mapValues(objectOf(value), schemaOf) })],
  ['items', (value) => ({ items: schemaOf(value) })],
  ['additionalProperties', (value) => ({ additionalProperties: isJsonObject(value) ? schemaOf(value) : value })],
  ['allOf', (value) => ({ allOf: listOf(value).map(schemaOf) })],
  ['anyOf', (value) => anyOf(listOf(value))],
  ['type', (value) => typeOf(value)],
  ['enum', (value) => ({ enum: listOf(value).filter((each) => each !== null) })],
  ['const', (value) => ({ enum: [value] })],
  ['examples', (value) => ({ example: listOf(value)[0] ?? null })],
  ['exclusiveMinimum', (value) => ({ minimum: value, exclusiveMinimum: true })],
  ['exclusiveMaximum', (value) => ({ maximum: value, exclusiveMaximum: true })],
  ['patternProperties', nothing],
  ['propertyNames', nothing],
  ['oneOf', nothing],
  ['discriminator', nothing],
  ['not', nothing],
])

/** Swagger 2.0 has no alternatives; a nullable value becomes `x-nullable`. */
function anyOf(variants: readonly JsonValue[]): JsonObject {
  const [value, ...others] = variants.filter((each) => objectOf(each)['type'] !== 'null')
  if (value === undefined || others.length > 0) return {}
  const schema = schemaOf(value)
  return '$ref' in schema ? { allOf: [schema], 'x-nullable': true } : { ...schema, 'x-nullable': true }
}

function typeOf(type: JsonValue): JsonObject {
  if (!isJsonList(type)) return type === 'null' ? {} : { type }
  const [first = 'string', ...others] = type.filter((each) => each !== 'null')
  const nullable = type.includes('null') && { 'x-nullable': true }
  return others.length === 0 ? { type: first, ...nullable } : { ...nullable }
}

function resolved(value: JsonValue, components: JsonObject): JsonObject {
  const { $ref: reference } = objectOf(value)
  if (typeof reference !== 'string') return objectOf(value)
  const [, , kind = '', name = ''] = reference.split('/')
  return objectOf(objectOf(components[kind])[name])
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : []
}
