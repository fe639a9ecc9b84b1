/** What the table shows is in the address: whoever gets the link sees the same. */
export interface TableSearch {
  /** The filter and the order, in the query language. */
  readonly q?: string | undefined
  /** Names of fields, with commas between them. */
  readonly columns?: string | undefined
  /** Absent, and nothing else said: the one that the tracker opens with. */
  readonly report?: number | undefined
}

/** All artifacts, also where the tracker opens with a report. */
export const NO_REPORT = 0

export function readTableSearch(given: Readonly<Record<string, unknown>>): TableSearch {
  const { q, columns, report } = given
  const number = Number(report)
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(Number.isSafeInteger(number) && number >= NO_REPORT && { report: number }),
  }
}
