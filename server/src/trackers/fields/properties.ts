import { type TObject, Type } from 'typebox'
import type { FieldType } from './field-type.ts'

/** For types without settings. */
export const NO_PROPERTIES = Type.Object({}, { additionalProperties: false })

/** On or off: 0 and 1 on the wire. Definitions may also say true and false. */
export function flag(initial: 0 | 1) {
  const values = [Type.Literal(0), Type.Literal(1), Type.Literal(false), Type.Literal(true)]
  return Type.Optional(Type.Union(values, { default: initial }))
}

export function count(initial: number) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, default: initial }))
}

/** Some words. */
export function words(initial: string, { maxLength = 65_535, description = '' } = {}) {
  return Type.Optional(Type.String({ maxLength, default: initial, ...(description !== '' && { description }) }))
}

export function isOn(setting: unknown): boolean {
  return setting === 1 || setting === true
}

/** As the wire shows it. */
export function flagOf(setting: unknown): 0 | 1 {
  return isOn(setting) ? 1 : 0
}

/** A setting that counts something; 0 where it counts nothing. */
export function countOf(setting: unknown): number {
  return typeof setting === 'number' ? setting : 0
}

/**
 * What an element keeps of the settings in its definition: all of them, and each fact in one place. A default may stand
 * among them, because the structure shows it there; the member `default` of the element goes first.
 */
export function settle(
  { properties: schema }: Pick<FieldType, 'properties'>,
  given: Readonly<Record<string, unknown>>,
  initial: unknown,
): { properties: Record<string, unknown>; default: unknown } {
  const { default_value, default_value_type, default_value_today: _, ...settings } = given
  const chosen = Object.entries(settings).map(([name, each]) => [name, typeof each === 'boolean' ? Number(each) : each])
  return {
    properties: { ...defaultsOf(schema), ...Object.fromEntries(chosen) },
    default: initial ?? (default_value_type === 0 ? 'today' : default_value),
  }
}

function defaultsOf({ properties }: TObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, setting]) => ('default' in setting ? [[name, setting.default]] : [])),
  )
}
