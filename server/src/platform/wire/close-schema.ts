import type { TSchema } from 'typebox'
import { isRecord } from './schema-shape.ts'

/**
 * The same schema, closed: an object refuses members that it does not list. Objects with free keys (a schema for other
 * members, or patterns) stay open. `ignored` has the paths of members that are accepted and dropped, such as
 * `values[].uri`; each level gets its own as the keyword `ignored`, by name. Members that a schema lists as `shown` are
 * kept, but reported in the same way.
 */
export function closeSchema(schema: TSchema, ignored: readonly string[] = []): TSchema {
  return closeAt(schema, '', ignored)
}

function closeAt(schema: TSchema, path: string, ignored: readonly string[]): TSchema {
  const given: Record<string, unknown> = { ...schema }
  const { anyOf, items, type } = given
  const close = (each: unknown, at: string) => (isRecord(each) ? closeAt(each, at, ignored) : each)
  if (Array.isArray(anyOf)) return { ...given, anyOf: anyOf.map((each: unknown) => close(each, path)) }
  if (type === 'array') return { ...given, items: close(items, `${path}[]`) }
  if (type !== 'object') return 'names' in given ? { ...given, path } : given
  return closeObject(given, path, ignored, close)
}

function closeObject(
  given: Readonly<Record<string, unknown>>,
  path: string,
  ignored: readonly string[],
  close: (schema: unknown, at: string) => unknown,
): TSchema {
  const { properties, patternProperties, additionalProperties, shown } = given
  const named = [...ignored.flatMap((each) => nameBelow(path, each) ?? []), ...(Array.isArray(shown) ? shown : [])]
  const closeAll = (schemas: Record<string, unknown>, at: (name: string) => string) =>
    Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, close(each, at(name))]))
  const others = additionalProperties ?? (isRecord(patternProperties) ? undefined : false)
  return {
    ...given,
    ...(isRecord(properties) && { properties: closeAll(properties, (name) => joinPath(path, name)) }),
    ...(isRecord(patternProperties) && { patternProperties: closeAll(patternProperties, () => joinPath(path, '*')) }),
    ...(others !== undefined && { additionalProperties: close(others, joinPath(path, '*')) }),
    ...(named.length > 0 && { ignored: Object.fromEntries(named.map((name) => [name, joinPath(path, String(name))])) }),
  }
}

/** The last name of the path, if it is directly below `parent`. */
function nameBelow(parent: string, path: string): string | undefined {
  const at = path.lastIndexOf('.')
  return (at === -1 ? '' : path.slice(0, at)) === parent ? path.slice(at + 1) : undefined
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
