import type { TSchema } from 'typebox'
import type { TValidationError } from 'typebox/error'
import { Errors } from 'typebox/value'
import { isSound, variantFor } from './coerce.ts'
import { english } from '../words/english.ts'
import type { Allowed, Cause, Problem, Reason, Rule } from '../words/reasons.ts'
import { fits, isRecord, memberShape, type ObjectShape, type Shape } from './schema-shape.ts'

const MOST = 50 // A long list of long lists has no end of faults; nobody reads more.

interface Fault extends Problem {
  path: string
  rule: Rule
}

/**
 * Why a value does not fit, in our words. TypeBox judges each level by itself, without the levels below: asked for
 * all at once it stops after a few errors, and speaks of every variant of a union.
 */
export function faultsOf(shape: Shape, value: unknown, place: string): Fault[] {
  const faults: Fault[] = []
  collect(shape, value, place, faults)
  return faults.slice(0, MOST)
}

function collect(shape: Shape, value: unknown, path: string, faults: Fault[]): void {
  if (faults.length >= MOST) return
  switch (shape.kind) {
    case 'union': {
      if (value === null && shape.nullable) return
      const { variants } = shape
      const fitting = variants.length === 1 ? variants[0] : variants.find(({ schema }) => fits(schema, value))
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
        for (const [at, each] of value.entries()) collect(shape.items, each, `${path}[${at}]`, faults)
      return
    case 'literals':
      if (shape.values.some((each) => each === value)) return
      faults.push(fault('parameter_not_allowed', path, 'one_of', shape.values))
      return
    case 'integer':
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) faults.push(...ownFaults(shape.schema, value, path))
      else faults.push(fault('parameter_invalid', path, 'type', SAFE))
      return
    case 'string':
      if (typeof value !== 'string' || isSound(value)) faults.push(...ownFaults(shape.schema, value, path))
      else faults.push(fault('parameter_invalid', path, 'format'))
      return
    case 'free':
      collectBroken(value, path, faults)
      faults.push(...ownFaults(shape.schema, value, path))
      return
    case 'number':
    case 'boolean':
    case 'null':
      faults.push(...ownFaults(shape.schema, value, path))
  }
}

const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

function collectMembers(shape: ObjectShape, value: Record<string, unknown>, path: string, faults: Fault[]): void {
  for (const [name, each] of Object.entries(value)) {
    const member = memberShape(shape, name)
    if (!member && shape.rest === 'refused') faults.push(fault('member_unknown', join(path, name), 'unknown_member'))
    else if (!isSound(name)) faults.push(fault('parameter_invalid', join(path, name), 'format'))
    else if (member) collect(member, each, join(path, name), faults)
    else collectBroken(each, join(path, name), faults) // Of another variant that would fit as well.
  }
}

function collectBroken(value: unknown, path: string, faults: Fault[]): void {
  if (faults.length >= MOST) return
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) collectBroken(each, `${path}[${at}]`, faults)
  } else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (isSound(name)) collectBroken(each, join(path, name), faults)
      else faults.push(fault('parameter_invalid', join(path, name), 'format'))
    }
  } else if (typeof value === 'string' ? !isSound(value) : value === Infinity || value === -Infinity) {
    faults.push(fault('parameter_invalid', path, 'format'))
  }
}

/** The members of a schema that speak of the levels below; what is left speaks of the value itself. */
const BELOW = new Set(['properties', 'patternProperties', 'additionalProperties', 'items'])

function ownFaults(schema: TSchema, value: unknown, path: string): Fault[] {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !BELOW.has(keyword)))
  return Errors(own, value).flatMap((error) => toFaults(error, own, path).map((each) => withCause(each, schema)))
}

/** A schema may name the cause of its own type not being met (`cause`), and of a member not being there (`absent`). */
function withCause(found: Fault, schema: TSchema): Fault {
  const notes = new Map<string, unknown>(Object.entries(schema))
  const cause = notes.get(found.reason === 'parameter_required' ? 'absent' : found.rule === 'type' ? 'cause' : '')
  return isCause(cause) ? { ...found, cause } : found
}

function isCause(name: unknown): name is Cause {
  return typeof name === 'string' && name in english.causes
}

function toFaults(error: TValidationError, schema: Record<string, unknown>, path: string): Fault[] {
  if (error.keyword === 'required')
    return error.params.requiredProperties.map((name) => fault('parameter_required', join(path, name), 'required'))
  if (error.keyword === 'uniqueItems')
    return error.params.duplicateItems.map((at) => fault('duplicate_entry', `${path}[${at}]`, 'unique'))
  const range = RANGE_RULES.get(error.keyword)
  if (range) return [fault('parameter_out_of_range', path, range, bounds(schema, error.keyword))]
  const rule = error.keyword === 'type' || error.keyword === 'pattern' ? error.keyword : 'format'
  return [fault('parameter_invalid', path, rule)]
}

const RANGE_RULES = new Map<string, Rule>([
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

/** All bounds that the schema has, not only the one that was hit. */
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

function fault(reason: Reason, path: string, rule: Rule, allowed?: Allowed): Fault {
  return { reason, path: path === '' ? 'body' : path, rule, ...(allowed && { allowed }) }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
