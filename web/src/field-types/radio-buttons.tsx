import type { EditorProps, FieldType } from './field-type.ts'
import { EditPeople, EditVisibleChoices, isAllPeople } from './parts/edit-list.tsx'
import { LIST_FILTER } from './parts/filters.ts'
import { LIST_EDITING, SHOWN_LIST } from './parts/lists.tsx'
import type { ListValue } from './values.ts'

export const radioButtons: FieldType<ListValue> = {
  type: 'rb',
  ...SHOWN_LIST,
  editing: { ...LIST_EDITING, Editor: EditRadioButtons },
  column: { width: 8, isSortable: true, isShownByDefault: 'middle' },
  card: { isShownByDefault: true },
  filter: LIST_FILTER,
  list: 'one',
  picker: 'list',
  canBeRequired: true,
}

function EditRadioButtons(props: EditorProps) {
  return isAllPeople(props.field) ? <EditPeople {...props} isOne /> : <EditVisibleChoices {...props} isOne />
}
