import { asList, asRecord, type Schema } from './api-description.ts'
import { anyText, anyValue, NUMBERS } from './hostile-values.ts'
import type { RepeatableRandom } from './random.ts'

/** A random value that is valid by the schema, for operations without a recipe. */
export function valueForSchema(schema: Schema, random: RepeatableRandom): unknown {
  const variants = asList(schema['anyOf'])
  if (variants.length > 0) return valueForSchema(asRecord(random.pickAny(variants)), random)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return random.pickAny(schema['enum'])
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  switch (random.pickAny(types)) {
    case 'object':
      return membersOf(schema, random, (each) => valueForSchema(each, random))
    case 'array': {
      const length = Math.min(random.integer(0, 3), Number(schema['maxItems'] ?? 3))
      return Array.from({ length: Math.max(length, Number(schema['minItems'] ?? 0)) }, () =>
        valueForSchema(asRecord(schema['items']), random),
      )
    }
    case 'integer':
    case 'number':
      return random.integer(Number(schema['minimum'] ?? 0), Math.min(Number(schema['maximum'] ?? 3000), 2 ** 40))
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return random.letters(
        Math.max(Number(schema['minLength'] ?? 0), Math.min(random.integer(3, 20), Number(schema['maxLength'] ?? 20))),
      )
    default:
      return random.letters(5)
  }
}

/** A value that just misses the schema: at the bounds, of another type, or hostile. */
export function nearMissOf(schema: Schema, random: RepeatableRandom): unknown {
  const { minLength, maxLength, minimum, maximum } = schema
  const bounds = [
    ...(typeof minLength === 'number' && minLength > 0 ? ['x'.repeat(minLength - 1), 'x'.repeat(minLength)] : []),
    ...(typeof maxLength === 'number' && maxLength < 100_000
      ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '👍'.repeat(maxLength)]
      : []),
    ...(typeof minimum === 'number' ? [minimum, minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum, maximum + 1] : []),
  ]
  if (bounds.length > 0 && random.chance(0.4)) return random.pickAny(bounds)
  if (asList(schema['type']).concat(schema['type']).includes('integer') && random.chance(0.6))
    return random.pick(NUMBERS)
  return random.chance(0.6) ? anyText(random) : anyValue(random)
}

/** The members of an object: all required ones, and some of the others. */
function membersOf(
  schema: Schema,
  random: RepeatableRandom,
  valueFor: (schema: Schema) => unknown,
): Record<string, unknown> {
  const required = asList(schema['required'])
  const members = Object.entries(asRecord(schema['properties']))
    .filter(([name]) => required.includes(name) || random.chance(0.3))
    .map(([name, each]) => [name, valueFor(asRecord(each))] as const)
  return Object.fromEntries(members)
}
