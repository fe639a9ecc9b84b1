import { type TObject, Type } from 'typebox'
import type { FieldType } from './field-type.ts'

/** For types without settings. */
export const NO_PROPERTIES = Type.Object({}, { additionalProperties: false })

/** A boolean, 0 or 1 in the API. Definitions also accept true and false. */
export function flag(initial: 0 | 1) {
  const values = [Type.Literal(0), Type.Literal(1), Type.Literal(false), Type.Literal(true)]
  return Type.Optional(Type.Union(values, { default: initial }))
}

export function count(initial: number) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, default: initial }))
}

export function textProperty(initial: string, { maxLength = 65_535, description = '' } = {}) {
  return Type.Optional(Type.String({ maxLength, default: initial, ...(description !== '' && { description }) }))
}

export function isOn(setting: unknown): boolean {
  return setting === 1 || setting === true
}

/** The setting as 0 or 1, as the API shows it. */
export function flagOf(setting: unknown): 0 | 1 {
  return isOn(setting) ? 1 : 0
}

/** A numeric setting; 0 if it is not set. */
export function countOf(setting: unknown): number {
  return typeof setting === 'number' ? setting : 0
}

/**
 * Normalizes the settings of a definition: all of them are stored, each fact once. They may contain a default, because
 * the structure shows it there; the element's own member `default` takes precedence.
 */
export function normalizeProperties(
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
