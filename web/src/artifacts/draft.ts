import type { TrackerField, Value, ValueItem } from '@waypost/sdk/api'
import type { ChoiceKey } from './choices.ts'
import { isRecord, keyIn, listIn, numberIn, recordsIn, textIn } from './loose.ts'

/** A value as it is sent. */
export type Draft = ValueItem

export interface DraftLink {
  readonly id: number
  /** Empty: without a type. */
  readonly type: string
  readonly direction: 'forward' | 'reverse'
}

const LISTS = ['sb', 'rb', 'msb', 'cb']
const EDITABLE = [...LISTS, 'string', 'text', 'int', 'float', 'date', 'tbl', 'file', 'art_link', 'perm', 'computed']
const NONE = 100

export function isList({ type }: TrackerField): boolean {
  return LISTS.includes(type)
}

/** Whether its values are written by people at all. Who may is in `permissions`. */
export function isEditable({ type }: TrackerField): boolean {
  return EDITABLE.includes(type)
}

export function mayUpdate(field: TrackerField): boolean {
  return isEditable(field) && field.permissions.includes('update')
}

/** What is stored, in the form in which it would be sent. Undefined: nothing is stored. */
export function draftOf(field: TrackerField, value: Value | undefined): Draft {
  const { field_id, type } = field
  if (isList(field)) return { field_id, bind_value_ids: storedKeys(value) }
  switch (type) {
    case 'text':
      return { field_id, value: textDraft(value) }
    case 'date':
      return { field_id, value: dateDraft(field, value?.['value']) }
    case 'tbl':
      return { field_id, value: { bind_value_objects: recordsIn(value?.['bind_value_objects']).map(named) } }
    case 'file':
      return { field_id, value: recordsIn(value?.['file_descriptions']).map(({ id }) => id) }
    case 'art_link':
      return { field_id, all_links: linksOf(value) }
    case 'perm': {
      const groups = listIn(value?.['granted_groups_ids'])
      return { field_id, value: { granted_groups: groups, is_used_by_default: groups.length > 0 } }
    }
    case 'computed':
      return value?.['is_autocomputed'] === false
        ? { field_id, manual_value: textIn(value['manual_value']) }
        : { field_id, is_autocomputed: true }
    default:
      return { field_id, value: textIn(value?.['value']) }
  }
}

/** What a new artifact begins with. */
export function defaultDraft(field: TrackerField): Draft {
  const { field_id, type, default_value: given, values } = field
  if (isList(field)) return { field_id, bind_value_ids: recordsIn(given).flatMap(({ id }) => keyIn(id) ?? []) }
  switch (type) {
    case 'text':
      return { field_id, value: isRecord(given) ? formatted(given['content'], given['format']) : textDraft(undefined) }
    case 'date':
      return { field_id, value: dateDraft(field, textIn(given).replace(' ', 'T')) }
    case 'tbl':
      return { field_id, value: { bind_value_objects: recordsIn(given).map(named) } }
    case 'perm': {
      const isUsed = isRecord(values) && values['is_used_by_default'] === true
      return { field_id, value: { granted_groups: [], is_used_by_default: isUsed } }
    }
    case 'computed':
      return isRecord(given) ? { field_id, manual_value: textIn(given['value']) } : draftOf(field, undefined)
    case 'file':
    case 'art_link':
      return draftOf(field, undefined)
    default:
      return { field_id, value: textIn(given) }
  }
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

export function isEmptyDraft(field: TrackerField, draft: Draft): boolean {
  return isSameDraft(draft, draftOf(field, undefined))
}

/** As the server takes it: only its own links are replaced where those from elsewhere stay as they are. */
export function itemOf(draft: Draft, stored: Draft): ValueItem {
  if (draft.all_links === undefined) return draft
  const { field_id } = draft
  const reverse = (links: unknown) =>
    JSON.stringify(draftLinks(links).filter(({ direction }) => direction === 'reverse'))
  if (reverse(draft.all_links) !== reverse(stored.all_links)) return draft
  const own = draftLinks(draft.all_links).filter(({ direction }) => direction === 'forward')
  return { field_id, links: own.map(({ id, type }) => ({ id, type })) }
}

/** The keys of what is chosen in a list; nothing, also where the answer says "none". */
export function storedKeys(value: Value | undefined): readonly ChoiceKey[] {
  return listIn(value?.['bind_value_ids']).flatMap((key) => (key === NONE ? [] : (keyIn(key) ?? [])))
}

export function draftKeys(draft: Draft | undefined): readonly ChoiceKey[] {
  return listIn(draft?.bind_value_ids).flatMap((key) => keyIn(key) ?? [])
}

export function draftLinks(links: unknown): readonly DraftLink[] {
  return recordsIn(links).flatMap(({ id, type, direction }): DraftLink[] => {
    const number = numberIn(id)
    const way = direction === 'reverse' ? 'reverse' : 'forward'
    return number === undefined ? [] : [{ id: number, type: textIn(type), direction: way }]
  })
}

export function linksOf(value: Value | undefined): readonly DraftLink[] {
  const both = [
    ...recordsIn(value?.['links']).map((link) => ({ ...link, direction: 'forward' })),
    ...recordsIn(value?.['reverse_links']).map((link) => ({ ...link, direction: 'reverse' })),
  ]
  return draftLinks(both)
}

export interface DraftText {
  readonly content: string
  readonly format: string
}

export function textOfDraft({ value }: Draft): DraftText {
  return isRecord(value) ? formatted(value['content'], value['format']) : textDraft(undefined)
}

function textDraft(value: Value | undefined): DraftText {
  if (!value) return { content: '', format: 'commonmark' }
  const { commonmark } = value
  return typeof commonmark === 'string'
    ? { content: commonmark, format: 'commonmark' }
    : formatted(value['value'], value['format'])
}

function formatted(content: unknown, format: unknown): DraftText {
  return { content: textIn(content), format: textIn(format) || 'commonmark' }
}

/** A day is a day, whatever the zone; a moment is one, whatever it is called here. */
function dateDraft({ is_time_displayed }: TrackerField, given: unknown): string {
  const date = textIn(given)
  if (is_time_displayed !== true) return date.slice(0, 10)
  return date === '' || Number.isNaN(Date.parse(date)) ? '' : new Date(date).toISOString()
}

/** What tells one value of an open list from the others, and how it is called. */
function named({ id, label, display_name, real_name, username }: Record<string, unknown>): Record<string, unknown> {
  return { id, label: textIn(real_name) || textIn(label) || textIn(display_name) || textIn(username) }
}

/** Lists have no order of their own, nor have links. */
function sorted(draft: Draft): unknown {
  const { bind_value_ids: ids, all_links: links } = draft
  if (Array.isArray(ids)) return { ...draft, bind_value_ids: ids.map(String).toSorted() }
  if (Array.isArray(links)) return { ...draft, all_links: links.map((link) => JSON.stringify(link)).toSorted() }
  return draft
}
