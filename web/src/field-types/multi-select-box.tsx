import type { EditorProps, FieldType } from './field-type.ts'
import { EditByTyping, EditPeople, EditVisibleChoices, isAllPeople, isShort } from './parts/edit-list.tsx'
import { LIST_FILTER } from './parts/filters.ts'
import { LIST_EDITING, SHOWN_LIST } from './parts/lists.tsx'
import type { ListValue } from './values.ts'

export const multiSelectBox: FieldType<ListValue> = {
  type: 'msb',
  ...SHOWN_LIST,
  editing: { ...LIST_EDITING, Editor: EditMultiSelectBox },
  column: { width: 10 },
  filter: LIST_FILTER,
  list: 'many',
  picker: 'list',
  canBeRequired: true,
}

function EditMultiSelectBox(props: EditorProps) {
  if (isAllPeople(props.field)) return <EditPeople {...props} />
  return isShort(props.field) ? <EditVisibleChoices {...props} /> : <EditByTyping {...props} />
}
