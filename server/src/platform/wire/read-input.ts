import type { TSchema } from 'typebox'
import { coerce, type Reading } from './coerce.ts'
import { coerceXml } from './coerce-xml.ts'
import { ApiError } from '../words/errors.ts'
import type { Reason } from '../words/reasons.ts'
import { faultsOf } from './schema-faults.ts'
import { fits, shapeOf } from './schema-shape.ts'
import { XmlNode } from './xml.ts'

export type Dialect = Reading['dialect']

/**
 * The value that the schema describes, or a refusal that names each fault in its place. `raw` comes from `parseJson`
 * (`json`), `parseXml` (`xml`), or is a map or object of texts: a form, or the parameters of an address (`text`).
 * `place` is where the value stands, if it is part of something larger.
 */
export function readInput(schema: TSchema, raw: unknown, dialect: Dialect, place = ''): unknown {
  const shape = shapeOf(schema)
  const reading: Reading = { dialect, suspect: false }
  const value = coerceInput(schema, raw, reading)
  if (!reading.suspect && fits(schema, value)) return value

  const [first, ...more] = faultsOf(shape, value, place)
  if (first) {
    const { reason, ...details } = first
    throw new ApiError<Reason>(reason, more.length === 0 ? details : { ...details, all: [first, ...more] })
  }
  // What was suspect stood in a member that no one asked for; but what does not fit and has no fault is ours.
  if (!fits(schema, value)) throw new TypeError('A schema refuses what none of its parts does.')
  return value
}

/** The same without a verdict: what cannot be brought to the types of the schema is as it came. */
export function coerceInput(schema: TSchema, raw: unknown, reading: Reading): unknown {
  const shape = shapeOf(schema)
  if (raw instanceof XmlNode) return coerceXml(shape, raw, reading)
  return coerce(shape, raw instanceof Map ? Object.fromEntries(raw) : raw, reading)
}
