import type { TrackerField, Value } from '@waypost/sdk/api'
import { type Draft, draftKeys, isList, textOfDraft } from './draft.ts'
import { isRecord, keyIn, recordsIn, textIn } from './loose.ts'

/** A draft as it will look when it is stored, until the server says so itself. */
export function optimisticValue(field: TrackerField, draft: Draft, stored?: Value): Value | undefined {
  const { field_id, type, label } = field
  const value = (members: Record<string, unknown>): Value => ({ field_id, type, label, ...members })
  if (isList(field)) return value({ values: chosenIn(field, draft, stored), bind_value_ids: draft.bind_value_ids })
  switch (type) {
    case 'text': {
      const { content, format } = textOfDraft(draft)
      const html = format === 'html' ? '' : escaped(content)
      return value({ value: content, format: 'text', post_processed_value: html })
    }
    case 'int':
    case 'float': {
      const typed = textIn(draft.value).trim()
      return typed === '' ? undefined : value({ value: Number(typed) })
    }
    case 'tbl':
      return value({ bind_value_objects: isRecord(draft.value) ? draft.value['bind_value_objects'] : [] })
    case 'date':
      return value({ value: draft.value, is_time_displayed: field.is_time_displayed === true })
    case 'computed':
      return draft.manual_value === undefined
        ? stored && { ...stored, is_autocomputed: true }
        : value({ is_autocomputed: false, manual_value: Number(draft.manual_value) })
    case 'art_link':
    case 'file':
    case 'perm':
      return stored
    default:
      return value({ value: draft.value })
  }
}

/** As answers have them: a person, a group or a value. What is stored may know more than the list. */
function chosenIn(field: TrackerField, draft: Draft, stored: Value | undefined): readonly unknown[] {
  const known = recordsIn(field.values).map(({ user_reference: user, ugroup_reference: group, ...value }) =>
    isRecord(user) ? user : isRecord(group) ? group : { ...value, tlp_color: colourOf(value) },
  )
  const all: readonly Record<string, unknown>[] = [...recordsIn(stored?.['values']), ...known]
  return draftKeys(draft).flatMap((key) => all.find(({ id }) => keyIn(id) === key) ?? [])
}

function colourOf(value: Record<string, unknown>): string | null {
  return textIn(value['value_color']) || null
}

function escaped(content: string): string {
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${safe.replaceAll('\n', '<br>')}</p>`
}
