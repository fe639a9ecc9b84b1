import { numberType } from './number-type.ts'

export const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** A number with or without a fraction. */
export const floatField = numberType({
  type: 'float',
  pattern: DECIMAL,
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  fit: (value) => value,
})
