import type { TSchema } from 'typebox'
import { coerce, type CoercionState, startCoercion } from './coerce.ts'
import { coerceXml } from './coerce-xml.ts'
import { joinPath } from './close-schema.ts'
import { ApiError } from '../messages/errors.ts'
import type { Reason } from '../messages/reasons.ts'
import { findSchemaFaults, unknownMember } from './schema-faults.ts'
import { matchesSchema, shapeOf } from './schema-shape.ts'
import { XmlNode } from './xml.ts'

export type Dialect = CoercionState['dialect']

/**
 * The value as the schema describes it, or an error with the path of each fault. `raw` comes from `parseStrictJson`
 * (`json`), `parseXml` (`xml`), or is a map or object of texts: a form or query parameters (`text`). `place` is the
 * path of the value, if it is part of a larger one. Members that are accepted but not read are added to `ignored`.
 */
export function readInput(schema: TSchema, raw: unknown, dialect: Dialect, place = '', ignored?: Set<string>): unknown {
  const shape = shapeOf(schema)
  const state = startCoercion(dialect, ignored)
  const value = coerceInput(schema, raw, state)
  if (!state.suspect && matchesSchema(schema, value)) return value

  const [first, ...more] = findSchemaFaults(shape, value, place)
  if (first) {
    const { reason, ...details } = first
    throw new ApiError<Reason>(reason, more.length === 0 ? details : { ...details, all: [first, ...more] })
  }
  // The suspect value is in an unknown member. A mismatch without a fault is a bug of ours.
  if (!matchesSchema(schema, value)) throw new TypeError('A schema refuses what none of its parts does.')
  return value
}

/** The same without validation: a value that cannot be coerced stays as it is. */
export function coerceInput(schema: TSchema, raw: unknown, state: CoercionState): unknown {
  const shape = shapeOf(schema)
  if (raw instanceof XmlNode) {
    refuseAttributes(raw, '')
    return coerceXml(shape, raw, state)
  }
  return coerce(shape, raw instanceof Map ? Object.fromEntries(raw) : raw, state)
}

/** Attributes have no meaning, except the `key` of an `entry`, which the parser has read. */
function refuseAttributes({ attributes, children }: XmlNode, path: string): void {
  const [name] = attributes
  if (name !== undefined) {
    const { reason, ...details } = unknownMember(joinPath(path, `@${name}`), name, [])
    throw new ApiError<Reason>(reason, details)
  }
  let items = 0
  for (const each of children)
    refuseAttributes(each, each.name === 'item' ? `${path}[${items++}]` : joinPath(path, each.name))
}
