import type { FieldType } from './field-type.ts'

/** For values that are valid in every tracker, but only in fields of the same type. */
export const migrateToSameType: NonNullable<FieldType['migrate']> = (stored, from, to) =>
  from.type === to.type ? { value: stored, isPartial: false } : undefined
