import { personSearch } from '../../search/person-search.ts'
import type { FieldType } from '../field-type.ts'
import { personLogin, PersonValue, personIn } from '../person.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

/** The author of the last version. The field is read-only; written values are ignored. */
export const lastUpdaterField: FieldType = {
  type: 'luby',
  kind: 'field',
  schemaName: 'LastUpdater',
  properties: NO_PROPERTIES,
  describe: () => ({ values: [], default_value: [] }),
  read: (_, __, reading) => ({ value: personIn(reading, reading.facts.last_update_by) }),
  readSchema: { value: PersonValue },
  search: personSearch('last_update_by'),
  flat: (_, __, reading) => personLogin(reading, reading.facts.last_update_by),
  migrate: migrateToSameType,
}
