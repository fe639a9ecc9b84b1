import { Type } from 'typebox'
import { apiDate } from '../../../platform/wire/dates.ts'
import { instantSearch } from '../../search/date-search.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

/** The submission time of the artifact. The field is read-only; written values are ignored. */
export const submissionDateField: FieldType = {
  type: 'subon',
  kind: 'field',
  schemaName: 'SubmissionDate',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  describe: () => ({ extra: { is_time_displayed: true } }),
  read: (_, __, { facts }) => ({ value: apiDate(facts.submitted_on) }),
  readSchema: { value: Type.String() },
  dateOf: (_, facts) => facts.submitted_on,
  search: instantSearch('submitted_on'),
  flat: (_, __, { facts }) => apiDate(facts.submitted_on),
  migrate: migrateToSameType,
}
