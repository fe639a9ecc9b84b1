import { type AnyValue, type Value, VALUE_TYPES } from '@waypost/sdk/api'

/** Values of other types are of a newer server; their members are unknown. */
export function isKnownValue(value: AnyValue): value is Value {
  return VALUE_TYPES.includes(value.type)
}
