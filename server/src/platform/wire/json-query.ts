import type { Static, TObject } from 'typebox'
import { ApiError } from '../messages/errors.ts'
import { parseStrictJson } from './json.ts'
import { readInput } from './read-input.ts'
import { matchesSchema, isRecord } from './schema-shape.ts'

/**
 * Parses a `query` parameter that is a JSON object. Absent or empty means no criteria; otherwise some key must be
 * known.
 */
export function readJsonQuery<Schema extends TObject>(
  schema: Schema,
  text: string | undefined,
): Partial<Static<Schema>> {
  const raw = text === undefined ? {} : parse(text)
  const known = Object.keys(schema.properties)
  const given = Object.keys(raw)
  if (given.length > 0 && !given.some((key) => known.includes(key)))
    throw new ApiError('query_unknown_key', { path: 'query', allowed: known })
  const query = readInput(schema, raw, 'json', 'query')
  if (!isOf(schema, query)) throw new TypeError('What was read does not fit its schema.')
  return query
}

function parse(text: string): Record<string, unknown> {
  const value = attempt(text)
  if (!isRecord(value)) throw new ApiError('query_malformed', { path: 'query' })
  return value
}

function attempt(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch {
    return undefined
  }
}

function isOf<Schema extends TObject>(schema: Schema, value: unknown): value is Static<Schema> {
  return matchesSchema(schema, value)
}
