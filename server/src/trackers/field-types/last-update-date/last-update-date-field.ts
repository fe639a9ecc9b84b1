import { Type } from 'typebox'
import { apiDate } from '../../../platform/wire/dates.ts'
import { instantSearch } from '../../search/date-search.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

/** The time of the last version. The field is read-only; written values are ignored. */
export const lastUpdateDateField: FieldType = {
  type: 'lud',
  kind: 'field',
  schemaName: 'LastUpdateDate',
  givenBy: 'version',
  properties: NO_PROPERTIES,
  describe: () => ({ extra: { is_time_displayed: true } }),
  read: (_, __, { facts }) => ({ value: apiDate(facts.last_modified_date) }),
  readSchema: { value: Type.String() },
  dateOf: (_, facts) => facts.last_modified_date,
  search: instantSearch('last_modified_date'),
  flat: (_, __, { facts }) => apiDate(facts.last_modified_date),
  migrate: migrateToSameType,
}
