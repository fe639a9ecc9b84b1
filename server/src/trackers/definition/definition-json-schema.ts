import {
  createSchemaCollector,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../platform/openapi/openapi-schemas.ts'
import { DEFINITION_MEMBERS, memberKey } from './definition-members.ts'
import { TrackerDefinition } from './schemas.ts'

const ID = '/api/schemas/tracker-definition.json'

/** The JSON Schema of a tracker definition: the one that the server validates with, and what its members mean. */
export function definitionJsonSchema(publicUrl: URL): JsonObject {
  const collector = createSchemaCollector()
  const { $ref: _, ...root } = collector.toReference(TrackerDefinition)
  const { TrackerDefinition: definition = {}, ...others } = collector.schemas
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: new URL(ID, publicUrl).href,
    title: 'Tracker definition',
    ...root,
    ...(isJsonObject(definition) && definition),
    $defs: others,
  }
  const described = describeMembers(schema, others)
  return isJsonObject(described) ? described : {}
}

/** All paths of members, such as `elements[].bind.values[].key`. */
export function definitionPaths(): string[] {
  const paths = new Set<string>()
  visitMembers(JSON.parse(JSON.stringify(TrackerDefinition)), '', (path) => paths.add(memberKey(path)))
  return [...paths]
}

function visitMembers(schema: JsonValue | undefined, path: string, visit: (path: string) => void): void {
  if (!isJsonObject(schema)) return
  const { properties, items, anyOf } = schema
  for (const [name, each] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const inner = path === '' ? name : `${path}.${name}`
    visit(inner)
    visitMembers(each, inner, visit)
  }
  visitMembers(items, `${path}[]`, visit)
  for (const each of isJsonList(anyOf) ? anyOf : []) visitMembers(each, path, visit)
}

/** Adds descriptions, and points references to `$defs`. Each definition is described where it is first used. */
function describeMembers(root: JsonObject, definitions: JsonObject): JsonValue {
  const described: Record<string, JsonValue> = {}
  const visit = (value: JsonValue, path: string): JsonValue => {
    if (isJsonList(value)) return value.map((each) => visit(each, path))
    if (!isJsonObject(value)) return value
    const written: Record<string, JsonValue> = {}
    for (const [keyword, each] of Object.entries(value)) {
      if (keyword === 'xml' || keyword === '$defs') continue
      if (keyword === 'properties' && isJsonObject(each)) written[keyword] = members(each, path)
      else if (keyword === 'items') written[keyword] = visit(each, `${path}[]`)
      else if (keyword === '$ref' && typeof each === 'string') written[keyword] = reference(each, path)
      else written[keyword] = keyword === 'anyOf' ? visit(each, path) : each
    }
    return written
  }
  const members = (properties: JsonObject, path: string): JsonObject =>
    Object.fromEntries(
      Object.entries(properties).map(([name, each]) => {
        const inner = path === '' ? name : `${path}.${name}`
        const member = visit(each, inner)
        return [name, { ...(isJsonObject(member) && member), description: DEFINITION_MEMBERS[memberKey(inner)] ?? '' }]
      }),
    )
  const reference = (pointer: string, path: string): string => {
    const name = pointer.split('/').at(-1) ?? ''
    if (!(name in described)) {
      described[name] = {} // A definition that refers to itself ends here.
      described[name] = visit(definitions[name] ?? {}, path)
    }
    return `#/$defs/${name}`
  }
  const schema = visit(root, '')
  return isJsonObject(schema) ? { ...schema, $defs: described } : schema
}
