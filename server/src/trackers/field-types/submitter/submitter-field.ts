import { personSearch } from '../../search/person-search.ts'
import type { FieldType } from '../field-type.ts'
import { personLogin, PersonValue, personIn } from '../person.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

/** The submitter of the artifact. The field is read-only; written values are ignored. */
export const submitterField: FieldType = {
  type: 'subby',
  kind: 'field',
  schemaName: 'Submitter',
  properties: NO_PROPERTIES,
  describe: () => ({ values: [], default_value: [], bindings: { type: 'users', list: [] } }),
  read: (_, __, reading) => ({ value: personIn(reading, reading.facts.submitted_by) }),
  readSchema: { value: PersonValue },
  search: personSearch('submitted_by'),
  flat: (_, __, reading) => personLogin(reading, reading.facts.submitted_by),
  migrate: migrateToSameType,
}
