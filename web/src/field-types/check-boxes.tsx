import type { EditorProps, FieldType } from './field-type.ts'
import { EditPeople, EditVisibleChoices, isAllPeople } from './parts/edit-list.tsx'
import { LIST_FILTER } from './parts/filters.ts'
import { LIST_EDITING, SHOWN_LIST } from './parts/lists.tsx'
import type { ListValue } from './values.ts'

export const checkBoxes: FieldType<ListValue> = {
  type: 'cb',
  ...SHOWN_LIST,
  editing: { ...LIST_EDITING, Editor: EditCheckBoxes },
  column: { width: 10 },
  filter: LIST_FILTER,
  list: 'many',
  picker: 'list',
  canBeRequired: true,
}

function EditCheckBoxes(props: EditorProps) {
  return isAllPeople(props.field) ? <EditPeople {...props} /> : <EditVisibleChoices {...props} />
}
