import type { FieldFilter } from '../field-type.ts'

const EQUALITY = ['=', '!='] as const
const ORDER = [...EQUALITY, '<', '<=', '>', '>=', 'BETWEEN('] as const
const MEMBERSHIP = [...EQUALITY, 'IN (', 'NOT IN ('] as const
const NOTHING = ['""'] as const

/** Also for fields that no filter names by itself. */
export const EQUALITY_FILTER: FieldFilter = { operators: EQUALITY, input: 'text', literals: NOTHING }
export const TEXT_FILTER: FieldFilter = { ...EQUALITY_FILTER, isContained: true }
export const NUMBER_FILTER: FieldFilter = { operators: ORDER, input: 'number', literals: NOTHING }
export const LIST_FILTER: FieldFilter = { operators: MEMBERSHIP, input: 'text', literals: NOTHING }
export const DATE_FILTER: FieldFilter = {
  operators: ORDER,
  input: 'date',
  literals: ['NOW()', 'NOW() - 1w', 'NOW() - 1m'],
}
export const PERSON_FILTER: FieldFilter = {
  operators: MEMBERSHIP,
  input: 'text',
  literals: [],
  isAlwaysFilled: true,
  isPerson: true,
}
