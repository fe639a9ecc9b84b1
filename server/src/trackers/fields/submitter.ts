import { personSearch } from '../search/person-search.ts'
import type { FieldType } from './field-type.ts'
import { loginOf, Person, personIn } from './person.ts'
import { NO_PROPERTIES } from './properties.ts'
import { migrateToSameType } from './same-type.ts'

/** Who submitted the artifact. What is written here is ignored. */
export const submitterField: FieldType = {
  type: 'subby',
  kind: 'field',
  properties: NO_PROPERTIES,
  describe: () => ({ values: [], default_value: [], bindings: { type: 'users', list: [] } }),
  read: (_, __, reading) => ({ value: personIn(reading, reading.facts.submitted_by) }),
  readSchema: { value: Person },
  search: personSearch('submitted_by'),
  flat: (_, __, reading) => loginOf(reading, reading.facts.submitted_by),
  migrate: migrateToSameType,
}
