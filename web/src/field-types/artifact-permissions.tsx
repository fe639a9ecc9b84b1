import { ChoiceGroup, ChoiceInput } from '../design/field.tsx'
import { text } from '../artifacts/messages.ts'
import { isJsonRecord, jsonObjects, jsonText } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType, ValueDraft } from './field-type.ts'
import { ChoiceLabels } from './parts/lists.tsx'
import type { RestrictionValue } from './values.ts'

const editing: FieldEditing<RestrictionValue> = {
  toDraft: ({ field_id }, value) => {
    const groups = value?.granted_groups_ids ?? []
    return draftOf(field_id, groups, groups.length > 0)
  },
  defaultDraft: ({ field_id, values }) =>
    draftOf(field_id, [], isJsonRecord(values) && values['is_used_by_default'] === true),
  // Names of groups come with the response.
  optimistic: (_field, _draft, stored) => stored,
  Editor: EditRestriction,
}

export const artifactPermissions: FieldType<RestrictionValue> = {
  type: 'perm',
  kind: 'field',
  isEmpty: ({ granted_groups: groups = [] }) => groups.length === 0,
  show: ({ granted_groups: groups = [] }) => (
    <ChoiceLabels choices={groups.map((label) => ({ id: label, label, color: undefined }))} />
  ),
  entries: ({ granted_groups: groups = [] }) => groups,
  editing,
  column: { width: 8.5 },
  isSingle: true,
  canBeRequired: true,
}

function draftOf(field_id: number, granted_groups: readonly string[], is_used_by_default: boolean): ValueDraft {
  return { field_id, value: { granted_groups, is_used_by_default } }
}

/** Restricts the artifact to groups, or opens it to all. */
function EditRestriction({ field, draft, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id, values } = field
  const value = isJsonRecord(draft.value) ? draft.value : {}
  const granted = Array.isArray(value['granted_groups']) ? value['granted_groups'].map(jsonText) : []
  const isUsed = value['is_used_by_default'] === true
  const groups = jsonObjects(isJsonRecord(values) ? values['ugroup_representations'] : undefined)
  const change = (groupIds: readonly string[], isRestricted: boolean) =>
    onChange(draftOf(field_id, groupIds, isRestricted))
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      <ChoiceInput
        label={text('edit.restricted')}
        autoFocus={autoFocus}
        checked={isUsed}
        onChange={({ target }) => change(granted, target.checked)}
      />
      {isUsed &&
        groups.map(({ id, label: name }) => (
          <ChoiceInput
            key={jsonText(id)}
            label={jsonText(name)}
            checked={granted.includes(jsonText(id))}
            onChange={({ target }) =>
              change(target.checked ? [...granted, jsonText(id)] : granted.filter((each) => each !== id), true)
            }
          />
        ))}
    </ChoiceGroup>
  )
}
