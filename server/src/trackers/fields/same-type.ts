import type { FieldType } from './field-type.ts'

/** For values that mean the same in every tracker, and nothing in a field of another type. */
export const migrateToSameType: NonNullable<FieldType['migrate']> = (stored, from, to) =>
  from.type === to.type ? { value: stored, isPartial: false } : undefined
