import type { EditorProps, FieldType } from './field-type.ts'
import { EditByTyping, EditOne, EditPeople, isAllPeople, isManyPeople } from './parts/edit-list.tsx'
import { LIST_FILTER } from './parts/filters.ts'
import { LIST_EDITING, SHOWN_LIST } from './parts/lists.tsx'
import { LIST_COLUMN } from './parts/table-import.ts'
import type { ListValue } from './values.ts'

export const selectBox: FieldType<ListValue> = {
  type: 'sb',
  ...SHOWN_LIST,
  editing: { ...LIST_EDITING, Editor: EditSelectBox },
  column: { width: 8, isSortable: true, isShownByDefault: 'middle' },
  card: { isShownByDefault: true },
  filter: LIST_FILTER,
  list: 'one',
  picker: 'list',
  canBeRequired: true,
  fromTable: LIST_COLUMN,
}

function EditSelectBox(props: EditorProps) {
  if (isAllPeople(props.field)) return <EditPeople {...props} isOne />
  return isManyPeople(props.field) ? <EditByTyping {...props} isOne /> : <EditOne {...props} />
}
