import { toPlainCell } from '../../platform/wire/csv.ts'
import type { FlatValue, WriteItem } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element, StoredValues } from '../../trackers/tracker.ts'

/** A value of `values_by_field` that is text as in the CSV export. Only the server makes it, from a row of a table. */
export class TableCell {
  readonly text: string
  /** The name of the column, for errors. */
  readonly column: string

  constructor(text: string, column: string) {
    this.text = text
    this.column = column
  }
}

/** The input that the cell stands for; undefined: it sets nothing. */
export function itemOfCell(
  { text }: TableCell,
  element: Element,
  stored: StoredValues | undefined,
): Omit<WriteItem, 'byName'> | undefined {
  return fieldTypeOf(element).fromCell?.(text, stored?.[String(element.id)])
}

/**
 * A cell that shows the stored value changes nothing, even if it does not show all of it: the format of a text, the
 * types of links, deleted people. Spreadsheets change line ends inside cells.
 */
export function showsValue({ text }: TableCell, value: FlatValue | undefined): boolean {
  return withLineFeeds(text) === withLineFeeds(toPlainCell(value))
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
