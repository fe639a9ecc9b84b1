import { Type } from 'typebox'
import { numberType, wholeNumber } from '../number-type.ts'

/** A safe integer, so that every client represents it exactly. */
export const integerField = numberType({
  type: 'int',
  schemaName: 'Integer',
  schema: Type.Integer(),
  pattern: /^[+-]?\d+$/,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  fit: wholeNumber,
  fits: Number.isSafeInteger,
})
