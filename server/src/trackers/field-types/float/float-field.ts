import { Type } from 'typebox'
import { DECIMAL } from '../decimal.ts'
import { numberType } from '../number-type.ts'

/** A number with or without a fraction. */
export const floatField = numberType({
  type: 'float',
  schemaName: 'Float',
  schema: Type.Number(),
  pattern: DECIMAL,
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  fit: (value) => value,
  fits: Number.isFinite,
})
