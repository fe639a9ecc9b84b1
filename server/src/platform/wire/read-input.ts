import type { TSchema } from 'typebox'
import { coerce, type CoercionState } from './coerce.ts'
import { coerceXml } from './coerce-xml.ts'
import { ApiError } from '../messages/errors.ts'
import type { Reason } from '../messages/reasons.ts'
import { findSchemaFaults } from './schema-faults.ts'
import { matchesSchema, shapeOf } from './schema-shape.ts'
import { XmlNode } from './xml.ts'

export type Dialect = CoercionState['dialect']

/**
 * The value as the schema describes it, or an error with the path of each fault. `raw` comes from `parseStrictJson`
 * (`json`), `parseXml` (`xml`), or is a map or object of texts: a form or query parameters (`text`). `place` is the
 * path of the value, if it is part of a larger one.
 */
export function readInput(schema: TSchema, raw: unknown, dialect: Dialect, place = ''): unknown {
  const shape = shapeOf(schema)
  const state: CoercionState = { dialect, suspect: false }
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
  if (raw instanceof XmlNode) return coerceXml(shape, raw, state)
  return coerce(shape, raw instanceof Map ? Object.fromEntries(raw) : raw, state)
}
