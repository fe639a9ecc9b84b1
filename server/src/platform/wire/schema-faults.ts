import type { TSchema } from 'typebox'
import type { TValidationError } from 'typebox/error'
import { Errors } from 'typebox/value'
import { isStorableText, variantFor } from './coerce.ts'
import { joinPath as join } from './close-schema.ts'
import { DAY_OR_INSTANT_FORM } from './dates.ts'
import { MOMENT } from './formats.ts'
import { visitNames } from './known-names.ts'
import { english } from '../messages/english.ts'
import type { Allowed, Cause, ErrorProblem, Reason, InputRule } from '../messages/reasons.ts'
import { suggestName } from './nearest.ts'
import { limitsNames, matchesSchema, isRecord, memberShape, type ObjectShape, type Shape } from './schema-shape.ts'

const MAX_FAULTS = 50 // Bounds the list for large inputs; people do not read more.

interface SchemaFault extends ErrorProblem {
  path: string
  rule: InputRule
}

/**
 * The faults of a value, as API errors. TypeBox checks each level without those below, because for a whole value it
 * stops after a few errors and reports every variant of a union.
 */
export function findSchemaFaults(shape: Shape, value: unknown, place: string): SchemaFault[] {
  const faults: SchemaFault[] = []
  collect(shape, value, place, faults)
  return faults.slice(0, MAX_FAULTS)
}

function collect(shape: Shape, value: unknown, path: string, faults: SchemaFault[]): void {
  // A valid value is not checked level by level, which takes fifty times as long.
  if (
    faults.length >= MAX_FAULTS ||
    (hasLevels(shape) && !limitsNames(shape) && isSoundThroughout(value) && matchesSchema(shape.schema, value))
  )
    return
  switch (shape.kind) {
    case 'union': {
      if (value === null && shape.nullable) return
      const { variants } = shape
      const fitting = variants.length === 1 ? variants[0] : variants.find(({ schema }) => matchesSchema(schema, value))
      const variant = fitting ?? variantFor(shape, value)
      if (variant) collect(variant, value, path, faults)
      else faults.push(fault('parameter_invalid', path, 'type'))
      return
    }
    case 'object':
      faults.push(...ownFaults(shape.schema, value, path))
      if (isRecord(value)) collectMembers(shape, value, path, faults)
      return
    case 'array':
      faults.push(...ownFaults(shape.schema, value, path))
      if (Array.isArray(value))
        for (const [at, each] of value.entries()) {
          if (faults.length >= MAX_FAULTS) return
          collect(shape.items, each, `${path}[${at}]`, faults)
        }
      return
    case 'literals':
      if (shape.values.some((each) => each === value)) return
      faults.push({
        ...fault('parameter_not_allowed', path, 'one_of', shape.values),
        ...(typeof value === 'string' && suggestName(value, shape.values.map(String))),
      })
      return
    case 'integer':
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) faults.push(...ownFaults(shape.schema, value, path))
      else faults.push(fault('parameter_invalid', path, 'type', SAFE))
      return
    case 'string':
      if (typeof value !== 'string' || isStorableText(value)) faults.push(...ownFaults(shape.schema, value, path))
      else faults.push(fault('parameter_invalid', path, 'format'))
      return
    case 'free':
      collectBroken(value, path, faults)
      if (shape.names)
        visitNames(shape.names, value, path, {
          unknown: (...found) => faults.push(unknownMember(...found)),
        })
      faults.push(...ownFaults(shape.schema, value, path))
      return
    case 'number':
    case 'boolean':
    case 'null':
      faults.push(...ownFaults(shape.schema, value, path))
  }
}

function hasLevels({ kind }: Shape): boolean {
  return kind === 'object' || kind === 'array'
}

/** Contains neither an invalid text nor a number that has lost digits, at any depth. */
function isSoundThroughout(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (Array.isArray(value)) return value.every(isSoundThroughout)
  return (
    !isRecord(value) || Object.entries(value).every(([name, each]) => isStorableText(name) && isSoundThroughout(each))
  )
}

const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

