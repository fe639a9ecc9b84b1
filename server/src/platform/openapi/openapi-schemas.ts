import type { TSchema } from 'typebox'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/**
 * Schemas of a document: one with a title becomes a component and is referenced. The keyword `describedAs` holds the
 * schema that the document shows instead of a more tolerant one that input and responses use.
 */
export interface SchemaCollector {
  /** The reference or inline schema to use instead of this schema. */
  toReference(schema: TSchema): JsonObject
  readonly schemas: JsonObject
}

export function createSchemaCollector(): SchemaCollector {
  const named = new Map<string, JsonObject>()

  const toReference = (schema: JsonValue): JsonObject => {
    if (!isJsonObject(schema)) return {} // `true`: any value.
    if (isJsonObject(schema['describedAs'])) return toReference(schema['describedAs'])
    const { title, ...content } = schema
    if (typeof title !== 'string') return describe(content)
    const known = named.get(title)
    const described = describe(content)
    if (known && JSON.stringify(known) !== JSON.stringify(described))
      throw new Error(`Two different schemas have the title ${title}.`)
    named.set(title, described)
    return { $ref: `#/components/schemas/${title}` }
  }

  const describe = (schema: JsonObject): JsonObject => {
    const described: Record<string, JsonValue> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (INTERNAL_KEYWORDS.has(keyword)) continue
      if (MAPS.has(keyword) && isJsonObject(value)) described[keyword] = mapValues(value, toReference)
      else if (LISTS.has(keyword) && isJsonList(value)) described[keyword] = value.map(toReference)
      else if (SINGLE.has(keyword) && isJsonObject(value)) described[keyword] = toReference(value)
      else described[keyword] = value
    }
    return asItems(withNull(withType(described)))
  }

  return {
    toReference: (schema) => toReference(JSON.parse(JSON.stringify(schema))),
    get schemas() {
      return Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    },
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

export function mapValues(value: JsonObject, map: (each: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each, name)]))
}

/** Keywords of our input reader, which the document omits. */
const INTERNAL_KEYWORDS = new Set(['trim', 'cause', 'absent', 'names', 'path', 'ignored', 'shown', 'mayBeEmpty'])
const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf'])
const SINGLE = new Set(['items', 'additionalProperties', 'not', 'propertyNames'])

/** Adds the type to an enumeration of texts, which many readers of the document require. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values, const: constant } = schema
  const allowed = isJsonList(values) ? values : constant === undefined ? [] : [constant]
  const isText = allowed.length > 0 && allowed.every((each) => typeof each === 'string')
  return isText && schema['type'] === undefined ? { type: 'string', ...schema } : schema
}

/** Shortens `anyOf: [text, null]` where possible. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isJsonList(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing] = anyOf
  if (!isJsonObject(nothing) || nothing['type'] !== 'null' || !isJsonObject(value)) return schema
  const { type, enum: values } = value
  if (typeof type !== 'string' || 'const' in value) return schema
  return { ...value, ...rest, type: [type, 'null'], ...(isJsonList(values) && { enum: [...values, null] }) }
}

/** In XML each element of a list is an `item`. */
function asItems(schema: JsonObject): JsonObject {
  const { items } = schema
  return isJsonObject(items)
    ? { ...schema, items: { ...items, xml: { name: 'item' } }, xml: { wrapped: true } }
    : schema
}
