import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { findKeyField } from '../artifacts/key-fields.ts'
import { fieldType } from '../field-types/field-types.ts'
import type { ColumnWidths } from './column-widths.ts'

const MAX_DEFAULT_COLUMNS = 6
const PEOPLE_WIDTH = 9.5
const TITLE_WIDTH = 18

export function possibleColumns({ fields }: Tracker): TrackerField[] {
  return fields.filter((field) => fieldType(field).column)
}

/** The columns of the address; by default title, status, people, and the first fields of the form. */
export function shownColumns(tracker: Tracker, names: string | undefined): TrackerField[] {
  const possible = possibleColumns(tracker)
  const named = (names ?? '').split(',').flatMap((name) => possible.find((field) => field.name === name) ?? [])
  return named.length > 0 ? named : usualColumns(tracker, possible)
}

function usualColumns({ semantics }: Tracker, possible: readonly TrackerField[]): TrackerField[] {
  const meant = [semantics.title, semantics.status, semantics.contributor].flatMap((semantic) =>
    possible.filter(({ field_id }) => field_id === semantic?.field_id),
  )
  const place = (field: TrackerField) => fieldType(field).column?.isShownByDefault
  const others = possible.filter((field) => !meant.includes(field) && place(field) === 'middle')
  const last = possible.filter((field) => place(field) === 'end')
  const first = meant.length === 0 ? possible.filter(isWide).slice(0, 1) : meant
  return [...first, ...others.slice(0, Math.max(0, MAX_DEFAULT_COLUMNS - first.length - last.length)), ...last]
}

/** The places of a row on a phone, which has two lines: priority and title above, the others below. */
export type RowPart = 'title' | 'priority' | 'status' | 'assignee' | 'date'

/** The columns that a phone shows, and where. Without a status, another list takes its place. */
export function rowParts(tracker: Tracker, columns: readonly TrackerField[]): ReadonlyMap<number, RowPart> {
  const shown = (field: TrackerField | undefined) => columns.find((each) => each === field)
  const title = columns.find(({ field_id }) => field_id === tracker.semantics.title?.field_id)
  const [priority, assignee] = [shown(findKeyField(tracker, 'p')), shown(findKeyField(tracker, 'a'))]
  const place = (field: TrackerField) => fieldType(field).column?.isShownByDefault
  const date = shown(findKeyField(tracker, 'd')) ?? columns.find((field) => place(field) === 'end')
  const taken = [title, priority, assignee, date]
  const status =
    shown(findKeyField(tracker, 's')) ?? columns.find((field) => !taken.includes(field) && place(field) === 'middle')
  const parts: readonly (readonly [RowPart, TrackerField | undefined])[] = [
    ['title', title],
    ['priority', priority],
    ['status', status],
    ['assignee', assignee],
    ['date', date],
  ]
  return new Map(parts.flatMap(([part, field]) => (field ? [[field.field_id, part]] : [])))
}

export function isSortable(field: TrackerField): boolean {
  return fieldType(field).column?.isSortable === true
}

/** The grid columns: minimum width in rem and share of the remaining space, or a given width in pixels. */
export function widthsOf(
  columns: readonly TrackerField[],
  title: number | undefined,
  given: ColumnWidths,
  /** Few columns share the space, so that cells have room for two values. */
  isPast = false,
): { least: string; shares: string } {
  const wide = wideColumn(columns, title)
  const widths = columns.map((field) => (field === wide ? TITLE_WIDTH : widthOf(field)))
  const [wideShare, share] = isPast && columns.length <= MAX_DEFAULT_COLUMNS ? [30, 2] : [60, 1]
  const pixels = columns.map(({ name }) => given.get(name))
  const shares = widths.map((width, index) =>
    pixels[index] === undefined
      ? `minmax(${width}rem, ${columns[index] === wide ? wideShare : width * share}fr)`
      : `${pixels[index]}px`,
  )
  const own = OWN.map((width) => `${width}rem`)
  const least = [
    ...own,
    ...widths.map((width, index) => (pixels[index] === undefined ? `${width}rem` : `${pixels[index]}px`)),
  ]
  return { least: `calc(${least.join(' + ')})`, shares: [...own, ...shares].join(' ') }
}

/** As many of the first columns as fit into the space as a whole; at least one. */
export function fittingColumns(
  columns: readonly TrackerField[],
  title: number | undefined,
  given: ColumnWidths,
  /** In pixels; `rem` is the size of one. */
  { space, rem }: { readonly space: number; readonly rem: number },
): readonly TrackerField[] {
  const wide = wideColumn(columns, title)
  let used = OWN.reduce((sum, width) => sum + width) * rem
  let count = 0
  for (const field of columns) {
    used += given.get(field.name) ?? (field === wide ? TITLE_WIDTH : widthOf(field)) * rem
    if (used > space) break
    count++
  }
  return columns.slice(0, Math.max(1, count))
}

/** The column that gets most of the space. */
function wideColumn(columns: readonly TrackerField[], title: number | undefined): TrackerField | undefined {
  return columns.find(({ field_id }) => field_id === title) ?? columns.find(isWide)
}

/** The check box and the reference. */
const OWN = [2.75, 4.5]

/** Numbers are right-aligned. */
export function isNumber(field: TrackerField): boolean {
  return fieldType(field).column?.isNumber === true
}

function isWide(field: TrackerField): boolean {
  return fieldType(field).column?.isWide === true
}

function widthOf(field: TrackerField): number {
  return field.bindings.type === 'users' ? PEOPLE_WIDTH : (fieldType(field).column?.width ?? 0)
}
