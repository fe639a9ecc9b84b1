import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { listChoices } from '../artifacts/choices.ts'
import { fieldType } from '../field-types/field-types.ts'
import { possibleColumns } from '../trackers/columns.ts'
import type { BoardSearch } from './board-search.ts'

/** More columns cannot be scanned; this also excludes lists of all people. */
const MAX_COLUMNS = 40
const MAX_CARD_FIELDS = 2

/** The fields that define a board. */
export interface BoardFields {
  readonly columns: TrackerField
  readonly lanes: TrackerField | undefined
  readonly cards: readonly TrackerField[]
}

/** Single-select lists with few values. */
export function possibleColumnFields({ fields }: Tracker): TrackerField[] {
  return fields.filter((field) => {
    const count = listChoices(field).filter(({ isHidden }) => !isHidden).length
    return fieldType(field).list === 'one' && count > 0 && count <= MAX_COLUMNS
  })
}

export function possibleLaneFields({ fields }: Tracker, columns: TrackerField): TrackerField[] {
  return fields.filter((field) => {
    const { list } = fieldType(field)
    return (list === 'one' || list === 'many') && field !== columns
  })
}

/**
 * The fields from the address; by default, columns by status and the most telling fields on cards. Undefined: no list
 * is suitable for columns.
 */
export function boardFieldsOf(tracker: Tracker, search: BoardSearch): BoardFields | undefined {
  const possible = possibleColumnFields(tracker)
  const { title, status, contributor } = tracker.semantics
  const columns =
    possible.find(({ name }) => name === search.by) ??
    possible.find(({ field_id }) => field_id === status?.field_id) ??
    possible[0]
  if (!columns) return undefined
  const lanes = possibleLaneFields(tracker, columns).find(({ name }) => name === search.lanes)
  const shown = possibleColumns(tracker).filter(
    (field) => field !== columns && field !== lanes && field.field_id !== title?.field_id,
  )
  const named = (search.cards ?? '').split(',').flatMap((name) => shown.find((field) => field.name === name) ?? [])
  const people = shown.filter(({ field_id }) => field_id === contributor?.field_id)
  const others = shown
    .filter((field) => !people.includes(field) && fieldType(field).card?.isShownByDefault)
    .slice(0, MAX_CARD_FIELDS)
  return { columns, lanes, cards: named.length > 0 ? named : [...people, ...others] }
}
