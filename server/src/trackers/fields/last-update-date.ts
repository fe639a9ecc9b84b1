import { Type } from 'typebox'
import { apiDate } from '../../platform/wire/dates.ts'
import { instantSearch } from '../search/date-search.ts'
import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'
import { migrateToSameType } from './same-type.ts'

/** When the last version was made. What is written here is ignored. */
export const lastUpdateDateField: FieldType = {
  type: 'lud',
  kind: 'field',
  givenBy: 'version',
  properties: NO_PROPERTIES,
  describe: () => ({ extra: { is_time_displayed: true } }),
  read: (_, __, { facts }) => ({ value: apiDate(facts.last_modified_date) }),
  readSchema: { value: Type.String() },
  search: instantSearch('last_modified_date'),
  flat: (_, __, { facts }) => apiDate(facts.last_modified_date),
  migrate: migrateToSameType,
}
