import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { choicesOf } from '../artifacts/choices.ts'
import { possibleColumns } from '../trackers/columns.ts'
import type { BoardSearch } from './board-search.ts'

const ONE_OF = ['sb', 'rb']
const LISTS = ['sb', 'rb', 'msb', 'cb']
const ON_CARDS = ['sb', 'rb', 'date', 'int', 'float']
/** Nobody looks at more columns; a list of all people is none to make them of. */
const MOST_COLUMNS = 40
const FEW = 2

/** Which fields a board is made of. */
export interface BoardFields {
  readonly columns: TrackerField
  readonly lanes: TrackerField | undefined
  readonly cards: readonly TrackerField[]
}

/** Lists of which exactly one value is chosen, and that have few. */
export function possibleColumnFields({ fields }: Tracker): TrackerField[] {
  return fields.filter((field) => {
    const count = choicesOf(field).filter(({ isHidden }) => !isHidden).length
    return ONE_OF.includes(field.type) && count > 0 && count <= MOST_COLUMNS
  })
}

export function possibleLaneFields({ fields }: Tracker, columns: TrackerField): TrackerField[] {
  return fields.filter((field) => LISTS.includes(field.type) && field !== columns)
}

/** Those of the address; else columns by status, and on cards what says most. Undefined: there is no list for columns. */
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
  const others = shown.filter((field) => !people.includes(field) && ON_CARDS.includes(field.type)).slice(0, FEW)
  return { columns, lanes, cards: named.length > 0 ? named : [...people, ...others] }
}
