import type { FieldType } from './field-type.ts'
import { PERSON_FILTER } from './parts/filters.ts'
import { SHOWN_PERSON } from './parts/lists.tsx'
import type { PersonValue } from './values.ts'

export const submitter: FieldType<PersonValue> = {
  type: 'subby',
  ...SHOWN_PERSON,
  isShownByPage: true,
  column: { width: 8.5, isSortable: true },
  filter: { ...PERSON_FILTER, variable: '@submitted_by' },
}
