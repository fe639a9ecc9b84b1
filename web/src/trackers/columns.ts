import type { Tracker, TrackerField } from '@waypost/sdk/api'

/** What has no value of its own, or none that fits a cell. */
const WITHOUT_CELL = ['fieldset', 'column', 'linebreak', 'separator', 'staticrichtext', 'burnup']
const SORTABLE = 'string text int float date sb rb subby luby subon lud aid priority'.split(' ')
const FILLING = ['sb', 'rb', 'date', 'int']
const FILLED = 6

export function possibleColumns({ fields }: Tracker): TrackerField[] {
  return fields.filter(({ type }) => !WITHOUT_CELL.includes(type))
}

/** Those of the address; else what every tracker is about: title, status, people, and what comes first. */
export function shownColumns(tracker: Tracker, names: string | undefined): TrackerField[] {
  const possible = possibleColumns(tracker)
  const named = (names ?? '').split(',').flatMap((name) => possible.find((field) => field.name === name) ?? [])
  return named.length > 0 ? named : usualColumns(tracker, possible)
}

function usualColumns({ semantics }: Tracker, possible: readonly TrackerField[]): TrackerField[] {
  const meant = [semantics.title, semantics.status, semantics.contributor].flatMap((semantic) =>
    possible.filter(({ field_id }) => field_id === semantic?.field_id),
  )
  const others = possible.filter((field) => !meant.includes(field) && FILLING.includes(field.type))
  const changed = possible.filter(({ type }) => type === 'lud')
  const first = meant.length === 0 ? possible.filter(({ type }) => type === 'string').slice(0, 1) : meant
  return [...first, ...others.slice(0, Math.max(0, FILLED - first.length - changed.length)), ...changed]
}

export function isSortable({ type }: TrackerField): boolean {
  return SORTABLE.includes(type)
}

/** Of the grid, in rem: how narrow they may be all together, and how they share what there is. None depends on its content. */
export function widthsOf(
  columns: readonly TrackerField[],
  title: number | undefined,
): { least: string; shares: string } {
  const wide = columns.find(({ field_id }) => field_id === title) ?? columns.find(({ type }) => type === 'string')
  const widths = columns.map((field) => (field === wide ? 18 : widthOf(field)))
  const shares = widths.map((width, index) => `minmax(${width}rem, ${columns[index] === wide ? 60 : width}fr)`)
  const least = OWN.reduce((sum, width) => sum + width, 0) + widths.reduce((sum, width) => sum + width, 0)
  return { least: `${least}rem`, shares: [...OWN.map((width) => `${width}rem`), ...shares].join(' ') }
}

/** Of the box to choose a row by, and of its reference. */
const OWN = [2.75, 7]

const NUMBERS = ['int', 'float', 'computed', 'aid', 'atid', 'priority']

/** Numbers are compared by their ends. */
export function isNumber({ type }: TrackerField): boolean {
  return NUMBERS.includes(type)
}

function widthOf({ type, bindings }: TrackerField): number {
  if (NUMBERS.includes(type)) return 6
  if (type === 'date' || type === 'subon' || type === 'lud') return 8.5
  if (type === 'string' || type === 'text') return 14
  return bindings.type === 'users' || type === 'msb' || type === 'cb' ? 10 : 8.5
}
