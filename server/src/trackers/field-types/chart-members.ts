import { Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'

/** The members of every chart over the timeframe of an artifact. */
export const CHART_MEMBERS = {
  start_date: Type.String(),
  duration: Type.Number({ description: 'In working days.' }),
  capacity: nullable(Type.Number()),
  is_under_calculation: Type.Boolean(),
  opening_days: Type.Array(Type.Integer(), { description: 'The working days; Monday is 1.' }),
}
