import type { TableColumnReader } from '../field-type.ts'

/** Numbers with leading zeros are codes, such as those of postal addresses. */
const WHOLE = /^[+-]?(?:0|[1-9]\d{0,14})$/
const DECIMAL = /^[+-]?(?:0|[1-9]\d{0,14})(?:[.,]\d{1,10})?$/
const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d.*)?$/
const GERMAN_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

const MAX_LIST_VALUES = 12
const MAX_LABEL = 60
const MAX_LINE = 120
const MAX_STORED_LABEL = 255

export const WHOLE_COLUMN: TableColumnReader = {
  order: 1,
  fits: (cells) => cells.every((cell) => WHOLE.test(cell)),
  read: (cell) => (WHOLE.test(cell) ? Number(cell) : undefined),
}

export const DECIMAL_COLUMN: TableColumnReader = {
  order: 2,
  fits: (cells) => cells.every((cell) => DECIMAL.test(cell)),
  read: (cell) => (DECIMAL.test(cell) ? Number(cell.replace(',', '.')) : undefined),
}

/** Dates with slashes are not guessed: 3/4/2026 has two meanings. */
export const DAY_COLUMN: TableColumnReader = {
  order: 3,
  fits: (cells) => cells.every((cell) => readDay(cell) !== undefined),
  read: readDay,
}

function readDay(cell: string): string | undefined {
  const [, year, month, day] = ISO_DAY.exec(cell) ?? []
  const [, germanDay = '', germanMonth = '', germanYear] = GERMAN_DAY.exec(cell) ?? []
  const text =
    year === undefined
      ? `${germanYear}-${germanMonth.padStart(2, '0')}-${germanDay.padStart(2, '0')}`
      : `${year}-${month}-${day}`
  const date = new Date(`${text}T00:00:00Z`)
  // The day after the last one of a month would become one of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

export const LIST_COLUMN: TableColumnReader = {
  order: 4,
  fits(cells) {
    const values = new Set(cells)
    return (
      values.size <= MAX_LIST_VALUES &&
      values.size <= cells.length / 2 &&
      cells.every(({ length }) => length <= MAX_LABEL)
    )
  },
  read: (cell) => (cell.length <= MAX_STORED_LABEL ? cell : undefined),
  bind: (cells) => ({
    type: 'static',
    values: distinct(cells).map((label, at) => ({ key: `value_${at + 1}`, label })),
  }),
}

export const TEXT_COLUMN: TableColumnReader = {
  order: 5,
  fits: (cells) => cells.some((cell) => cell.length > MAX_LINE || cell.includes('\n')),
  read: (cell) => cell,
}

export const LINE_COLUMN: TableColumnReader = {
  order: 6,
  fits: () => true,
  read: (cell) => cell.replaceAll(/\s*\n\s*/g, ' '),
}

/** Several values in a cell; never guessed, because a line of text has the same separators. */
export const TAGS_COLUMN: TableColumnReader = {
  order: 7,
  fits: () => false,
  read: (cell) => splitTags(cell),
  bind: (cells) => ({ type: 'static', values: distinct(cells.flatMap(splitTags)).map((label) => ({ label })) }),
}

function splitTags(cell: string): string[] {
  return cell
    .split(/[,;|\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && tag.length <= MAX_STORED_LABEL)
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values.filter(({ length }) => length <= MAX_STORED_LABEL))]
}
