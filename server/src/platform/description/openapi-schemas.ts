import type { TSchema } from 'typebox'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Schemas of a document: one that has a title stands among the components, and is referred to. */
export interface SchemaCollector {
  /** What stands in the place of this schema. */
  place(schema: TSchema): JsonObject
  readonly schemas: JsonObject
}

export function createSchemaCollector(): SchemaCollector {
  const named = new Map<string, JsonObject>()

  const place = (schema: Json): JsonObject => {
    if (!isObject(schema)) return {} // `true`: whatever it is.
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
    const described: Record<string, Json> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (OURS.has(keyword)) continue
      if (MAPS.has(keyword) && isObject(value)) described[keyword] = mapValues(value, place)
      else if (LISTS.has(keyword) && isList(value)) described[keyword] = value.map(place)
      else if (SINGLE.has(keyword) && isObject(value)) described[keyword] = place(value)
      else described[keyword] = value
    }
    return asItems(withNull(withType(described)))
  }

  return {
    place: (schema) => place(JSON.parse(JSON.stringify(schema))),
    get schemas() {
      return Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    },
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function mapValues(value: JsonObject, map: (each: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each, name)]))
}

/** Notes for our own reader of inputs. */
const OURS = new Set(['trim', 'cause', 'absent'])
const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf'])
const SINGLE = new Set(['items', 'additionalProperties', 'not', 'propertyNames'])

/** An enumeration of texts is a text: readers of the document look at the type first. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values, const: constant } = schema
  const allowed = isList(values) ? values : constant === undefined ? [] : [constant]
  const isText = allowed.length > 0 && allowed.every((each) => typeof each === 'string')
  return isText && schema['type'] === undefined ? { type: 'string', ...schema } : schema
}

/** `anyOf: [text, null]` is said shorter, where it can be. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isList(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing] = anyOf
  if (!isObject(nothing) || nothing['type'] !== 'null' || !isObject(value)) return schema
  const { type, enum: values } = value
  if (typeof type !== 'string' || 'const' in value) return schema
  return { ...value, ...rest, type: [type, 'null'], ...(isList(values) && { enum: [...values, null] }) }
}

/** In XML each element of a list stands in an `item`. */
function asItems(schema: JsonObject): JsonObject {
  const { items } = schema
  return isObject(items) ? { ...schema, items: { ...items, xml: { name: 'item' } }, xml: { wrapped: true } } : schema
}