function collectMembers(shape: ObjectShape, value: Record<string, unknown>, path: string, faults: SchemaFault[]): void {
  for (const [name, each] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return
    const member = memberShape(shape, name)
    if (!member && shape.rest === 'refused')
      faults.push(unknownMember(join(path, name), name, [...shape.members.keys()]))
    else if (!isStorableText(name)) faults.push(fault('parameter_invalid', join(path, name), 'format'))
    else if (member) collect(member, each, join(path, name), faults)
    else collectBroken(each, join(path, name), faults) // A member of another variant that would match as well.
  }
}

function collectBroken(value: unknown, path: string, faults: SchemaFault[]): void {
  if (faults.length >= MAX_FAULTS) return
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) collectBroken(each, `${path}[${at}]`, faults)
  } else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (isStorableText(name)) collectBroken(each, join(path, name), faults)
      else faults.push(fault('parameter_invalid', join(path, name), 'format'))
    }
  } else if (typeof value === 'string' ? !isStorableText(value) : value === Infinity || value === -Infinity) {
    faults.push(fault('parameter_invalid', path, 'format'))
  }
}

/** Keywords on the levels below; the others are about the value itself. */
const BELOW = new Set(['properties', 'patternProperties', 'additionalProperties', 'items'])

function ownFaults(schema: TSchema, value: unknown, path: string): SchemaFault[] {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !BELOW.has(keyword)))
  return Errors(own, value).flatMap((error) => toFaults(error, own, path).map((each) => withCause(each, schema)))
}

/** A schema may name the cause of a type mismatch (`cause`), and of a missing member (`absent`). */
function withCause(found: SchemaFault, schema: TSchema): SchemaFault {
  const notes = new Map<string, unknown>(Object.entries(schema))
  const cause = notes.get(found.reason === 'parameter_required' ? 'absent' : found.rule === 'type' ? 'cause' : '')
  return isCause(cause) ? { ...found, cause } : found
}

function isCause(name: unknown): name is Cause {
  return typeof name === 'string' && name in english.causes
}

function toFaults(error: TValidationError, schema: Record<string, unknown>, path: string): SchemaFault[] {
  if (error.keyword === 'required')
    return error.params.requiredProperties.map((name) => fault('parameter_required', join(path, name), 'required'))
  if (error.keyword === 'uniqueItems')
    return error.params.duplicateItems.map((at) => fault('duplicate_entry', `${path}[${at}]`, 'unique'))
  const range = RANGE_RULES.get(error.keyword)
  if (range) return [fault('parameter_out_of_range', path, range, bounds(schema, error.keyword))]
  if (error.keyword === 'format' && schema['format'] === MOMENT)
    return [{ ...fault('parameter_invalid', path, 'format'), cause: 'date_form', params: DAY_OR_INSTANT_FORM }]
  const rule = error.keyword === 'type' || error.keyword === 'pattern' ? error.keyword : 'format'
  return [fault('parameter_invalid', path, rule)]
}

const RANGE_RULES = new Map<string, InputRule>([
  ['minimum', 'minimum'],
  ['exclusiveMinimum', 'minimum'],
  ['maximum', 'maximum'],
  ['exclusiveMaximum', 'maximum'],
  ['minLength', 'min_length'],
  ['minItems', 'min_length'],
  ['minProperties', 'min_length'],
  ['maxLength', 'max_length'],
  ['maxItems', 'max_length'],
  ['maxProperties', 'max_length'],
])

/** All bounds of the schema, not only the violated one. */
function bounds(schema: Record<string, unknown>, keyword: string): Allowed {
  const what = keyword.replace(/^(?:exclusiveM|m)(?:in|ax)/, '') // `Length`, `Items`, `Properties`, or `imum`.
  const [minimum, maximum] = [schema[`min${what}`], schema[`max${what}`]]
  const { exclusiveMinimum, exclusiveMaximum } = schema
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(exclusiveMinimum !== undefined && { exclusive_minimum: exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { exclusive_maximum: exclusiveMaximum }),
  }
}

/** `known` are the names of the same level. */
export function unknownMember(path: string, name: string, known: readonly string[]): SchemaFault {
  return { ...fault('member_unknown', path, 'unknown_member'), ...suggestName(name, known) }
}

function fault(reason: Reason, path: string, rule: InputRule, allowed?: Allowed): SchemaFault {
  return { reason, path: path === '' ? 'body' : path, rule, ...(allowed && { allowed }) }
}
