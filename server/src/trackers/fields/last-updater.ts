import { personSearch } from '../search/person-search.ts'
import type { FieldType } from './field-type.ts'
import { loginOf, Person, personIn } from './person.ts'
import { NO_PROPERTIES } from './properties.ts'
import { migrateToSameType } from './same-type.ts'

/** Who made the last version. What is written here is ignored. */
export const lastUpdaterField: FieldType = {
  type: 'luby',
  kind: 'field',
  properties: NO_PROPERTIES,
  describe: () => ({ default_value: [] }),
  read: (_, __, reading) => ({ value: personIn(reading, reading.facts.last_update_by) }),
  readSchema: { value: Person },
  search: personSearch('last_update_by'),
  flat: (_, __, reading) => loginOf(reading, reading.facts.last_update_by),
  migrate: migrateToSameType,
}
