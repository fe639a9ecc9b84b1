/** The state of the table is in the address, so that a shared link shows the same. */
export interface TableSearch {
  /** Filter and order in TQL. */
  readonly q?: string | undefined
  /** Comma-separated names of fields. */
  readonly columns?: string | undefined
  /** Absent without other parameters: the default report of the tracker. */
  readonly report?: number | undefined
}

/** All artifacts, even if the tracker has a default report. */
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
