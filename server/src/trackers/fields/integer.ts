import { numberType, wholeNumber } from './number-type.ts'

/** A whole number that every client can count to. */
export const integerField = numberType({
  type: 'int',
  pattern: /^[+-]?\d+$/,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  fit: wholeNumber,
})
