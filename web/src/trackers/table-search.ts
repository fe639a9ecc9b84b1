import { parseAddressMoment } from './past/moment.ts'

/** The state of the table is in the address, so that a shared link shows the same. */
export interface TableSearch {
  /** Filter and order in TQL. */
  readonly q?: string | undefined
  /** Comma-separated names of fields. */
  readonly columns?: string | undefined
  /** Widths of columns in pixels, such as `status:120,due:90`. */
  readonly widths?: string | undefined
  /** The field by which rows are grouped, such as `status` or `due:month`. */
  readonly group?: string | undefined
  /** Absent without other parameters: the default report of the tracker. */
  readonly report?: number | undefined
  /** Shows the rows as they were at this moment. */
  readonly at?: string | undefined
}

/** All artifacts, even if the tracker has a default report. */
export const NO_REPORT = 0

/** No groups, even if the report has some. */
export const NO_GROUP = '-'

export function readTableSearch(given: Readonly<Record<string, unknown>>): TableSearch {
  const { q, columns, widths, group, report, at } = given
  const number = Number(report)
  const moment = parseAddressMoment(at)
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(typeof widths === 'string' && widths !== '' && { widths }),
    ...(typeof group === 'string' && group !== '' && { group }),
    ...(Number.isSafeInteger(number) && number >= NO_REPORT && { report: number }),
    ...(moment !== undefined && { at: moment }),
  }
}
